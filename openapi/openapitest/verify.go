package openapitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	kinds "github.com/trove-api/trove/operation"
)

// verify compares a response with the document.
func (c *conformity) verify(op *operation, r request, w *httptest.ResponseRecorder) {
	c.t.Helper()
	switch rejected := w.Code >= http.StatusBadRequest; {
	case w.Code >= http.StatusInternalServerError:
		c.fail(op, serverError, r, w)
		return
	case !r.valid && !rejected:
		c.fail(op, acceptsInvalid, r, w, c.whyInvalid(op, r)...)
	case r.valid && r.exactly && rejected && !c.isPermitted(op, w.Code):
		c.fail(op, rejectsValid, r, w)
	}
	isOptional := func(needed credentials) bool { return len(needed) == 0 }
	isAnonymous := len(c.callers) > 0 && len(c.caller.header) == 0
	if isAnonymous && w.Code < http.StatusBadRequest && !slices.ContainsFunc(op.security(), isOptional) {
		c.fail(op, servesAnonymous, r, w)
	}
	c.verifyResponse(op, r, w)
}

// whyInvalid lists the parts of a request that do not match their schema.
func (c *conformity) whyInvalid(op *operation, r request) []string {
	var reasons []string
	add := func(label string, schema any, value []byte) {
		if reason := c.mismatch(schema, value); reason != "" {
			reasons = append(reasons, label+": "+reason)
		}
	}
	for _, p := range op.parameters() {
		values := map[string][]string{"query": r.query[p.name], "header": r.header.Values(p.name)}[p.in]
		for _, text := range values {
			if schema := contentOf(p.object); schema != nil {
				add(p.in+" parameter "+p.name, schema, []byte(text))
				continue
			}
			add(p.in+" parameter "+p.name, p.object["schema"], toJSON(p.value(text)))
		}
	}
	if schema := op.schemaOf(r.mediaType); schema != nil {
		add("body", schema, []byte(r.body))
	}
	return reasons
}

// verifyResponse compares the status, the headers, the media type and the body with the document. The default response
// covers errors alone.
func (c *conformity) verifyResponse(op *operation, r request, w *httptest.ResponseRecorder) {
	status := strconv.Itoa(w.Code)
	responses, _ := op.object["responses"].(object)
	if responses[status] == nil && w.Code >= http.StatusBadRequest {
		own, ok := parseObject(w.Body.String())["status"].(json.Number) // of a problem (RFC 9457)
		if !ok || string(own) == status {
			status = "default"
		}
	}
	if responses[status] == nil {
		c.fail(op, unknownStatus, r, w, documented(responses))
		return
	}
	response := c.document.resolve(responses[status])
	headers := in(response, "headers")
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if isRequired(c.document.resolve(headers[name])) && w.Header().Values(name) == nil {
			c.fail(op, naming(missingHeader, name), r, w)
		}
	}
	content, _ := response["content"].(object)
	mediaType, _, _ := mime.ParseMediaType(w.Header().Get("Content-Type"))
	switch {
	case len(content) == 0 && w.Body.Len() > 0:
		c.fail(op, unexpectedBody, r, w)
		return
	case len(content) == 0:
		return
	case content[mediaType] == nil && w.Code >= http.StatusBadRequest && r.header.Get("Accept") == mediaType && slices.Contains(op.formats(), mediaType):
		return // a format may write errors in its own way, which the document need not describe
	case content[mediaType] == nil:
		c.fail(op, unknownMediaType, r, w, documented(content))
		return
	}
	value, mediaType, isWellFormed := decoded(mediaType, w.Body.Bytes())
	switch {
	case !isWellFormed:
		c.fail(op, malformedBody, r, w)
		return
	case value == nil || content[mediaType] == nil:
		return
	}
	schema := in(content, mediaType)["schema"]
	if !c.isValid(schema, value) {
		c.fail(op, schemaMismatch, r, w, "schema: "+c.mismatch(schema, value))
	}
	if mediaType == format.JSON && w.Code < http.StatusMultipleChoices {
		body, _ := parseJSON(string(value))
		if name := c.undocumented(schema, body); name != "" {
			c.fail(op, naming(unknownField, name), r, w)
		}
	}
}

