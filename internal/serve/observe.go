package serve

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation/observe"
)

// watch collects the outcome of a request for observers.
type watch struct {
	observers []observe.Observer
	outcome   observe.Outcome
	began     time.Time
}

// beginWatch calls Begin of the observers, and sets the context that they return.
// It reads the clock once at the beginning, and again when a step ends.
func (c *call) beginWatch() {
	c.watch = newWatch(c.op.API, c.r, observe.Operation{
		ID: c.op.ID, Resource: c.op.Resource.ShortName, Route: c.op.Path(),
	})
	c.r = c.r.WithContext(c.watch.begin(c.r.Context()))
}

// The clock is read once at the beginning, and again only where a step ends.
func newWatch(api *compiled.API, r *http.Request, op observe.Operation) *watch {
	outcome := observe.Outcome{Operation: op, Request: r, RequestID: api.RequestID(r)}
	return &watch{observers: api.Observers, began: time.Now(), outcome: outcome}
}

func (w *watch) begin(ctx context.Context) context.Context {
	for _, observer := range w.observers {
		ctx = observer.Begin(ctx, w.outcome.Operation, w.outcome.Request) //nolint:fatcontext // one context within the other is what observers want
	}
	return ctx
}

// ran records how long a step took.
func (w *watch) ran(step string, began time.Time) {
	w.outcome.Steps = append(w.outcome.Steps, observe.Step{Name: step, Began: began, Duration: time.Since(began)})
}

// failed records why the request failed. On a nil watch it does nothing.
func (w *watch) failed(err error, incident string) {
	if w != nil {
		w.outcome.Err, w.outcome.Incident = err, incident
	}
}

// endWatch calls the observers with the outcome of the request.
func (c *call) endWatch() {
	defer func() {
		if cause := recover(); cause != nil { // the response has been sent
			c.logPanic(cause, "")
		}
	}()
	c.watch.end(c.r.Context(), c.status, c.bytes)
}

func (w *watch) end(ctx context.Context, status int, bytes int64) {
	w.outcome.Status, w.outcome.Bytes, w.outcome.Duration = status, bytes, time.Since(w.began)
	// The first that began is the last to end, as spans lie within each other.
	for _, observer := range slices.Backward(w.observers) {
		observer.End(ctx, &w.outcome)
	}
}

// Watched calls the observers of an API for requests that no operation serves. Route returns the template of a path, "" for
// none.
func Watched(api *compiled.API, route func(*http.Request) string, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if len(api.Observers) == 0 { // checked for each request, because a program may add one after New
			next(w, r)
			return
		}
		watch := newWatch(api, r, observe.Operation{Route: route(r)})
		ctx := watch.begin(r.Context())
		sent := &counted{ResponseWriter: w}
		// Deferred, for what serves unknown paths may panic, and observers count that too.
		defer func() { watch.end(ctx, sent.status, sent.bytes) }()
		next(sent, r.WithContext(ctx))
	}
}

// counted is a writer that notes the status and counts the bytes of the body.
type counted struct {
	http.ResponseWriter

	status int
	bytes  int64
}

// Fields of the header are the writer's own, so that nothing else is wrapped.
func (c *counted) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

func (c *counted) Write(body []byte) (int, error) {
	n, err := c.ResponseWriter.Write(body)
	c.bytes += int64(n)
	return n, err
}
