package openapitest

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
)

// request is a request to the API.
type request struct {
	method, path string // with the values of its variables
	query        url.Values
	header       http.Header
	body         string
	mediaType    string // of the body; "" for none

	valid   bool // the document permits it
	exactly bool // valid considers all rules: the API must accept a valid request
}

// with returns the request with another body.
func (r request) with(body string, valid, exactly bool) request {
	r.body, r.valid, r.exactly = body, valid, exactly
	return r
}

// as returns the request with the credentials of a caller.
func (r request) as(c caller) request {
	if r.header = r.header.Clone(); r.header == nil {
		r.header = http.Header{}
	}
	maps.Copy(r.header, c.header)
	return r
}

// withParameter returns the request with one more header or query parameter.
func (r request) withParameter(where, name, text string) request {
	if where == "header" {
		return r.as(caller{header: http.Header{http.CanonicalHeaderKey(name): {text}}})
	}
	query := url.Values{}
	maps.Copy(query, r.query)
	query.Set(name, text)
	r.query = query
	return r
}

// target returns the path with the query.
func (r request) target() string {
	if len(r.query) > 0 {
		return r.path + "?" + r.query.Encode()
	}
	return r.path
}

// deliver sends a request to the API, measures how long it takes, and counts the bytes that the API accepts. Each
// request has its own client address, so that limits for a client do not reject it.
func (c *conformity) deliver(r request) *httptest.ResponseRecorder {
	sent := httptest.NewRequestWithContext(c.t.Context(), r.method, r.target(), strings.NewReader(r.body))
	maps.Copy(sent.Header, r.header)
	if r.mediaType != "" {
		sent.Header.Set("Content-Type", r.mediaType)
	}
	c.clients++
	sent.RemoteAddr = fmt.Sprintf("198.18.%d.%d:1234", c.clients>>8&0xff, c.clients&0xff) // for tests (RFC 2544)
	size, began, w := sizeOf(sent), time.Now(), httptest.NewRecorder()
	c.handler.ServeHTTP(w, sent)
	c.took = time.Since(began)
	if w.Code < http.StatusMultipleChoices {
		c.bytes, c.largest = c.bytes+size, max(c.largest, size) // rejected requests store nothing
	}
	return w
}

// maxShown is how many bytes of a body a failure shows.
const maxShown = 500

// shortened returns the beginning of a long string.
func shortened(text string) string {
	if len(text) > maxShown {
		return text[:maxShown] + "…"
	}
	return text
}

