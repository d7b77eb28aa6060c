package httpserve

import (
	"strconv"

	"github.com/trove-api/trove/internal/problem"
)

// enter takes one of the places of operations that run at once, and reports whether there
// was one.
func (x *exchange) enter() bool {
	if x.op.API.Places == nil {
		return true
	}
	// Refused at once rather than made to wait: a queue in front of a service that has too much to do
	// makes every answer late, and a balancer that is told 503 can ask another one.
	select {
	case x.op.API.Places <- struct{}{}:
		return true
	default:
		return false
	}
}

// leave gives the place to another.
func (x *exchange) leave() {
	if x.op.API.Places != nil {
		<-x.op.API.Places
	}
}

// busy is the refusal where there is no place.
func busy() *problem.Problem { return unavailable("The service has too much to do for now.") }

// announceEnd says of an operation that it is to go, in every answer of it (RFC 9745,
// RFC 8594).
func (x *exchange) announceEnd() {
	l := &x.op.Lifecycle
	if l.Deprecated.IsZero() && l.Sunset.IsZero() {
		return
	}
	header := x.w.Header()
	if !l.Deprecated.IsZero() {
		// A number of seconds behind @, as structured fields write dates (RFC 9651, section 3.3.7).
		header.Set("Deprecation", "@"+strconv.FormatInt(l.Deprecated.Unix(), 10))
	}
	if !l.Sunset.IsZero() {
		header.Set("Sunset", httpTime(l.Sunset))
	}
	if l.Link != "" {
		header.Add("Link", "<"+l.Link+`>; rel="deprecation"`)
	}
}
