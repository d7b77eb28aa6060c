package openapitest

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
)

// request is one request that is sent.
type request struct {
	method, path string // the path with its variables
	query        url.Values
	header       http.Header
	body         string
	mediaType    string // of the body; "" for none

	valid   bool // by the document
	exactly bool // the document says all of what is valid
}

// with returns the request with another body.
func (r request) with(body string, valid, exactly bool) request {
	r.body, r.valid, r.exactly = body, valid, exactly
	return r
}

// asking returns the request with one more parameter.
func (r request) asking(where, name, text string) request {
	if where == "header" {
		if r.header = r.header.Clone(); r.header == nil {
			r.header = http.Header{}
		}
		r.header.Set(name, text)
		return r
	}
	query := url.Values{name: {text}}
	for other, values := range r.query {
		if other != name {
			query[other] = values
		}
	}
	r.query = query
	return r
}

// send sends the request to a handler.
func (r request) send(ctx context.Context, handler http.Handler) *httptest.ResponseRecorder {
	target := r.path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	sent := httptest.NewRequestWithContext(ctx, r.method, target, strings.NewReader(r.body))
	maps.Copy(sent.Header, r.header)
	if r.mediaType != "" {
		sent.Header.Set("Content-Type", r.mediaType)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, sent)
	return w
}

// maxShown is how much of a body a command shows.
const maxShown = 500

// shortened returns the beginning of a long text.
func shortened(text string) string {
	if len(text) > maxShown {
		return text[:maxShown] + "…"
	}
	return text
}

// curl writes the request as a command.
func (r request) curl() string {
	quote := func(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
	target := "http://localhost" + r.path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	command := "curl -X " + r.method + " " + quote(target)
	for _, name := range slices.Sorted(maps.Keys(r.header)) {
		command = strings.Join([]string{command, "-H", quote(name + ": " + strings.Join(r.header[name], ", "))}, " ")
	}
	if r.mediaType != "" {
		command += " -H " + quote("Content-Type: "+r.mediaType)
	}
	if r.body != "" {
		command += " -d " + quote(shortened(r.body))
	}
	return command
}

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

// readAs returns what a Get answers at a path in a media type, "" for nothing: where a body has no example it
// is one.
func (c *conformity) readAs(path, mediaType string) string {
	get, ok := c.document.find(http.MethodGet, path)
	if !ok || !slices.Contains(get.formats(), mediaType) {
		return ""
	}
	if answer := c.get(c.caller, path, mediaType); answer.Code == http.StatusOK {
		return answer.Body.String()
	}
	return ""
}

// get returns what a caller gets at a path, in a media type unless that is "".
func (c *conformity) get(as caller, path, mediaType string) *httptest.ResponseRecorder {
	r := request{method: http.MethodGet, path: path, header: as.header}
	if mediaType != "" {
		r = r.asking("header", "Accept", mediaType)
	}
	return r.send(c.t.Context(), c.handler)
}

// worth returns whether a body is valid by the document, and whether keywords say all of it.
func (c *conformity) worth(op operation, r request) (valid, exactly bool) {
	return c.isValid(op.bodySchema(r.mediaType), []byte(r.body)), c.document.exact(op.schemaOf(r.mediaType)) && !isLoose(r.body)
}

// isValid reports whether a JSON text follows the schema at a pointer.
func (c *conformity) isValid(pointer string, text []byte) bool {
	valid, err := c.document.valid(pointer, text)
	if err != nil {
		c.t.Fatalf("openapitest: %v", err)
	}
	return valid
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
	return item["get"] == nil || c.isThere(path, c.everyCaller()...)
}

// createMinimal creates a record with no more than the required fields.
func (c *conformity) createMinimal(op operation, base request) {
	if declared := c.declared[op.key()]; declared == nil || !declared.Creates {
		return
	}
	if body, ok := c.minimal(op); ok {
		base.body = body
		base.valid, base.exactly = c.worth(op, base)
		c.try(op, base)
	}
}

// afterMinimal changes records that were created with no more than the required fields, because
// what was left out must not prevent it. The document calls a patch without fields valid, and one of
// its example.
func (c *conformity) afterMinimal(op operation, base request) {
	declared := c.declared[op.key()]
	if declared == nil || !declared.Item || op.method != "patch" && op.method != "put" {
		return
	}
	for _, creator := range c.creators(declared.Resource) {
		body, ok := c.minimal(creator)
		if !ok {
			continue
		}
		r := base
		for _, text := range []string{"{}", base.body} {
			record := c.create(creator, body)
			if record == nil {
				break
			}
			path, ok := c.pathOf(op, record)
			if !ok {
				break
			}
			r.path, r.body = path, text
			r.valid, r.exactly = c.worth(op, r)
			c.send(op, r)
		}
		c.changed = true
		return
	}
}

// lastResort tries an operation that no caller has succeeded with on the records that exist: a record that Conform
// creates is often nobody's, and each caller may change only their own. Bodies leave them as they are.
func (c *conformity) lastResort(op operation) {
	declared := c.declared[op.key()]
	if of := c.covered[op.name()]; declared == nil || !declared.Item || of != nil && of.succeeded {
		return
	}
	for _, c.caller = range c.orNobody() {
		for _, record := range c.listed(declared.Resource) {
			path, ok := c.pathOf(op, record)
			if !ok {
				continue
			}
			if declared.Membership != nil && op.method == "delete" {
				c.enter(declared.Path(), path)
			}
			for _, r := range c.harmless(op, path) {
				c.sent = 0
				if answer := c.send(op, r); answer.Code < http.StatusBadRequest {
					return
				}
			}
		}
	}
}

// harmless lists requests of an operation on a record that leave it as it is, as far as that can be.
func (c *conformity) harmless(op operation, path string) []request {
	r := c.plainRequest(op)
	maps.Copy(r.header, c.caller.header)
	r.path, r.mediaType = path, op.body()
	if r.mediaType == "" {
		return []request{r}
	}
	var all []request
	for _, body := range []string{c.own(op, r), "{}"} {
		r.body = body
		if r.valid, r.exactly = c.worth(op, r); r.valid {
			all = append(all, r)
		}
	}
	if example, ok := c.exampleOf(op); ok && len(all) == 0 {
		all = append(all, r.with(string(written(example)), true, false))
	}
	return all
}

// own returns what the caller reads of a record, without the fields that the operation does not take.
func (c *conformity) own(op operation, r request) string {
	text := c.readAs(r.path, r.mediaType)
	body, _ := parsed(text)
	properties := in(c.document.resolve(op.schemaOf(r.mediaType)), "properties")
	node, ok := body.(object)
	if !ok || properties == nil {
		return text
	}
	maps.DeleteFunc(node, func(name string, _ any) bool { return properties[name] == nil })
	return string(written(node))
}

// listed returns records that the caller sees in the collection of a resource.
func (c *conformity) listed(of *compiled.Resource) []*kept {
	if of.Collection == nil || len(of.Collection.Template.Variables()) > 0 {
		return nil
	}
	body, _ := parsed(c.get(c.caller, of.Collection.Path(), "application/json").Body.String())
	list, _ := body.([]any)
	var all []*kept
	for _, each := range list {
		record := &kept{of, map[string]string{}}
		node, _ := each.(object)
		if c.readVariables(record, node); record.text() != "" {
			all = append(all, record)
		}
	}
	return all
}
