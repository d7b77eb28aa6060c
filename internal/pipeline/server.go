package pipeline

import (
	"net/http"
	"sync"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/problem"
)

// server serves an operation.
type server struct {
	op      *compiled.Operation
	buffers *buffers
	missing *problem.Problem // of a record that is not there
	idle    sync.Pool        // of *exchange, each of them empty
}

// lines are fields of an answer, which the writer of the answer may keep. The zero value
// of each is none.
type lines struct{ tag, length, link, total [1]string }

// Handler serves an operation.
func Handler(op *compiled.Operation) http.Handler {
	missing := problem.New(http.StatusNotFound, "There is no such "+op.Resource.ShortName+".")
	return &server{op: op, buffers: &buffers{}, missing: missing.Prepare()}
}

// ServeHTTP serves a request.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x, ok := s.idle.Get().(*exchange)
	if !ok {
		x = new(exchange)
	}
	x.server, x.w, x.r, x.lines = s, w, r, new(lines)
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