// Limits of the size of a response.
const (
	allowance     = 128 << 10 // bytes that any response may have
	errorRatio    = 4         // more bytes of an error for each byte of its request
	responseRatio = 64        // more bytes of a success for each byte of the largest accepted request
	listRatio     = 16        // more bytes of a collection for each byte of all accepted requests
)

// sizeOf returns how many bytes of a request a service may repeat in a response.
func sizeOf(r *http.Request) int {
	size := len(r.URL.RequestURI())
	for _, values := range r.Header {
		for _, value := range values {
			size += len(value)
		}
	}
	return size + int(max(r.ContentLength, 0))
}

// verifyLimits compares the size of a response, and the time it took, with the limits.
func (c *conformity) verifyLimits(op *operation, r request, w *httptest.ResponseRecorder) {
	most := allowance + max(responseRatio*c.largest, listRatio*c.bytes)
	if op.isItem() || op.method != "get" {
		most = allowance + responseRatio*c.largest
	}
	if w.Code >= http.StatusBadRequest {
		most = allowance + errorRatio*(len(r.body)+len(r.path)+len(r.query.Encode()))
	}
	if w.Body.Len() > most && !isUnpaged(w) {
		c.fail(op, tooLarge, r, w, fmt.Sprintf("size: %d bytes, the limit is %d", w.Body.Len(), most))
	}
	if c.took > c.limit {
		c.fail(op, naming(tooSlow, c.limit.String()), r, w, "time: "+c.took.String())
	}
}

// isUnpaged reports whether a response is in a format without pagination, which returns all records.
func isUnpaged(w *httptest.ResponseRecorder) bool {
	mediaType, _, _ := mime.ParseMediaType(w.Header().Get("Content-Type"))
	return w.Code < http.StatusBadRequest && (mediaType == "application/x-ndjson" || mediaType == "text/csv")
}

// verifyEffect checks that a success had its effect: a deleted record does not exist, and a list contains what was added
// and lacks what was removed.
func (c *conformity) verifyEffect(op *operation, r request, w *httptest.ResponseRecorder) {
	declared := op.declared
	if w.Code >= http.StatusMultipleChoices || !declared.Item || declared.Custom {
		return
	}
	get := declared.Resource.Get()
	if get == nil {
		return
	}
	path := get.Template.Expand(func(name string) string { return unescaped(declared.Template.Variable(r.path, name)) })
	if c.document.find(http.MethodGet, path) == nil {
		return
	}
	switch {
	case declared.Membership != nil:
		c.verifyMembership(op, declared, path, r, w)
	case declared.Kind == kinds.KindDelete && !declared.Hooked && c.canGet(path, c.everyCaller()...): // a Processor may keep it
		c.fail(op, deletedStillThere, r, w)
	}
}

// verifyMembership checks that a Put has added to the list of its record, or that a Delete has removed from it.
func (c *conformity) verifyMembership(op *operation, declared *compiled.Operation, path string, r request, w *httptest.ResponseRecorder) {
	m := declared.Membership
	read := c.get(c.caller, path, "")
	list, ok := parseObject(read.Body.String())[m.Field.Name].([]any)
	if read.Code != http.StatusOK || !ok {
		return // the caller cannot see the list
	}
	want := unescaped(declared.Template.Variable(r.path, m.Variable))
	has := slices.ContainsFunc(list, func(each any) bool {
		text := parameter{}.text(each)
		return text == want || c.identifierIn(text) == want
	})
	if has != (declared.Kind == kinds.KindPut) {
		c.fail(op, listUnchanged, r, w, "next Get: "+shortened(read.Body.String()))
	}
}

