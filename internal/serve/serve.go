package serve

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/operation/observe"
)

// arrival is a request of an operation as routing has found it.
type arrival struct {
	op           *Operation
	passed       int      // how many of the operation's middleware the request has passed
	routing      *Routing // nil if no function can see the routing
	path, suffix string   // the path is percent-encoded, one of the operation's template; the suffix chooses the format, "" for none
	inner        *Inner   // nil unless the request is part of a request of another protocol
}

// arrivalKey is the key of the arrival in the context of a request that is in a middleware of an operation.
type arrivalKey struct{}

// ServeHTTP serves a request that chi has routed, which happens where a route of the user's own may take precedence.
func (o *Operation) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, suffix := r.URL.EscapedPath(), ""
	if route := chi.RouteContext(r.Context()); route != nil {
		suffix = route.URLParam(formatKey)
		if route.RoutePath != "" {
			path = o.API.Whole(route.RoutePath)
		}
	}
	routing, _ := r.Context().Value(routingKey{}).(*Routing)
	arrival{op: o, routing: routing, path: path, suffix: suffix}.admit(w, r)
}

// Serve serves a request whose path, percent-encoded and without the suffix, matches the operation's template.
func (o *Operation) Serve(w http.ResponseWriter, r *http.Request, routing *Routing, path, suffix string) {
	if routing == nil {
		r.Pattern = o.Path() // as chi leaves it to those around the API
		if len(o.API.Observers) > 0 {
			r, routing = WithRouting(r, nil)
		}
	}
	if routing != nil {
		routing.found(r, o, path, suffix)
	}
	arrival{op: o, routing: routing, path: path, suffix: suffix}.admit(w, r)
}

// TakesSuffix reports whether the operation's path may have a format suffix, "" for none.
func (o *Operation) TakesSuffix(suffix string) bool {
	return suffix == "" || slices.Contains(o.Suffixes(), suffix)
}

// Around returns a middleware as a handler of requests of operations. All operations that have the handler share the
// middleware's state.
func Around(middleware func(http.Handler) http.Handler) http.Handler {
	return middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at, ok := r.Context().Value(arrivalKey{}).(arrival)
		if !ok { // the middleware has replaced the context of the request
			problemOfKind(problem.Internal).Write(w, r)
			return
		}
		at.passed++
		at.admit(w, r)
	}))
}

// admit passes a request to the next middleware of its operation, and serves it after the last one. It keeps the call for
// another request.
func (a arrival) admit(w http.ResponseWriter, r *http.Request) {
	o := a.op
	if a.passed < len(o.Around) {
		o.Around[a.passed].ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), arrivalKey{}, a)))
		return
	}
	c, ok := o.idle.Get().(*call)
	if !ok {
		c = new(call)
	}
	if c.arrival, c.w, c.r, c.format = a, w, r, o.standard; a.inner != nil {
		c.format = a.inner.Format
	}
	// A Processor gets a method of the call, which it may have kept.
	if c.serve() && o.Processor == nil {
		c.reset()
		o.idle.Put(c)
	}
}

// serve serves the request, and reports whether nothing panicked.
func (c *call) serve() (whole bool) {
	if len(c.op.API.Observers) > 0 {
		defer func() {
			defer func() {
				if cause := recover(); cause != nil { // the response has been sent
					c.logPanic(cause, "")
				}
			}()
			c.watch.end(c.r.Context(), c.status, c.bytes)
		}()
	}
	defer func() {
		if cause := recover(); cause != nil {
			c.handlePanic(cause)
		}
	}()
	if len(c.op.API.Observers) > 0 {
		c.watch = newWatch(c.op.API, c.r, observe.Operation{ID: c.op.ID, Resource: c.op.Resource.ShortName, Route: c.op.Path()})
		c.r = c.r.WithContext(c.watch.begin(c.r.Context()))
	}
	if err := c.op.run(c.r.Context(), c); err != nil {
		c.sendError(err)
	} else if c.inner != nil && c.inner.Trial {
		c.watch.failed(errTrial, "")
	}
	return true
}

// serving serves a request. It returns an error only if nothing has been sent, so that an error response can be sent
// instead.
type serving func(ctx context.Context, c *call) error

// run runs the steps of a request, and sends the response.
func run(ctx context.Context, c *call) error {
	o := c.op
	receive := o.receive
	if c.inner != nil {
		receive = o.inner
	}
	if err := c.runSteps(ctx, receive); err != nil {
		return err
	}
	if o.API.Ruled { // the operation may have no rules, but its records may refer to some that have
		c.identify(ctx)
	}
	if c.request != nil {
		ctx = operation.WithRequest(ctx, c.request)
	}
	return o.perform(ctx, c)
}

