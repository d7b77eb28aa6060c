package openapitest

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
)

// What an operation can do wrong, and in the second line what to do about it.
const (
	serverError    = "fails with a server error\nreturn a 4xx for a request that cannot be served, and fix the cause of other errors"
	acceptsInvalid = "accepts a request that the document calls invalid\n" +
		"reject the request with a 4xx, or change the declaration so that the document allows the value"
	rejectsValid = "rejects a request that the document calls valid\n" +
		"declare the rule so that the schema has it, give the field an example that the API accepts, or permit the status with openapitest.Allow"
	servesAnonymous = "serves an anonymous caller, although the document requires credentials\n" +
		"reject callers without credentials, or make the access rule of the operation public"
	missingHeader  = "returns no header that the document requires: \nsend the header with this status, or declare it as optional"
	unknownStatus  = "returns a status that is not documented\nreturn a documented status, or document this one"
	unexpectedBody = "returns a body, although the document describes none\n" +
		"send no body with this status, or document the body"
	unknownMediaType = "returns a media type that is not documented\nsend a documented Content-Type, or document this one"
	malformedBody    = "returns a body that cannot be read as its media type\n" +
		"write the body in the format of its Content-Type, or send another Content-Type"
	schemaMismatch = "returns a body that does not match its schema\n" +
		"check what changes the body after validation, such as MarshalJSON, hooks and middleware, or change the schema"
	unknownField = "returns a field that is not documented: \nremove the field from the response, or declare it"
	tooLarge     = "returns a response that is too large for its request\n" +
		"limit the response, for example with pagination, or repeat less of the request"
	tooSlow            = "takes longer than the limit: \nmake the operation faster, or raise the limit with openapitest.Within"
	deletedStillThere  = "succeeds, but the next Get still returns the record\ndelete the record in the store, or return an error"
	listUnchanged      = "succeeds, but the list of the record did not change\nsave the list in the store, or return an error"
	listIncomplete     = "returns no records, although one exists\nreturn every record that the caller may read"
	savedNotFound      = "succeeds, but the next Get does not return the record\nstore the record before the response is sent, or return an error"
	differsFromGet     = "returns a body that differs from the next Get\nreturn the record as it is stored"
	etagDiffersFromGet = "returns an ETag that differs from the next Get\ncompute the ETag from the record as it is stored"
	otherFormat        = "returns another format than Accept requests\nfollow the Accept header, or remove the format from the API"
)

// naming returns a problem with the name or the limit that it is about.
func naming(problem, name string) string { return strings.Replace(problem, "\n", name+"\n", 1) }

// failure is the shortest request that shows a problem.
type failure struct {
	text string
	size int // of the request, as a command
}

// fail records a problem that a request shows. Of all requests that show it, the shortest is kept. Details are lines of
// the message, each with a label.
func (c *conformity) fail(op *operation, problem string, r request, w *httptest.ResponseRecorder, details ...string) {
	command := r.curl()
	text, fix, _ := strings.Cut(problem, "\n")
	key := op.name() + text
	if known, ok := c.failures[key]; ok && known.size <= len(command) {
		return
	}
	lines := []string{op.name() + " " + text, "request: " + command}
	if c.caller.name != "" {
		lines = append(lines, "caller: "+c.caller.name)
	}
	response := []string{strconv.Itoa(w.Code), w.Header().Get("Content-Type"), shortened(w.Body.String())}
	isEmpty := func(part string) bool { return part == "" }
	lines = append(lines, "response: "+strings.Join(slices.DeleteFunc(response, isEmpty), " "))
	if w.Code >= http.StatusInternalServerError && c.reason != "" {
		lines = append(lines, "cause: "+shortened(c.reason))
	}
	lines = append(lines, details...)
	lines = append(lines, "to fix: "+fix)
	c.failures[key] = failure{strings.Join(lines, "\n\t"), len(command)}
}

// report fails the test once for each recorded problem.
func (c *conformity) report() {
	c.t.Helper()
	for _, key := range slices.Sorted(maps.Keys(c.failures)) {
		c.t.Errorf("%s", c.failures[key].text)
	}
}

// documented writes names as "documented: a, b".
func documented(names object) string {
	return "documented: " + strings.Join(slices.Sorted(maps.Keys(names)), ", ")
}
