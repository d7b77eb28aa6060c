package httpserve

import (
	"context"
	"net/http"
	"strconv"

	"github.com/trove-api/trove/internal/compiled"
)

// serving serves a request. It returns an error only if nothing has been sent.
type serving func(ctx context.Context, x *exchange) error

// around returns what serves the requests of an operation: its steps, and around them only what the declaration asks
// for.
func around(op *compiled.Operation) serving {
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
			return unavailable("The service has too much to do for now.")
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
