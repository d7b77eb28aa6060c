package httpserve

import (
	"cmp"
	"net/http"
	"slices"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/refusal"
	"github.com/trove-api/trove/operation"
)

// TakesSuffix reports whether the operation is at its path with a suffix behind it, "" for none.
func (s *Server) TakesSuffix(suffix string) bool {
	return suffix == "" || slices.Contains(s.op.Suffixes(), suffix)
}

// Server serves an operation. It is safe for use by many goroutines.
type Server struct {
	op *execute.Operation

	pattern                    string // the path, as http.Request has it
	answers                    bool   // a successful response has a body
	isHome                     bool   // the path is that of the resource's Get
	hidesState                 bool   // a response does not show all that makes the state of a record
	run                        serving
	before, beforeInner, after []step
	headers                    []func(x *exchange, header http.Header) // write the fields of a success

	missing func() *problem.Problem // of a record that is not there
	idle    sync.Pool               // of *exchange, each of them empty
	most    int                     // how many lines of a header an answer has for itself, at most
}

// NewServer returns what serves an operation.
// The commonest refusal, of a record that is not there, is written once: it is the same for all
// requests.
func NewServer(op *compiled.Operation) *Server {
	most := 2 // ETag and Content-Length
	switch {
	case op.Pages, op.Kind == operation.KindPost:
		most = 4 // Link and X-Total-Count, or Location and Content-Location
	case !op.Reads:
		most = 3 // Content-Location
	}
	get := op.Resource.Get()
	return &Server{
		op: execute.Of(op), pattern: op.Path(), run: around(op),
		answers: op.Answers(), isHome: get != nil && op.Template == get.Template, hidesState: op.Resource.HidesState(),
		before: beforeCall(op), beforeInner: beforeInner(op), after: afterCall(op), headers: headersOf(op), most: most,
		missing: sync.OnceValue(func() *problem.Problem {
			return raise(refusal.NotFound, op.Resource.ShortName).Prepare()
		}),
	}
}

// ServeHTTP serves a request that chi has routed, since a route of the user's own might
// have gone before.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, suffix := r.URL.EscapedPath(), ""
	if route := chi.RouteContext(r.Context()); route != nil {
		path, suffix = cmp.Or(route.RoutePath, path), route.URLParam(formatKey)
	}
	s.handle(w, r, path, suffix, nil)
}

// Serve serves a request whose path, percent-encoded and without the suffix, is one of the
// operation's template.
func (s *Server) Serve(w http.ResponseWriter, r *http.Request, way *Way, path, suffix string) {
	if way == nil {
		r.Pattern = s.pattern // as chi leaves it to those around the API
		if len(s.op.API.Observers) > 0 {
			r, way = WithWay(r, nil)
		}
	}
	if way != nil {
		way.lead(r, s, path, suffix)
	}
	s.handle(w, r, path, suffix, nil)
}

// handle serves a request in an exchange, which is kept for another one. Inner is nil for one
// that came by itself.
func (s *Server) handle(w http.ResponseWriter, r *http.Request, path, suffix string, inner *Inner) {
	x, ok := s.idle.Get().(*exchange)
	if !ok {
		x = new(exchange)
	}
	x.Server, x.w, x.r, x.path, x.suffix = s, w, r, path, suffix
	x.format, x.inner = s.op.DefaultFormat, inner
	if inner != nil {
		x.format = inner.Format
	}
	x.call.Operation, x.call.Caller = s.op, x
	// A Processor was handed a method of the call, which it may have kept.
	if x.isServed() && s.op.Processor == nil {
		x.giveBack()
		s.idle.Put(x)
	}
}

// isServed serves the request, and reports whether nothing panicked.
func (x *exchange) isServed() (whole bool) {
	if len(x.op.API.Observers) > 0 {
		defer x.endWatch()
		defer x.recoverPanic()
		x.beginWatch()
	} else {
		defer x.recoverPanic()
	}
	if err := x.run(x.r.Context(), x); err != nil {
		x.refuse(err)
	}
	return true
}