// curl returns the request as a curl command.
func (r request) curl() string {
	quote := func(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
	command := "curl -X " + r.method + " " + quote("http://localhost"+r.target())
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

// plainRequest returns an anonymous request to an operation, without a body.
func (c *conformity) plainRequest(op *operation) request {
	r := request{method: strings.ToUpper(op.method), path: op.path, valid: true, exactly: true}
	for _, p := range op.parameters() {
		if isRequired(p.object) && p.in != "path" {
			r = r.withParameter(p.in, p.name, p.text(p.object["example"]))
		}
	}
	return r
}

// base returns a request to an operation with the examples of its path and body. It reports whether there is one.
func (c *conformity) base(op *operation) (request, bool) {
	r := c.plainRequest(op).as(c.caller)
	if op.isItem() && !c.restore(op, &r) {
		r.path = op.examplePath(0)
	}
	if r.mediaType = op.body(); r.mediaType == "" {
		return r, true
	}
	example, ok := c.exampleOf(op)
	if !ok {
		return r, false
	}
	return c.withBody(op, r, string(toJSON(example))), true
}

// readAs returns the response body of a Get in a media type, "" if it fails. It replaces missing examples.
func (c *conformity) readAs(path, mediaType string) string {
	get := c.document.find(http.MethodGet, path)
	if get == nil || !slices.Contains(get.formats(), mediaType) {
		return ""
	}
	if response := c.get(c.caller, path, mediaType); response.Code == http.StatusOK {
		return response.Body.String()
	}
	return ""
}

// get returns the response to a Get by a caller. With mediaType "", it accepts the default format.
func (c *conformity) get(as caller, path, mediaType string) *httptest.ResponseRecorder {
	r := request{method: http.MethodGet, path: path, header: as.header}
	if mediaType != "" {
		r = r.withParameter("header", "Accept", mediaType)
	}
	return c.serve(r)
}

// withBody returns the request with another body, valid if the document permits it, and exactly so if its schema
// expresses all rules that apply to it.
func (c *conformity) withBody(op *operation, r request, text string) request {
	body, _ := parseJSON(text)
	schema := c.document.resolve(op.schemaOf(r.mediaType))
	if patch, ok := body.(object); ok && op.method == "patch" && schema["format"] == describe.FormatConditions && !c.concerns(op, patch) {
		schema = maps.Clone(schema)
		delete(schema, "format")
	}
	return r.with(text, c.isValid(op.schemaOf(r.mediaType), []byte(text)), c.document.expresses(schema, body) && !isLoose(text))
}

// concerns reports whether a patch has a field that a rule about several fields is about.
func (c *conformity) concerns(op *operation, patch object) bool {
	declared := op.declared
	if declared.In == nil || declared.In.Type.StructIn() == nil {
		return len(patch) > 0
	}
	fields, isWhole := describe.Conditional(declared.API, declared.In.Type.StructIn())
	return isWhole && len(patch) > 0 || slices.ContainsFunc(fields, func(name string) bool { _, has := patch[name]; return has })
}

// examplePath returns the path with the n-th variants of the examples of its variables. For 0, those are the examples.
func (o *operation) examplePath(n int) string {
	path := o.path
	for _, p := range o.parameters() {
		if p.in == "path" {
			text := variedText(p.text(p.object["example"]), n)
			path = strings.ReplaceAll(path, "{"+p.name+"}", url.PathEscape(text))
		}
	}
	return path
}

// restore creates the record of an operation's path if it does not exist, and sets the path of the request. It reports
// whether there is such a record.
func (c *conformity) restore(op *operation, r *request) bool {
	if r.path != op.path && (!c.changed || c.exists(r.path, c.everyCaller()...)) {
		c.changed = false
		return true
	}
	path, ok := c.pathToRecords(op)
	if ok {
		r.path = path
		c.fillList(op, path)
	}
	return ok
}

// fillList adds the item that a Delete removes to its list.
func (c *conformity) fillList(op *operation, path string) {
	if c.document.find(http.MethodPut, path) == nil || op.method != "delete" || op.declared.Deletes() || op.declared.Custom {
		return
	}
	for _, as := range c.everyCaller() {
		c.serve(request{method: http.MethodPut, path: path, header: as.header})
	}
}

// updateMinimal updates records that were created with only the required fields, because missing optional fields must
// not prevent an update. It sends an empty patch and the example.
func (c *conformity) updateMinimal(op *operation, base request) {
	if !op.declared.Item || op.method != "patch" && op.method != "put" {
		return
	}
	for _, creator := range c.creators(op.declared.Resource) {
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
			r.path = path
			c.send(op, c.withBody(op, r, text))
		}
		c.changed = true
		return
	}
}

// tryExistingRecords tries an operation that never succeeded on existing records, with bodies that change nothing. A caller may
// have permission to change only their own records, and those that Conform creates often have no owner.
func (c *conformity) tryExistingRecords(op *operation) {
	if op.succeeded || !op.declared.Item {
		return
	}
	for _, c.caller = range c.callersOf(op) {
		for _, record := range c.listed(op.declared.Resource) {
			path, ok := c.pathOf(op, record)
			if !ok {
				continue
			}
			c.fillList(op, path)
			for _, r := range c.unchangedRequests(op, path) {
				c.sent = 0
				if response := c.send(op, r); response.Code < http.StatusBadRequest {
					return
				}
			}
		}
	}
}

// unchangedRequests lists requests to an operation that leave its record unchanged, as far as possible.
func (c *conformity) unchangedRequests(op *operation, path string) []request {
	r := c.plainRequest(op).as(c.caller)
	r.path, r.mediaType = path, op.body()
	if r.mediaType == "" {
		return []request{r}
	}
	var all []request
	for _, body := range []string{c.writable(op, r), "{}"} {
		if r = c.withBody(op, r, body); r.valid {
			all = append(all, r)
		}
	}
	if example, ok := c.exampleOf(op); ok && len(all) == 0 {
		all = append(all, r.with(string(toJSON(example)), true, false))
	}
	return all
}

// writable returns a record as the caller reads it, without the fields that the operation does not accept.
func (c *conformity) writable(op *operation, r request) string {
	text := c.readAs(r.path, r.mediaType)
	properties := in(c.document.resolve(op.schemaOf(r.mediaType)), "properties")
	node := parseObject(text)
	if node == nil || properties == nil {
		return text
	}
	maps.DeleteFunc(node, func(name string, _ any) bool { return properties[name] == nil })
	return string(toJSON(node))
}

// listed returns the records that the caller sees in the collection of a resource.
func (c *conformity) listed(of *compiled.Resource) []*storedRecord {
	if of.Collection == nil || len(of.Collection.Template.Variables()) > 0 {
		return nil
	}
	body, _ := parseJSON(c.get(c.caller, of.Collection.Path(), "application/json").Body.String())
	list, _ := body.([]any)
	var all []*storedRecord
	for _, each := range list {
		record := &storedRecord{of, map[string]string{}}
		body, _ := each.(object)
		if c.readVariables(record, body); record.text() != "" {
			all = append(all, record)
		}
	}
	return all
}
