package openapitest

import (
	"bytes"
	"encoding/json"
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

// failure is the shortest request that shows something.
type failure struct {
	text string
	size int
}

// fail notes what a request shows. Of each sort the shortest is kept.
func (c *conformity) fail(op operation, sort string, r request, w *httptest.ResponseRecorder) {
	body := shortened(w.Body.String())
	if w.Code >= http.StatusInternalServerError && c.reason != "" {
		body += "\n\tbecause " + shortened(c.reason)
	}
	command := r.curl()
	found := failure{op.name() + " " + sort + c.caller.as() + ":\n\t" + command + "\n\tanswers " + strconv.Itoa(w.Code) + " " + body, len(command)}
	key := op.name() + sort
	if known, ok := c.failures[key]; !ok || found.size < known.size {
		c.failures[key] = found
	}
}

// report fails the test with what was found.
func (c *conformity) report() {
	c.t.Helper()
	for _, key := range slices.Sorted(maps.Keys(c.failures)) {
		c.t.Errorf("%s", c.failures[key].text)
	}
}

// judge compares an answer with the document.
func (c *conformity) judge(op operation, r request, w *httptest.ResponseRecorder) {
	c.t.Helper()
	switch refused := w.Code >= http.StatusBadRequest; {
	case w.Code >= http.StatusInternalServerError:
		c.fail(op, "fails", r, w)
		return
	case !r.valid && !refused:
		c.fail(op, "accepts what the document calls invalid", r, w)
	case r.valid && r.exactly && refused && !isOfState(w.Code) && !c.isRight(op, w.Code):
		c.fail(op, "refuses what the document calls valid", r, w)
	}
	c.judgeRights(op, r, w)
	c.judgeAnswer(op, r, w)
}

// isOfState reports whether a refusal is one for what is kept, and not for the request.
func isOfState(status int) bool {
	return status == http.StatusConflict || status == http.StatusNotFound || status == http.StatusPreconditionFailed
}

// tellsStatus reports whether a problem says the status that it has, if it says any.
func tellsStatus(w *httptest.ResponseRecorder) bool {
	var told struct {
		Status *int `json:"status"`
	}
	return json.Unmarshal(w.Body.Bytes(), &told) != nil || told.Status == nil || *told.Status == w.Code
}

// judgeAnswer compares the status, the media type and the body. What default stands for is a
// refusal in the body that it has.
func (c *conformity) judgeAnswer(op operation, r request, w *httptest.ResponseRecorder) {
	status := strconv.Itoa(w.Code)
	responses, _ := op.object["responses"].(object)
	if responses[status] == nil {
		status = "default"
		if w.Code < http.StatusBadRequest || !tellsStatus(w) {
			status = "" // default stands for refusals that tell which they are
		}
	}
	if responses[status] == nil {
		c.fail(op, "answers with a status that is not documented", r, w)
		return
	}
	response := c.document.resolve(responses[status])
	c.judgeFields(op, response, r, w)
	content, _ := response["content"].(object)
	mediaType, _, _ := mime.ParseMediaType(w.Header().Get("Content-Type"))
	switch {
	case len(content) == 0:
		if w.Body.Len() > 0 {
			c.fail(op, "answers with a body that is not documented", r, w)
		}
		return
	case content[mediaType] == nil && w.Code >= http.StatusBadRequest && r.header.Get("Accept") == mediaType && slices.Contains(op.formats(), mediaType):
		return // a format may tell refusals in its own way, which documents need not say
	case content[mediaType] == nil:
		c.fail(op, "answers with a media type that is not documented", r, w)
		return
	}
	value, mediaType, isWell := decoded(mediaType, w.Body.Bytes())
	if !isWell {
		c.fail(op, "answers with a body that is not of its media type", r, w)
	}
	if value == nil || !isWell || content[mediaType] == nil {
		return
	}
	key := answerKey{op.method, op.path, status, mediaType}
	where, met := c.document.answers[key]
	if !met {
		where = c.document.through(responses[status], op.at("responses", status), "content", mediaType, "schema")
		c.document.answers[key] = where
	}
	if !c.isValid(where, value) {
		c.fail(op, "answers with a body that breaks its schema", r, w)
	}
	if mediaType == format.JSON && w.Code < http.StatusMultipleChoices {
		body, _ := parsed(string(value))
		if name := c.undocumented(in(content, mediaType)["schema"], body); name != "" {
			c.fail(op, "answers with a field that is not documented, "+name, r, w)
		}
	}
}

// What an answer may cost.
const (
	allowance    = 128 << 10 // bytes that any answer may have
	refusalRatio = 4         // bytes of a refusal for one of its request
	answerRatio  = 64        // bytes of another answer for one of the largest request that was taken
	listRatio    = 16        // the same of a collection, for one of all requests that were taken
)

// metered counts what is sent to a handler, and measures how long it takes.
func (c *conformity) metered(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size, began := sizeOf(r), c.now()
		handler.ServeHTTP(w, r)
		c.took = c.now().Sub(began)
		if answer, ok := w.(*httptest.ResponseRecorder); ok && answer.Code < http.StatusMultipleChoices {
			c.bytes, c.largest = c.bytes+size, max(c.largest, size) // what was refused is not kept
		}
	})
}

