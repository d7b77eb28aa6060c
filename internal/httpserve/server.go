package httpserve

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
)

// Server serves an operation. It is safe for use by many goroutines.
type Server struct {
	op *execute.Operation

	pattern      string           // the path, as http.Request has it
	audience     string           // the path whose metadata challenges lead to
	answers      bool             // a successful response has a body
	standard     *compiled.Format // the format of responses, unless the client chooses another one
	offers       []string         // the media types that clients can choose
	hasRanges    bool             // a format looks at parameters of media types
	hasErrors    bool             // a format writes errors in its own way
	isHome       bool             // the path is that of the resource's Get
	hidesState   bool             // a response does not show all that makes the state of a record
	hidesFields  bool             // some callers may not see all fields of records
	guardsFields bool             // some callers may not see the fields of all parameters
	schemes      []scheme         // in the order in which they are tried
	vary         []string         // the field Vary of a success; nil for none
	varyErrors   []string         // the field Vary of an error; nil for none
	lineCount    int              // how many header lines most responses make for themselves

	run                        serving
	before, beforeInner, after []step
	headers                    []func(x *exchange, header http.Header) // write the fields of a success

	missing func() *problem.Problem // for a record that does not exist
	idle    sync.Pool               // of *exchange, each of them empty
}

// NewServer compiles the server of an operation. All requests share one problem for a record that does not exist, because
// it is the most common error.
func NewServer(op *compiled.Operation) *Server {
	lineCount := 2 // ETag and Content-Length
	switch {
	case op.Pages, op.Kind == operation.KindPost:
		lineCount = 4 // Link and X-Total-Count, or Location and Content-Location
	case !op.Reads:
		lineCount = 3 // Content-Location
	}
	get := op.Resource.Get()
	s := &Server{
		op: execute.OperationOf(op), pattern: op.Path(), audience: op.API.Prefix, run: limited(op), schemes: schemesOf(op.API), lineCount: lineCount,
		answers: op.HasResponseBody(), standard: op.DefaultFormat(), offers: op.Offers(),
		isHome: get != nil && op.Template == get.Template, hidesState: op.Resource.HidesState(),
		before: beforeCall(op), beforeInner: beforeInner(op), after: afterCall(op),
		missing: sync.OnceValue(func() *problem.Problem {
			return problemOfKind(problem.NotFound, naming.Phrase(op.Resource.ShortName)).Prepare()
		}),
	}
	s.hidesFields = op.Resource.Gate.Hides() && op.Out != nil && op.Out.Type.Struct == op.Resource.Struct && !op.HasOutput
	s.guardsFields = slices.ContainsFunc(op.FormatParameters, func(p format.Parameter) bool {
		return p.Field != "" && op.API.Guards(op.Resource, p.Field)
	})
	for _, f := range op.Formats {
		s.hasRanges, s.hasErrors = s.hasRanges || f.Supports != nil, s.hasErrors || f.WriteError != nil
	}
	switch {
	case op.Private:
		s.vary, s.varyErrors = op.API.Vary, op.API.Vary
	case s.answers:
		s.vary, s.varyErrors = varyAccept[:], varyAccept[:]
	case s.hasErrors:
		s.varyErrors = varyAccept[:]
	}
	s.headers = headersOf(op, s.vary)
	return s
}

// step is one step of a request.
type step struct {
	name string
	run  func(ctx context.Context, x *exchange) error
}

// when returns a step that is part of a list only if a condition of the declaration holds.
func when(holds bool, name string, run func(ctx context.Context, x *exchange) error) step {
	if !holds {
		return step{}
	}
	return step{name, run}
}

// steps returns a list without the steps that are not part of it.
func steps(list ...step) []step {
	return slices.DeleteFunc(list, func(s step) bool { return s.run == nil })
}

// beforeCall returns the steps of a request before the call.
func beforeCall(op *compiled.Operation) []step {
	return steps(
		when(len(op.API.Authentication) > 0 && !op.Anonymous, "credentials", readCredentials),
		when(len(op.API.Authentication) > 0 && op.Anonymous, "credentials", checkOrigin),
		when(op.IsGated(), "authorize", authorize),
		step{"negotiate", negotiateType},
		step{"parameters", readParameters},
		step{"preconditions", readConditions},
		when(op.TakesBody(), "receive", receive),
		when(op.Idempotency > 0, "replay", readKey),
	)
}

// beforeInner returns the steps before the call of a request within the request of another protocol: its format is
// settled and its caller is known.
func beforeInner(op *compiled.Operation) []step {
	return steps(
		when(len(op.API.Authentication) > 0 && !op.Anonymous, "credentials", takeClient),
		when(op.IsGated(), "authorize", authorize),
		step{"parameters", readParameters},
		step{"preconditions", readConditions},
		when(op.TakesBody(), "receive", takeBody),
		when(op.Idempotency > 0, "replay", readKey),
	)
}

