package openapitest

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
)

// What an operation can do wrong. What follows ": " is a name or a limit.
const (
	serverError        = "fails with a server error"
	acceptsInvalid     = "accepts a request that the document calls invalid"
	rejectsValid       = "rejects a request that the document calls valid"
	servesAnonymous    = "serves an anonymous caller, although the document requires credentials"
	missingHeader      = "returns no header that the document requires: "
	unknownStatus      = "returns a status that is not documented"
	unexpectedBody     = "returns a body, although the document describes none"
	unknownMediaType   = "returns a media type that is not documented"
	malformedBody      = "returns a body that cannot be read as its media type"
	schemaMismatch     = "returns a body that does not match its schema"
	unknownField       = "returns a field that is not documented: "
	tooLarge           = "returns a response that is too large for its request"
	tooSlow            = "takes longer than the limit: "
	deletedStillThere  = "succeeds, but the next Get still returns the record"
	listUnchanged      = "succeeds, but the list of the record did not change"
	listIncomplete     = "returns no records, although one exists"
	savedNotFound      = "succeeds, but the next Get does not return the record"
	differsFromGet     = "returns a body that differs from the next Get"
	etagDiffersFromGet = "returns an ETag that differs from the next Get"
	otherFormat        = "returns another format than Accept requests"
)

// fixes says what to do about each of them.
var fixes = map[string]string{
	serverError:        "return a 4xx for a request that cannot be served, and fix the cause of other errors",
	acceptsInvalid:     "reject the request with a 4xx, or change the declaration so that the document allows the value",
	rejectsValid:       "declare the rule so that the schema has it, give the field an example that the API accepts, or permit the status with openapitest.Allow",
	servesAnonymous:    "reject callers without credentials, or make the access rule of the operation public",
	missingHeader:      "send the header with this status, or declare it as optional",
	unknownStatus:      "return a documented status, or document this one",
	unexpectedBody:     "send no body with this status, or document the body",
	unknownMediaType:   "send a documented Content-Type, or document this one",
	malformedBody:      "write the body in the format of its Content-Type, or send another Content-Type",
	schemaMismatch:     "check what changes the body after validation, such as MarshalJSON, hooks and middleware, or change the schema",
	unknownField:       "remove the field from the response, or declare it",
	tooLarge:           "limit the response, for example with pagination, or repeat less of the request",
	tooSlow:            "make the operation faster, or raise the limit with openapitest.Within",
	deletedStillThere:  "delete the record in the store, or return an error",
	listUnchanged:      "change the list in the store, or return an error",
	listIncomplete:     "return every record that the caller may read",
	savedNotFound:      "store the record before the response is sent, or return an error",
	differsFromGet:     "return the record as it is stored",
	etagDiffersFromGet: "compute the ETag from the record as it is stored",
	otherFormat:        "follow the Accept header, or remove the format from the API",
}

// failure is the shortest request that shows a problem.
type failure struct {
	text string
	size int // of the request, as a command
}

// fail records a problem that a request shows. Of all requests that show it, the shortest is kept. Details are lines of
// the message, each with a label.
func (c *conformity) fail(op operation, problem string, r request, w *httptest.ResponseRecorder, details ...string) {
	command := r.curl()
	key := op.name() + problem
	if known, ok := c.failures[key]; ok && known.size <= len(command) {
		return
	}
	lines := []string{op.name() + " " + problem, "request: " + command}
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
	fix := fixes[problem]
	if kind, _, ok := strings.Cut(problem, ": "); ok {
		fix = fixes[kind+": "]
	}
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