// sizeOf is how many bytes of a request a service may repeat.
func sizeOf(r *http.Request) int {
	size := len(r.URL.RequestURI())
	for _, values := range r.Header {
		for _, value := range values {
			size += len(value)
		}
	}
	return size + int(max(r.ContentLength, 0))
}

// measure compares what an answer costs with what was sent.
func (c *conformity) measure(op operation, r request, w *httptest.ResponseRecorder) {
	most := allowance + max(answerRatio*c.largest, listRatio*c.bytes)
	if op.isItem() || op.method != "get" {
		most = allowance + answerRatio*c.largest
	}
	if w.Code >= http.StatusBadRequest {
		most = allowance + refusalRatio*(len(r.body)+len(r.path)+len(r.query.Encode()))
	}
	if w.Body.Len() > most && !isWhole(w) {
		c.fail(op, "answers with more bytes than its request is worth", r, w)
	}
	if c.took > c.limit {
		c.fail(op, "takes longer than "+c.limit.String(), r, w)
	}
}

// isWhole reports whether an answer is in a format that has no pages: what was there before is in it, too.
func isWhole(w *httptest.ResponseRecorder) bool {
	mediaType, _, _ := mime.ParseMediaType(w.Header().Get("Content-Type"))
	return w.Code < http.StatusBadRequest && (mediaType == "application/x-ndjson" || mediaType == "text/csv")
}

// judgeEffect checks that a success did what it reports: that a deleted record does not exist, and that
// a list has what was added to it and lacks what was removed.
func (c *conformity) judgeEffect(op operation, r request, w *httptest.ResponseRecorder) {
	declared := c.declared[op.key()]
	if w.Code >= http.StatusMultipleChoices || declared == nil || !declared.Item || declared.Custom || declared.Relationship != nil {
		return
	}
	get := declared.Resource.Get()
	if get == nil {
		return
	}
	path := get.Template.Expand(func(name string) string { return unescaped(declared.Template.Variable(r.path, name)) })
	if _, ok := c.document.find(http.MethodGet, path); !ok {
		return
	}
	switch {
	case declared.Membership != nil:
		c.judgeMembership(op, declared, path, r, w)
	case declared.Kind == kinds.KindDelete && !declared.Hooked && c.isThere(path, c.everyCaller()...): // a Processor may keep it
		c.fail(op, "succeeds, and the next Get still returns the record", r, w)
	}
}

// judgeMembership looks for what an operation has added or removed in the list of its record.
func (c *conformity) judgeMembership(op operation, declared *compiled.Operation, path string, r request, w *httptest.ResponseRecorder) {
	m := declared.Membership
	read := c.get(c.caller, path, "")
	body, _ := parsed(read.Body.String())
	node, _ := body.(object)
	list, ok := node[m.Field.Name].([]any)
	if read.Code != http.StatusOK || !ok {
		return // the caller does not see it
	}
	want := unescaped(declared.Template.Variable(r.path, m.Variable))
	has := slices.ContainsFunc(list, func(each any) bool {
		text := parameter{}.text(each)
		return text == want || c.identifierIn(text) == want
	})
	if has != (declared.Kind == kinds.KindPut) {
		c.fail(op, "succeeds, and the list of its record is as it was", r, w)
	}
}