func perform(ctx context.Context, c *call) error { return c.respond(ctx, c.execute(ctx)) }

// execute runs the steps after those that read the request.
func (c *call) execute(ctx context.Context) (err error) {
	o := c.op
	switch {
	case o.Reads:
		err = c.runSteps(ctx, o.steps)
	case o.ahead != nil:
		err = c.prepareAndTransact(ctx)
	default:
		err = c.transact(ctx)
	}
	if c.request != nil && !o.Reads {
		txn.End(ctx)
	}
	return err
}

// respond sends the response, unless there is an error.
func (c *call) respond(ctx context.Context, err error) error {
	switch {
	case err != nil:
		return err
	case c.kept != nil:
		return c.respondAgain()
	case c.format.Stream:
		return c.stream(ctx)
	}
	header := c.w.Header()
	c.setHeader(header)
	c.send(header, c.format.ContentTypes)
	return nil
}

// limited returns the function that serves an operation: its steps, wrapped only in what the declaration uses.
func limited(op *compiled.Operation) serving {
	run := serving(run)
	if op.Timeout > 0 {
		run = withTimeout(run)
	}
	if op.API.Slots != nil {
		run = withSlot(run)
	}
	if l := op.Lifecycle; !l.Deprecated.IsZero() || !l.Sunset.IsZero() {
		run = withLifecycle(run)
	}
	return run
}

// withTimeout ends the request when the time of its operation is over.
func withTimeout(next serving) serving {
	return func(ctx context.Context, c *call) error {
		ctx, cancel := context.WithTimeout(ctx, c.op.Timeout)
		defer cancel()
		c.ends, _ = ctx.Deadline()
		return next(ctx, c)
	}
}

// withSlot rejects a request when the API already serves as many as it may. It does not wait for a slot, because a
// queue delays every response, and a load balancer that gets a 503 can try another instance.
func withSlot(next serving) serving {
	return func(ctx context.Context, c *call) error {
		slots := c.op.API.Slots
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
			return next(ctx, c)
		default:
			return unavailable("The service is overloaded. Try again later.")
		}
	}
}

// withLifecycle announces in each response, errors included, when the operation ends (RFC 9745, RFC 8594).
func withLifecycle(next serving) serving {
	return func(ctx context.Context, c *call) error {
		header, l := c.w.Header(), &c.op.Lifecycle
		if !l.Deprecated.IsZero() {
			// Structured fields write a date as @ and seconds (RFC 9651, section 3.3.7).
			header.Set("Deprecation", "@"+strconv.FormatInt(l.Deprecated.Unix(), 10))
		}
		if !l.Sunset.IsZero() {
			header.Set("Sunset", l.Sunset.UTC().Format(http.TimeFormat))
		}
		if l.Link != "" {
			header.Add("Link", "<"+l.Link+`>; rel="deprecation"`)
		}
		return next(ctx, c)
	}
}

// watch collects the outcome of a request for observers.
type watch struct {
	observers []observe.Observer
	outcome   observe.Outcome
	began     time.Time
}

// newWatch begins to watch a request. The clock is read once at the beginning, and again only where a step ends.
func newWatch(api *compiled.API, r *http.Request, op observe.Operation) *watch {
	outcome := observe.Outcome{Operation: op, Request: r, RequestID: api.RequestID(r)}
	return &watch{observers: api.Observers, began: time.Now(), outcome: outcome}
}

// begin calls Begin of the observers, and returns the context that they return.
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

// end calls End of the observers with the outcome of the request.
func (w *watch) end(ctx context.Context, status int, bytes int64) {
	w.outcome.Status, w.outcome.Bytes, w.outcome.Duration = status, bytes, time.Since(w.began)
	// The first that began is the last to end, as spans lie within each other.
	for _, observer := range slices.Backward(w.observers) {
		observer.End(ctx, &w.outcome)
	}
}

// Watched calls the observers of an API for requests that no operation serves. Route returns the template of a path, "" for
// none. What it serves may stream.
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

// Flush flushes the writer, and Unwrap returns it, both for http.ResponseController; some programs call Flush itself.
func (c *counted) Flush() {
	c.status = cmp.Or(c.status, http.StatusOK)
	_ = http.NewResponseController(c.ResponseWriter).Flush()
}

func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *counted) Write(body []byte) (int, error) {
	c.status = cmp.Or(c.status, http.StatusOK)
	n, err := c.ResponseWriter.Write(body)
	c.bytes += int64(n)
	return n, err
}
