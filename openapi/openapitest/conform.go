package openapitest

import (
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/resource"
)

// Option configures [Conform].
type Option func(*settings)

type settings struct {
	through func(http.Handler) http.Handler
	most    int
	limit   time.Duration    // of a request
	callers []caller         // nil for anonymous requests alone
	allowed map[string][]int // statuses, by operationId

	unsuccessful []string // the operationIds of operations that need not succeed
}

// Through wraps the API in a middleware, such as one that authenticates callers. Of several, the first gets each request
// first, as in [resource.Config]. Default: none.
func Through(middleware func(http.Handler) http.Handler) Option {
	return func(s *settings) {
		outer := s.through
		s.through = func(api http.Handler) http.Handler { return outer(middleware(api)) }
	}
}

// Requests sets the maximum number of test requests for each operation and caller. Default: 1000. With go test -short,
// an eighth of them are sent, but at least 12. Requests that prepare records or read them back do not count.
func Requests(most int) Option { return func(s *settings) { s.most = most } }

// Within sets how long a request may take. A request that takes longer fails the test. Default: 10 seconds.
func Within(limit time.Duration) Option { return func(s *settings) { s.limit = limit } }

// Conform sends requests to each operation in the API's OpenAPI document, and compares each response with the document.
// It generates the requests from the schemas: values at and beyond their limits, dates at the ends of the calendar,
// huge integers, long strings and names, missing and unknown fields, wrong types, nulls, Unicode, and invalid
// parameters, media types and JSON. It also reads records in each format of the API, and sends them back complete
// and cut off. Deletes run last.
//
// The test fails for
//
//   - a 5xx,
//   - a status, media type or response field that is not documented,
//   - a response body that does not match its schema, or a missing response header that is required,
//   - a request that the document calls invalid and the API accepts,
//   - a request that the document calls valid and the API rejects (for exceptions see below),
//   - a successful response to an anonymous caller of [As], if the operation requires credentials,
//   - a response to a write whose body or ETag differs from the next Get,
//   - a response that is too large: more than 128 KiB, plus 4 times the request for an error, plus 64 times the largest
//     accepted request for a success; collections may have 16 times all accepted requests instead,
//   - a request that takes longer than [Within] allows,
//   - an operation that never succeeds, unless [NeverSucceeds] names it,
//   - a success without effect: a record that exists after its Delete, a list without the item that was added, a
//     collection without the records that exist.
//
// Some rejections of valid requests are expected: a 404, 409 or 412, which depends on the stored records; a 429; a documented
// 401 or 403; a status that [Allow] permits; and any 4xx for a request with a value whose schema has a format for a rule
// that JSON Schema cannot express. An update must also succeed on a record that was created with only its required fields.
//
// Conform makes values unique if the API returns 409, and creates the records that a request refers to. If an operation has a
// condition (When), Conform brings its records into that state by operations with an operation.Set. It deletes the records
// that operation.Restore and operation.Purge need. Each failure
// shows the shortest request as a curl command, with the credentials of [As], then the response and how to fix it. The
// requests are the same in each run.
//
// The requests create, change and delete records: give the API a store for the test. While Conform runs, the API logs
// nothing, and must not be used for anything else. The failure of a 5xx shows its error.
func Conform(t testing.TB, api *resource.API, options ...Option) {
	t.Helper()
	s := settings{through: func(h http.Handler) http.Handler { return h }, most: 1000, limit: 10 * time.Second, allowed: map[string][]int{}}
	for _, option := range options {
		option(&s)
	}
	if testing.Short() {
		s.most = max(s.most/8, min(s.most, 12))
	}
	c := newConformity(t, documentOf(t, api), s)
	model := compiled.Of(api)
	defer model.RecordReason(&c.reason)()
	c.handler = s.through(api)
	c.signIn()
	c.checkNamed("Allow", maps.Keys(c.allowed))
	for _, op := range c.document.operations {
		for _, c.caller = range c.callersOf(op) {
			c.operation(op)
		}
		if op.method != "delete" {
			c.tryExistingRecords(op)
		}
	}
	for _, op := range c.document.operations { // after Delete, which can delete a caller
		c.tryExistingRecords(op)
	}
	c.report()
	c.reportCoverage()
}

// conformity is one run of Conform.
type conformity struct {
	settings

	t        testing.TB
	document *document
	handler  http.Handler
	sent     int // requests to the current operation
	failures map[string]failure
	changed  bool          // the last request may have deleted the record of its path
	bytes    int           // of all accepted requests
	largest  int           // accepted request, in bytes
	took     time.Duration // the last request
	clients  int           // of requests so far, each with a network address of its own
	reason   string        // the error of the last 5xx
	caller   caller        // of the current request

	uniques  int // how many unique values were generated
	records  map[recordKey]*storedRecord
	created  map[*compiled.Resource][]*storedRecord // by Conform, the last one last
	creating map[*compiled.Resource]bool
	sessions sessions
}

func newConformity(t testing.TB, d *document, s settings) *conformity {
	t.Helper()
	return &conformity{
		t: t, document: d, settings: s, failures: map[string]failure{},
		records: map[recordKey]*storedRecord{},
		created: map[*compiled.Resource][]*storedRecord{}, creating: map[*compiled.Resource]bool{},
	}
}