// judgeEmptyList checks that a collection has the records that there are.
func (c *conformity) judgeEmptyList(op operation, r request, w *httptest.ResponseRecorder) {
	declared := c.declared[op.key()]
	if declared == nil || declared.Kind != kinds.KindGetCollection || declared.Custom || len(declared.Parents) > 0 || len(r.query) > 0 {
		return
	}
	item := declared.Resource.Item
	if !isEmptyList(w) || item == nil || readRule(item) != readRule(declared) {
		return
	}
	record := c.anyRecord(declared.Resource)
	if record == nil || !c.isThere(c.addressOf(record), c.caller) {
		return
	}
	if again := r.send(c.t.Context(), c.handler); isEmptyList(again) {
		c.fail(op, "returns no records, although there is one", r, again)
	}
}

func isEmptyList(w *httptest.ResponseRecorder) bool {
	body, _ := parsed(w.Body.String())
	list, ok := body.([]any)
	return ok && len(list) == 0 && w.Code == http.StatusOK
}

// readRule returns the name of the rule of what an operation reads, "" for none.
func readRule(op *compiled.Operation) string {
	if op.Gate == nil || op.Gate.Read == nil {
		return ""
	}
	return op.Gate.Read.Name
}

// readBack compares the answer to a write with the next Get of its record, where the
// document has both of one schema.
func (c *conformity) readBack(op operation, r request, w *httptest.ResponseRecorder) {
	if op.method == "get" || op.method == "delete" || w.Code >= http.StatusMultipleChoices || len(r.query) > 0 {
		return
	}
	path := w.Header().Get("Location")
	if op.isItem() && path == "" {
		path = r.path
	}
	get, ok := c.document.find(http.MethodGet, path)
	if !ok || path == "" || !get.isItem() || get.answers("200") != op.answers(strconv.Itoa(w.Code)) || get.answers("200") == "" {
		return
	}
	read := request{method: http.MethodGet, path: path, header: c.caller.header}
	if accepted := r.header.Get("Accept"); accepted != "" {
		read = read.asking("header", "Accept", accepted) // what is compared is of one format
	}
	next := read.send(c.t.Context(), c.handler)
	c.measure(get, read, next)
	if next.Code != http.StatusOK {
		isHidden := get.tells(http.StatusUnauthorized) || get.tells(http.StatusForbidden) // who may write need not see
		if next.Code >= http.StatusInternalServerError || next.Code == http.StatusNotFound && !isHidden {
			c.fail(op, "saves what the next Get does not answer", r, next)
		}
		return
	}
	tag, nextTag := w.Header().Get("ETag"), next.Header().Get("ETag")
	isSame := sameJSON(w.Body.Bytes(), next.Body.Bytes())
	if isSame && (tag == "" || tag == nextTag) {
		return
	}
	again := read.send(c.t.Context(), c.handler)
	if !bytes.Equal(again.Body.Bytes(), next.Body.Bytes()) {
		return // it changes by itself
	}
	if !isSame {
		c.fail(op, "answers otherwise than the next Get", r, w)
	} else {
		c.fail(op, "answers with an ETag that is not that of the next Get", r, w)
	}
}

// answers returns the reference to the schema of an answer's JSON body, "" for none.
func (o operation) answers(status string) string {
	response := o.document.resolve(in(o.object, "responses")[status])
	reference, _ := in(in(in(response, "content"), "application/json"), "schema")["$ref"].(string)
	return reference
}

func sameJSON(a, b []byte) bool {
	one, isJSON := parsed(string(a))
	other, isToo := parsed(string(b))
	return bytes.Equal(bytes.TrimSpace(a), bytes.TrimSpace(b)) || isJSON && isToo && reflect.DeepEqual(one, other)
}

// undocumented returns the path of a field that a value has and its schema does not list, "" for none.
// Schemas of responses let new fields pass, because clients have to; a test does not.
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
