package openapitest

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/resource"
)

// Option changes how [Conform] works.
type Option func(*settings)

type settings struct {
	through func(http.Handler) http.Handler
	most    int
	now     func() time.Time
	limit   time.Duration    // of a request
	callers []caller         // nil for nobody alone
	allowed map[string][]int // statuses, by the id of the operation

	unsuccessful []string // operations that need not succeed, by their ids
}

// Through sends the requests through a middleware around the API, such as one that says
// who asks. Default: none.
func Through(middleware func(http.Handler) http.Handler) Option {
	return func(s *settings) { s.through = middleware }
}

// Requests is how many requests are sent to an operation at most. Default: 1000. A run of
// the tests with -short sends an eighth of them, and 12 at least.
func Requests(most int) Option { return func(s *settings) { s.most = most } }

// Within sets how long a request may take at most, which fails the test otherwise. Default: 10 seconds.
func Within(limit time.Duration) Option { return func(s *settings) { s.limit = limit } }

// Conform sends each documented operation of the API many requests made of its schemas:
// values at their bounds and beyond, times at the ends of the calendar, huge integers,
// kilobytes of text, long names, missing and unknown members, wrong types, nulls, Unicode,
// wrong parameters, media types and JSON. What it reads in a format of the API it sends back in that format, whole
// and damaged. What removes comes last. It fails the test at
//
//   - a 5xx,
//   - a status or a media type that is not documented,
//   - a body that breaks its schema, a header field that must be there and is not,
//   - a request that the document calls invalid and the API accepts,
//   - one that it calls valid and the API refuses, unless a format of its own marks that
//     keywords do not say all, what is kept decides (404, 409, 412), the operation documents that it
//     asks for rights (401, 403), or [Allow] says so,
//   - an answer to nobody where the document asks for credentials,
//   - a change that is refused after a creation of no more than the required members,
//   - an answer to a write whose body or ETag is not that of the next Get,
//   - an answer that is large or slow beyond all proportion to what was sent: 128 KiB
//     and, of a refusal, 4 times its request, of a collection with pages 16 times all that was taken so
//     far, of others 64 times the largest request that was; or one that takes longer than [Within] allows,
//   - an operation that never succeeds, unless [NeverSucceeds] names it,
//   - a success that does nothing: a record that is still there after its Delete, a membership that
//     its record does not show, a collection without the records that there are.
//
// Values of examples that must be unique are replaced by new ones, and references by records that
// exist or that Conform creates first. A table of the responses by operation and status is logged.
// While it runs, the API logs nothing; the reason of a 5xx is part of the failure. Use the API for nothing else
// during that time.
//
// Each failure shows the shortest request of its sort, as a curl command. The requests are
// the same in each run. They change what the API keeps: give it a store for the test. An API
// that asks who calls is tried by those whom [As] names, and by nobody else.
func Conform(t testing.TB, api *resource.API, options ...Option) {
	t.Helper()
	const limit = 10 * time.Second
	s := settings{through: func(h http.Handler) http.Handler { return h }, most: 1000, now: time.Now, limit: limit}
	for _, option := range options {
		option(&s)
	}
	if testing.Short() {
		s.most = max(s.most/8, min(s.most, 12))
	}
	c := newConformity(t, documentOf(t, api), s)
	model := compiled.Of(api)
	c.declared = declaredIn(model)
	defer model.Overhear(&c.reason)()
	c.handler = c.metered(s.through(api))
	c.checkNamed("Allow", maps.Keys(c.allowed))
	for _, op := range c.document.operations() {
		for _, c.caller = range s.orNobody() {
			c.operation(op)
		}
		if op.method != "delete" {
			c.lastResort(op)
		}
	}
	for _, op := range c.document.operations() { // what is deleted may be a caller
		c.lastResort(op)
	}
	c.report()
	c.reportCoverage()
}

// conformity is one run of Conform.
type conformity struct {
	settings

	t        testing.TB
	document *document
	declared map[string]*compiled.Operation // by method and path
	handler  http.Handler
	sent     int // to the operation at hand
	failures map[string]failure
	covered  map[string]*coverage // by operation
	changed  bool                 // the record of the last path may be gone
	bytes    int                  // of all requests that were taken
	largest  int                  // of them, in bytes
	took     time.Duration        // by the last request
	reason   string               // why the last request failed
	caller   caller               // who sends

	replacements map[string][]*replacement // in bodies, by operation
	uniques      int                       // how many unique values were made
	composed     map[string]any            // bodies without an example, by operation
	records      map[owned]*kept
	making       map[*compiled.Resource]bool
}

func newConformity(t testing.TB, d *document, s settings) *conformity {
	t.Helper()
	return &conformity{
		t: t, document: d, settings: s, failures: map[string]failure{}, covered: map[string]*coverage{},
		replacements: map[string][]*replacement{}, composed: map[string]any{}, records: map[owned]*kept{}, making: map[*compiled.Resource]bool{},
	}
}

// operation sends its requests to one operation.
func (c *conformity) operation(op operation) {
	c.sent = 0
	base, ok := c.base(op)
	if !ok {
		return // the coverage tells
	}
	asked := base
	answer := c.try(op, base)
	if answer != nil {
		asked.exactly = asked.exactly || answer.Code < http.StatusBadRequest // as it is now known to be taken
		c.judgeEmptyList(op, base, answer)
	}
	if op.body() != "" {
		c.createMinimal(op, base)
		c.afterMinimal(op, base)
	}
	most := c.most
	c.most -= min(most/2, len(op.formats())+1) // of parameters there is no end, and each format is to be asked for
	c.parameters(op, asked)
	c.most = most
	c.negotiation(op, base)
	if op.body() != "" {
		c.otherBodies(op, base)
		c.bodies(op, base)
	}
}

// isSpent reports whether as many requests have been sent to the operation as may be: what
// else there is to send need not be made.
func (c *conformity) isSpent() bool { return c.sent >= c.most }

// try sends a request that belongs to an operation, and judges the answer. It returns nil
// where enough requests have been sent.
func (c *conformity) try(op operation, r request) *httptest.ResponseRecorder {
	if c.isSpent() {
		return nil
	}
	if op.isItem() {
		c.restore(op, &r)
	}
	return c.send(op, r)
}

// send sends a request as it is, and judges the answer.
func (c *conformity) send(op operation, r request) *httptest.ResponseRecorder {
	if c.isSpent() {
		return nil
	}
	c.sent++
	c.reason = ""
	r, answer := c.deliver(op, r)
	c.changed = op.method == "delete" || op.method == "post" || answer.Code == http.StatusNotFound
	c.cover(op, r, answer)
	c.judge(op, r, answer)
	c.measure(op, r, answer)
	c.readBack(op, r, answer)
	c.judgeEffect(op, r, answer)
	return answer
}
