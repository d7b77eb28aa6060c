package openapitest

import (
	"net/http"
	"testing"

	"github.com/trove-api/trove/resource"
)

// Option changes how [Conform] works.
type Option func(*settings)

type settings struct {
	through func(http.Handler) http.Handler
	most    int
}

// Through sends the requests through a middleware around the API, such as one that says
// who asks. Default: none.
func Through(middleware func(http.Handler) http.Handler) Option {
	return func(s *settings) { s.through = middleware }
}

// Requests is how many requests are sent to an operation at most. Default: 1000.
func Requests(most int) Option { return func(s *settings) { s.most = most } }

// Conform sends each documented operation of the API many requests made of its schemas:
// values at their bounds and beyond, missing and unknown members, wrong types, nulls,
// Unicode, wrong parameters, media types and JSON. It fails the test at
//
//   - a 5xx,
//   - a status or a media type that is not documented,
//   - a body that breaks its schema,
//   - a request that the document calls invalid and the API accepts,
//   - one that it calls valid and the API refuses, unless a format of its own marks that
//     keywords do not say all, or what is kept decides (404, 409, 412).
//
// Each failure shows the shortest request of its sort, as a curl command. The requests are
// the same in each run. They change what the API keeps: give it a store for the test.
func Conform(t testing.TB, api *resource.API, options ...Option) {
	t.Helper()
	s := settings{through: func(h http.Handler) http.Handler { return h }, most: 1000}
	for _, option := range options {
		option(&s)
	}
	d := documentOf(t, api)
	c := &conformity{t: t, document: d, handler: s.through(api), most: s.most, failures: map[string]failure{}}
	for _, op := range d.operations() {
		c.operation(op)
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
}

// operation sends its requests to one operation.
func (c *conformity) operation(op operation) {
	c.sent = 0
	base, ok := c.base(op)
	if !ok {
		c.t.Logf("openapitest: %s is not tried: the document has no example of a body for it", op.name())
		return
	}
	c.try(op, base)
	c.parameters(op, base)
	c.negotiation(op, base)
	if op.body() != "" {
		c.bodies(op, base)
	}
}

// try sends a request that belongs to an operation, and judges the answer.
func (c *conformity) try(op operation, r request) {
	if c.sent >= c.most {
		return
	}
	c.sent++
	if op.isItem() {
		c.restore(op, &r)
	}
	c.judge(op, r, r.send(c.t.Context(), c.handler))
}
