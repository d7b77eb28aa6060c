package openapitest

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/trove-api/trove/resource"
)

// Option changes how [Conform] works.
type Option func(*settings)

type settings struct {
	through func(http.Handler) http.Handler
	most    int
	now     func() time.Time
	callers []caller         // nil for nobody alone
	allowed map[string][]int // statuses, by the id of the operation
}

// Through sends the requests through a middleware around the API, such as one that says
// who asks. Default: none.
func Through(middleware func(http.Handler) http.Handler) Option {
	return func(s *settings) { s.through = middleware }
}

// Requests is how many requests are sent to an operation at most. Default: 1000. A run of
// the tests with -short sends an eighth of them, and 12 at least.
func Requests(most int) Option { return func(s *settings) { s.most = most } }

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
//     far, of others 64 times the largest request that was; or one that takes half a minute.
//
// Each failure shows the shortest request of its sort, as a curl command. The requests are
// the same in each run. They change what the API keeps: give it a store for the test. An API
// that asks who calls is tried by those whom [As] names, and by nobody else.
func Conform(t testing.TB, api *resource.API, options ...Option) {
	t.Helper()
	s := settings{through: func(h http.Handler) http.Handler { return h }, most: 1000, now: time.Now}
	for _, option := range options {
		option(&s)
	}
	if testing.Short() {
		s.most = max(s.most/8, min(s.most, 12))
	}
	d := documentOf(t, api)
	c := &conformity{t: t, document: d, most: s.most, now: s.now, callers: s.callers, allowed: s.allowed, failures: map[string]failure{}}
	c.handler = c.metered(s.through(api))
	c.checkAllowed()
	for _, op := range d.operations() {
		for _, c.caller = range s.orNobody() {
			c.operation(op)
		}
	}
	c.report()
}

// conformity is one run of Conform.
type conformity struct {
	t        testing.TB
	document *document
	handler  http.Handler
	most     int
	sent     int // to the operation at hand
	failures map[string]failure
	changed  bool          // the record of the last path may be gone
	bytes    int           // of all requests that were taken
	largest  int           // of them, in bytes
	took     time.Duration // by the last request
	now      func() time.Time
	callers  []caller
	caller   caller // who sends
	allowed  map[string][]int
}

// operation sends its requests to one operation.
func (c *conformity) operation(op operation) {
	c.sent = 0
	base, ok := c.base(op)
	if !ok {
		c.t.Logf("openapitest: %s is not tried: the document has no example of a body for it", op.name())
		return
	}
	asked := base
	switch answer := c.try(op, base); {
	case answer == nil:
	case answer.Code < http.StatusBadRequest:
		asked.exactly = true // as it is now known to be taken
	case base.body != "" && base.valid && !base.exactly:
		c.t.Logf("openapitest: %s refuses the example of its body, which a format of its own allows: no other body tells what it takes", op.name())
	}
	most := c.most
	c.most -= min(most/2, len(op.formats())+1) // of parameters there is no end, and each format is to be asked for
	c.parameters(op, asked)
	c.most = most
	c.negotiation(op, base)
	if op.body() != "" {
		c.otherBodies(op, base)
		c.bodies(op, base)
		c.afterMinimal(op, base)
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
	answer := r.send(c.t.Context(), c.handler)
	c.changed = op.method == "delete" || op.method == "post" || answer.Code == http.StatusNotFound
	c.judge(op, r, answer)
	c.measure(op, r, answer)
	c.readBack(op, r, answer)
	return answer
}
