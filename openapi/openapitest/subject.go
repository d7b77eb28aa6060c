package openapitest

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// plainRequest returns a request of an operation without a body, from no caller.
func (c *conformity) plainRequest(op operation) request {
	r := request{method: strings.ToUpper(op.method), path: op.path, header: http.Header{}, valid: true, exactly: true}
	for _, p := range op.parameters() {
		if isRequired(p.object) && p.in != "path" {
			r = r.asking(p.in, p.name, p.text(p.object["example"]))
		}
	}
	return r
}

// base returns a request of the operation that its examples make, and whether there is
// one.
func (c *conformity) base(op operation) (request, bool) {
	r := c.plainRequest(op)
	maps.Copy(r.header, c.caller.header)
	if op.isItem() && !c.restore(op, &r) {
		r.path = c.exemplary(op)
	}
	if r.mediaType = op.body(); r.mediaType == "" {
		return r, true
	}
	example, ok := c.exampleOf(op)
	r.body = string(written(example))
	if _, isShown := op.example(); !isShown && op.isItem() {
		r.body, ok = c.withoutExample(op, r)
	}
	if ok {
		r.valid, r.exactly = c.worth(op, r)
	}
	return r, ok
}

// withoutExample returns a body for an operation on a record whose document has no example: what a Get
// returns, else the body that creates such a record, else one made of the schema. It reports whether there is one.
func (c *conformity) withoutExample(op operation, r request) (string, bool) {
	r.body = c.readAs(r.path, r.mediaType)
	if valid, _ := c.worth(op, r); valid {
		return r.body, true
	}
	kept := r.body
	if declared := c.declared[op.key()]; declared != nil {
		for _, creator := range c.creators(declared.Resource) {
			example, _ := c.exampleOf(creator)
			r.body = string(written(example))
			if valid, _ := c.worth(op, r); valid {
				return r.body, true
			}
		}
	}
	if example, ok := c.exampleOf(op); ok {
		return string(written(example)), true
	}
	return kept, kept != ""
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

// restore makes sure that the record of an operation's path exists, and gives the request its
// path. It reports whether there is such a record.
func (c *conformity) restore(op operation, r *request) bool {
	if r.path != op.path && (!c.changed || c.exists(op, r.path)) {
		c.changed = false
		return true
	}
	path, ok := c.locate(op)
	if ok {
		r.path = path
		if declared := c.declared[op.key()]; declared.Membership != nil && op.method == "delete" {
			c.enter(declared.Path(), path)
		}
	}
	return ok
}

// enter adds to a list what is about to be removed from it.
func (c *conformity) enter(template, path string) {
	paths, _ := c.document.root["paths"].(object)
	if c.document.resolve(paths[template])["put"] == nil {
		return
	}
	for _, as := range c.everyCaller() {
		request{method: http.MethodPut, path: path, header: as.header}.send(c.t.Context(), c.handler)
	}
}

// exists reports whether the record of a path is there for one of the callers; where nobody can
// ask, it is taken to be.
func (c *conformity) exists(op operation, path string) bool {
	item, _ := c.document.root["paths"].(object)[op.path].(object)
	return item["get"] == nil || c.isThere(path)
}
