package openapitest

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
)

// base returns a request of the operation that its examples make, and whether there is
// one.
func (c *conformity) base(op operation) (request, bool) {
	r := request{method: strings.ToUpper(op.method), path: op.path, header: c.caller.header, valid: true, exactly: true}
	if op.isItem() && !c.restore(op, &r) {
		r.path = c.exemplary(op)
	}
	for _, p := range op.parameters() {
		if required, _ := p.object["required"].(bool); required && p.in != "path" {
			r = r.asking(p.in, p.name, p.text(p.object["example"]))
		}
	}
	if r.mediaType = op.body(); r.mediaType == "" {
		return r, true
	}
	example, ok := op.example()
	r.body = string(written(example))
	if !ok && op.isItem() {
		r.body = c.readAs(r.path, r.mediaType)
		ok = r.body != ""
	}
	if ok {
		r.valid, r.exactly = c.worth(op, r)
	}
	return r, ok
}

// readAs returns what a Get answers at a path in a media type, "" for nothing: where a body has no example it
// is one.
func (c *conformity) readAs(path, mediaType string) string {
	get, ok := c.document.find(http.MethodGet, path)
	if !ok || !slices.Contains(get.formats(), mediaType) {
		return ""
	}
	asking := request{method: http.MethodGet, path: path, header: c.caller.header}
	answer := asking.asking("header", "Accept", mediaType).send(c.t.Context(), c.handler)
	if answer.Code != http.StatusOK {
		return ""
	}
	return answer.Body.String()
}

// worth returns whether a body is valid by the document, and whether keywords say all of it.
func (c *conformity) worth(op operation, r request) (valid, exactly bool) {
	valid, err := c.document.valid(op.bodySchema(r.mediaType), []byte(r.body))
	if err != nil {
		c.t.Fatalf("openapitest: %v", err)
	}
	content, _ := c.document.resolve(op.object["requestBody"])["content"].(object)
	media, _ := content[r.mediaType].(object)
	return valid, c.document.exact(media["schema"]) && !isLoose(r.body)
}

// exemplary returns the path with the examples of its variables.
func (c *conformity) exemplary(op operation) string {
	path := op.path
	for _, p := range op.parameters() {
		if p.in == "path" {
			path = strings.ReplaceAll(path, "{"+p.name+"}", url.PathEscape(p.text(p.object["example"])))
		}
	}
	return path
}

// restore sees to it that there is a record for an operation on one, and gives the
// request its path. It reports whether the document says how.
func (c *conformity) restore(op operation, r *request) bool {
	if r.path != op.path && (!c.changed || c.exists(op, r.path)) {
		c.changed = false
		return true
	}
	creator, body, ok := c.creator(op)
	if !ok {
		return false
	}
	made := c.make(creator, string(written(body)))
	if path := made.Header().Get("Location"); path != "" {
		r.path = c.under(op, path)
		return true
	}
	return false
}

// creator returns the operation that makes the records of another one, and an example of
// its body.
func (c *conformity) creator(op operation) (operation, any, bool) {
	for _, creator := range c.document.operations() {
		if creator.method != "post" || creator.isItem() || creator.body() == "" || !strings.HasPrefix(op.path, creator.path+"/") {
			continue
		}
		if example, ok := creator.example(); ok {
			return creator, example, true
		}
	}
	return operation{}, nil, false
}

// create sends a body to an operation that creates.
func (o operation) create(c *conformity, body string, as caller) *httptest.ResponseRecorder {
	return request{method: http.MethodPost, path: o.path, header: as.header, mediaType: o.body(), body: body}.send(c.t.Context(), c.handler)
}

// exists reports whether the record of a path is there for one of the callers; where nobody can
// ask, it is taken to be.
func (c *conformity) exists(op operation, path string) bool {
	item, _ := c.document.root["paths"].(object)[op.path].(object)
	if item["get"] == nil {
		return true
	}
	for _, as := range append([]caller{c.caller}, c.callers...) {
		if (request{method: http.MethodGet, path: path, header: as.header}).send(c.t.Context(), c.handler).Code == http.StatusOK {
			return true
		}
	}
	return false
}

// under returns the path of an operation on the record at an address.
func (c *conformity) under(op operation, address string) string {
	have, want := strings.Split(address, "/"), strings.Split(op.path, "/")
	for i := range want {
		if strings.HasPrefix(want[i], "{") && i < len(have) {
			want[i] = have[i]
		}
	}
	return strings.Join(want, "/")
}
