// Package measure runs workloads against handlers in this process and measures their cost.
package measure

import (
	"net/http"
	"strings"

	"github.com/trove-api/trove/bench/workload"
)

// Exchange sends the request of a workload to a handler many times. It does not allocate, so that only the handler is
// measured.
type Exchange struct {
	handler http.Handler
	content string
	pattern http.Request
	request http.Request
	body    body
	answer  answer
}

// NewExchange returns an exchange of a workload with a handler.
func NewExchange(handler http.Handler, w *workload.Workload) (*Exchange, error) {
	request, err := w.Request()
	if err != nil {
		return nil, err
	}
	e := &Exchange{handler: handler, content: w.Body, pattern: *request, answer: answer{header: http.Header{}}}
	if w.Body != "" {
		e.pattern.Body = &e.body
	}
	return e, nil
}

// Once sends the request once and returns the status of the response.
func (e *Exchange) Once() int {
	e.request = e.pattern // routers change it
	e.body.Reset(e.content)
	clear(e.answer.header)
	e.answer.status = http.StatusOK
	e.handler.ServeHTTP(&e.answer, &e.request)
	return e.answer.status
}

// body is the body of a request, which is read many times.
type body struct{ strings.Reader }

// Close does nothing.
func (*body) Close() error { return nil }

// answer is a ResponseWriter that discards the body.
type answer struct {
	header http.Header
	status int
}

// Header returns the header of the response.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader remembers the status.
func (a *answer) WriteHeader(status int) { a.status = status }

// Write discards the text.
func (a *answer) Write(text []byte) (int, error) { return len(text), nil }
