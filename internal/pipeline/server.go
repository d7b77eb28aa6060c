package pipeline

import (
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/reentry"
)

// Server serves an operation. It is safe for use by many goroutines.
type Server struct {
	op      *compiled.Operation
	plan    plan
	missing func() *problem.Problem // of a record that is not there
	idle    sync.Pool               // of *exchange, each of them empty
}

// lines are fields of an answer, which the writer of the answer may keep. The zero value
// of each is none. The link is Link or Location, the place Content-Location.
type lines struct{ tag, length, link, total, place [1]string }

// NewServer returns what serves an operation.
func NewServer(op *compiled.Operation) *Server {
	return &Server{op: op, plan: planOf(op), missing: sync.OnceValue(func() *problem.Problem {
		return problem.New(http.StatusNotFound, "There is no such "+op.Resource.ShortName+".").Prepare()
	})}
}

// ServeHTTP serves a request that chi has routed.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.transacts() {
		r = r.WithContext(reentry.With(r.Context()))
	}
	x := s.take(w, r)
	x.suffix = chi.URLParam(r, formatKey)
	s.handle(x)
}

// NeedsRouter reports whether observers see the request, who may ask chi about it.
func (s *Server) NeedsRouter() bool { return len(s.op.API.Observers) > 0 }

// ServeDirectly serves a request that has not gone through chi. Segment is the last one
// of its path, without anything that would have to be encoded.
func (s *Server) ServeDirectly(w http.ResponseWriter, r *http.Request, segment string) {
	r.Pattern = s.op.Path() // as chi leaves it to those around the API
	if s.tellsRequest() {
		r = s.routed(r, segment)
	}
	x := s.take(w, r)
	x.segment = segment
	s.handle(x)
}

// take returns an exchange for a request.
func (s *Server) take(w http.ResponseWriter, r *http.Request) *exchange {
	x, ok := s.idle.Get().(*exchange)
	if !ok {
		x = new(exchange)
	}
	x.Server, x.w, x.r, x.format, x.lines = s, w, r, &s.op.Formats[0], new(lines)
	return x
}

// handle serves the request of an exchange, and keeps the exchange for another one.
func (s *Server) handle(x *exchange) {
	// A Processor has been handed a method of the exchange, which it may have kept.
	if x.isServed() && s.op.Processor == nil {
		x.giveBack()
		s.idle.Put(x)
	}
}

// isServed serves the request, and reports whether nothing panicked.
func (x *exchange) isServed() (whole bool) {
	defer x.endWatch()
	defer x.recoverPanic()
	x.beginWatch()
	x.serve()
	return true
}