// operation tests one operation as the current caller.
func (c *conformity) operation(op *operation) {
	c.sent = 0
	base, ok := c.base(op)
	if !ok {
		return // reportCoverage fails the test
	}
	queried := base
	response := c.try(op, base)
	if response != nil {
		queried.exactly = queried.exactly || response.Code < http.StatusBadRequest // the API accepts it
		c.verifyEmptyList(op, base, response)
	}
	if op.body() != "" {
		if body, ok := c.minimal(op); ok && op.declared.Creates {
			c.try(op, c.withBody(op, base, body))
		}
		c.updateMinimal(op, base)
	}
	most := c.most
	c.most -= min(most/2, len(op.formats())+1) // parameters must leave a request for each format
	c.tryParameters(op, queried)
	c.most = most
	c.tryMediaTypes(op, base)
	if op.body() != "" {
		c.tryOtherFormats(op, base)
		c.tryBodies(op, base)
	}
}

// isSpent reports whether the maximum number of requests has been sent to the operation.
func (c *conformity) isSpent() bool { return c.sent >= c.most }

// try sends a request to an operation, and compares the response with the document. It first restores the record of
// the path. It returns nil after the maximum number of requests.
func (c *conformity) try(op *operation, r request) *httptest.ResponseRecorder {
	if c.isSpent() {
		return nil
	}
	if op.isItem() {
		c.restore(op, &r)
	}
	return c.send(op, r)
}

// send is try without restoring the record.
func (c *conformity) send(op *operation, r request) *httptest.ResponseRecorder {
	if c.isSpent() {
		return nil
	}
	c.sent++
	c.reason = ""
	r, response := c.sendWithRetry(op, r)
	c.changed = op.method == "delete" || op.method == "post" || response.Code == http.StatusNotFound
	op.noteSuccess(r, response)
	c.verify(op, r, response)
	c.verifyLimits(op, r, response)
	c.readBack(op, r, response)
	c.verifyEffect(op, r, response)
	return response
}

// caller is a caller of the API. Without header fields, the caller is anonymous.
type caller struct {
	name   string
	header http.Header
}

// As adds a caller, with header fields such as Authorization. The name is shown in failures. Conform tests each
// operation as each caller in turn; a nil header is an anonymous caller. If a caller is not permitted to create a
// record that an operation needs, another one creates it. Failures show the header: use credentials of the test only.
// Default: one anonymous caller; if everyone can create an account and sign in with it, as with package access/session,
// also a caller who has done so. Operations that ignore credentials, such as signing out, are tested without them.
func As(name string, header http.Header) Option {
	return func(s *settings) { s.callers = append(s.callers, caller{name, header.Clone()}) }
}

// Allow permits an operation, named by its operationId, to reject valid requests with the given statuses. Use it if a
// hook or a quota rejects requests for reasons that the document does not describe, such as a 403 or 429. The statuses
// must still be documented. A 5xx always fails the test.
func Allow(operationID string, statuses ...int) Option {
	return func(s *settings) { s.allowed[operationID] = append(s.allowed[operationID], statuses...) }
}

// checkNamed fails the test if an option names an unknown operation.
func (c *conformity) checkNamed(option string, ids iter.Seq[string]) {
	c.t.Helper()
	for _, id := range slices.Sorted(ids) {
		has := func(op *operation) bool { return op.id() == id }
		if !slices.ContainsFunc(c.document.operations, has) {
			c.t.Errorf("openapitest: %s names the operation %q, which is not in the document. Use an operationId of the document", option, id)
		}
	}
}

// isPermitted reports whether an operation may reject a valid request with a status: one that depends on the stored records or
// on earlier requests, a documented 401 or 403, or one that Allow names.
func (c *conformity) isPermitted(op *operation, status int) bool {
	switch status {
	case http.StatusConflict, http.StatusNotFound, http.StatusPreconditionFailed, http.StatusTooManyRequests:
		return true
	case http.StatusUnauthorized, http.StatusForbidden:
		return op.documents(status) || slices.Contains(c.allowed[op.id()], status)
	}
	return slices.Contains(c.allowed[op.id()], status)
}

// documents reports whether the document lists a status, other than by default.
func (o *operation) documents(status int) bool {
	return in(o.object, "responses")[strconv.Itoa(status)] != nil
}

// NeverSucceeds names operations, by operationId, that need not succeed. Use it for operations that reject every
// generated request, such as a login of users that exist already. Other operations that never
// succeed fail the test, since their success was not tested. Default: none.
func NeverSucceeds(operationIDs ...string) Option {
	return func(s *settings) { s.unsuccessful = append(s.unsuccessful, operationIDs...) }
}

// noteSuccess notes whether an operation has succeeded.
func (o *operation) noteSuccess(r request, w *httptest.ResponseRecorder) {
	o.tested = true
	switch {
	case w.Code < http.StatusBadRequest:
		o.succeeded = o.succeeded || r.valid
	case r.valid && (o.rejected == "" || o.isUnauthorized && w.Code != http.StatusUnauthorized):
		o.isUnauthorized = w.Code == http.StatusUnauthorized
		o.rejected = fmt.Sprintf("request: %s\n\tresponse: %d %s", r.curl(), w.Code, shortened(w.Body.String()))
	}
}

// reportCoverage fails the test for each operation that never succeeded.
func (c *conformity) reportCoverage() {
	c.t.Helper()
	c.checkNamed("NeverSucceeds", slices.Values(c.unsuccessful))
	for _, op := range c.document.operations {
		switch {
		case op.succeeded || slices.Contains(c.unsuccessful, op.id()):
		case !op.tested:
			c.t.Errorf("%s was not tested, because the document has no example of its request body and none can be generated.\n\t"+
				"to fix: give the fields of the body examples, or name the operation in openapitest.NeverSucceeds", op.name())
		default:
			c.t.Errorf("%s never succeeded, so its success was not tested. The first valid request:\n\t%s\n\t"+
				"to fix: give the fields of the request examples that the API accepts, add a caller with permission (openapitest.As), "+
				"store the records that the operation needs, or name it in openapitest.NeverSucceeds", op.name(), op.rejected)
		}
	}
}