// verifyEmptyList checks that a collection is not empty while the caller can get a record of its resource.
func (c *conformity) verifyEmptyList(op *operation, r request, w *httptest.ResponseRecorder) {
	declared := op.declared
	if declared.Kind != kinds.KindGetCollection || declared.Custom || len(declared.Parents) > 0 || len(r.query) > 0 {
		return
	}
	item := declared.Resource.Item
	if !isEmptyList(w) || item == nil || item.ReadRuleName() != declared.ReadRuleName() {
		return
	}
	record := c.anyRecord(declared.Resource)
	if record == nil || !c.canGet(c.itemPath(record), c.caller) {
		return
	}
	if again := c.serve(r); isEmptyList(again) {
		c.fail(op, listIncomplete, r, again)
	}
}

func isEmptyList(w *httptest.ResponseRecorder) bool {
	body, _ := parseJSON(w.Body.String())
	list, ok := body.([]any)
	return ok && len(list) == 0 && w.Code == http.StatusOK
}

// readBack compares the response to a write with the next Get of its record, if the document gives both the same
// schema.
func (c *conformity) readBack(op *operation, r request, w *httptest.ResponseRecorder) {
	if op.method == "get" || op.method == "delete" || w.Code >= http.StatusMultipleChoices || len(r.query) > 0 {
		return
	}
	path := w.Header().Get("Location")
	if op.isItem() && path == "" {
		path = r.path
	}
	get := c.document.find(http.MethodGet, path)
	if get == nil || path == "" || !get.isItem() || get.responseSchema("200") != op.responseSchema(strconv.Itoa(w.Code)) || get.responseSchema("200") == "" {
		return
	}
	read := request{method: http.MethodGet, path: path, header: c.caller.header}
	if accepted := r.header.Get("Accept"); accepted != "" {
		read = read.withParameter("header", "Accept", accepted) // compare bodies of one format
	}
	next := c.serve(read)
	c.verifyLimits(get, read, next)
	if next.Code != http.StatusOK {
		isHidden := get.documents(http.StatusUnauthorized) || get.documents(http.StatusForbidden) // a writer need not be a reader
		if next.Code >= http.StatusInternalServerError || next.Code == http.StatusNotFound && !isHidden {
			c.fail(op, savedNotFound, r, next)
		}
		return
	}
	tag, nextTag := w.Header().Get("ETag"), next.Header().Get("ETag")
	isSame := sameJSON(w.Body.Bytes(), next.Body.Bytes())
	if isSame && (tag == "" || tag == nextTag) {
		return
	}
	again := c.serve(read)
	if !bytes.Equal(again.Body.Bytes(), next.Body.Bytes()) {
		return // the record changes by itself
	}
	if !isSame {
		c.fail(op, differsFromGet, r, w, "next Get: "+shortened(next.Body.String()))
	} else {
		c.fail(op, etagDiffersFromGet, r, w, "ETag: "+tag+", next Get: "+nextTag)
	}
}

// responseSchema returns the reference to the schema of a response's JSON body, "" for none.
func (o *operation) responseSchema(status string) string {
	response := o.document.resolve(in(o.object, "responses")[status])
	reference, _ := in(in(in(response, "content"), "application/json"), "schema")["$ref"].(string)
	return reference
}

func sameJSON(a, b []byte) bool {
	one, isJSON := parseJSON(string(a))
	other, isToo := parseJSON(string(b))
	return bytes.Equal(bytes.TrimSpace(a), bytes.TrimSpace(b)) || isJSON && isToo && reflect.DeepEqual(one, other)
}

// undocumented returns the path of a field that a value has and its schema does not list, "" for none. Response schemas
// permit new fields, because clients have to ignore them; a test does not.
func (c *conformity) undocumented(schema, value any) string {
	s := c.alternatives(c.document.resolve(schema))
	switch node := value.(type) {
	case []any:
		for _, each := range node {
			if found := c.undocumented(s["items"], each); found != "" {
				return "[]." + found
			}
		}
	case object:
		properties, _ := s["properties"].(object)
		isOpen := properties == nil || s["additionalProperties"] != nil || s["allOf"] != nil || s["oneOf"] != nil
		for _, name := range slices.Sorted(maps.Keys(node)) {
			if properties[name] == nil {
				if isOpen {
					continue
				}
				return name
			}
			if found := c.undocumented(properties[name], node[name]); found != "" {
				return name + "." + found
			}
		}
	}
	return ""
}