// afterCall returns the steps that make the response: in the transaction, if the operation writes.
func afterCall(op *compiled.Operation) []step {
	return steps(
		when(op.Observed, "fields", checkFields),
		when(op.HasResponseBody(), "serialize", serialize),
		when(op.HasResponseBody() && op.Shows, "validators", tagRecord),
		when(op.HasResponseBody() && op.Pages, "validators", tagPage),
		when(op.HasResponseBody() && op.Reads && !op.Shows && !op.Pages, "validators", tagBody),
		when(op.Reads, "preconditions", evaluateConditions),
	)
}

// authorize checks the rules that need no record, before anything else of the request is read.
func authorize(ctx context.Context, x *exchange) error { return x.call.Authorize(ctx) }

// serving serves a request. It returns an error only if nothing has been sent.
type serving func(ctx context.Context, x *exchange) error

// limited returns the function that serves an operation: its steps, wrapped only in what the declaration uses.
func limited(op *compiled.Operation) serving {
	run := serving(serve)
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
	return func(ctx context.Context, x *exchange) error {
		ctx, cancel := context.WithTimeout(ctx, x.op.Timeout)
		defer cancel()
		x.ends, _ = ctx.Deadline()
		return next(ctx, x)
	}
}

// withSlot rejects a request when the API already serves as many as it may. It does not wait for a slot, because a
// queue delays every response, and a load balancer that gets a 503 can try another instance.
func withSlot(next serving) serving {
	return func(ctx context.Context, x *exchange) error {
		slots := x.op.API.Slots
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
			return next(ctx, x)
		default:
			return unavailable("The service is overloaded. Try again later.")
		}
	}
}

// withLifecycle announces in each response, errors included, when the operation ends (RFC 9745, RFC 8594).
func withLifecycle(next serving) serving {
	return func(ctx context.Context, x *exchange) error {
		header, l := x.w.Header(), &x.op.Lifecycle
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
		return next(ctx, x)
	}
}

// TakesSuffix reports whether the operation's path may have a format suffix, "" for none.
func (s *Server) TakesSuffix(suffix string) bool {
	return suffix == "" || slices.Contains(s.op.Suffixes(), suffix)
}

// ServeHTTP serves a request that chi has routed, which happens where a route of the user's own may take precedence.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, suffix := r.URL.EscapedPath(), ""
	if route := chi.RouteContext(r.Context()); route != nil {
		suffix = route.URLParam(formatKey)
		if route.RoutePath != "" {
			path = s.op.API.Whole(route.RoutePath)
		}
	}
	routing, _ := r.Context().Value(routingKey{}).(*Routing)
	arrival{server: s, routing: routing, path: path, suffix: suffix}.admit(w, r)
}

// Serve serves a request whose path, percent-encoded and without the suffix, matches the operation's template.
func (s *Server) Serve(w http.ResponseWriter, r *http.Request, routing *Routing, path, suffix string) {
	if routing == nil {
		r.Pattern = s.pattern // as chi leaves it to those around the API
		if len(s.op.API.Observers) > 0 {
			r, routing = WithRouting(r, nil)
		}
	}
	if routing != nil {
		routing.found(r, s, path, suffix)
	}
	arrival{server: s, routing: routing, path: path, suffix: suffix}.admit(w, r)
}

// exchange returns an exchange for a request. Earlier requests may have used it.
func (s *Server) exchange(w http.ResponseWriter, r *http.Request, path, suffix string) *exchange {
	x, ok := s.idle.Get().(*exchange)
	if !ok {
		x = new(exchange)
	}
	x.Server, x.w, x.r, x.path, x.suffix, x.format = s, w, r, path, suffix, s.standard
	x.call.Operation, x.call.Caller = s.op, x
	return x
}

// handle serves the request of an exchange, and keeps the exchange for another one.
func (x *exchange) handle() {
	s := x.Server
	// A Processor gets a method of the call, which it may have kept.
	if x.serve() && s.op.Processor == nil {
		x.reset()
		s.idle.Put(x)
	}
}

// serve serves the request, and reports whether nothing panicked.
func (x *exchange) serve() (whole bool) {
	if len(x.op.API.Observers) > 0 {
		defer x.endWatch()
	}
	defer func() {
		if cause := recover(); cause != nil {
			x.handlePanic(cause)
		}
	}()
	if len(x.op.API.Observers) > 0 {
		x.beginWatch()
	}
	if err := x.run(x.r.Context(), x); err != nil {
		x.sendError(err)
	}
	return true
}
