package openapitest

import (
	"encoding/json"
	"maps"
	"mime"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"

	"github.com/trove-api/trove/format"
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
	valid, err := c.document.valid(where, value)
	if err != nil {
		c.t.Fatalf("openapitest: %v", err)
	}
	if !valid {
		c.fail(op, "answers with a body that breaks its schema", r, w)
	}
	if mediaType == format.JSON && w.Code < http.StatusMultipleChoices {
		media, _ := content[mediaType].(object)
		body, _ := parsed(string(value))
		if name := c.undocumented(media["schema"], body); name != "" {
			c.fail(op, "answers with a field that is not documented, "+name, r, w)
		}
	}
}
