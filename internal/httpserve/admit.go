package httpserve

import "github.com/trove-api/trove/internal/problem"

// enter takes one of the slots of operations that run at once, and reports whether there
// was one.
func (x *exchange) enter() bool {
	if x.op.API.Slots == nil {
		return true
	}
	// Refused at once rather than made to wait: a queue in front of a service that has too much to do
	// makes every answer late, and a balancer that is told 503 can ask another one.
	select {
	case x.op.API.Slots <- struct{}{}:
		return true
	default:
		return false
	}
}

// leave gives the slot to another.
func (x *exchange) leave() {
	if x.op.API.Slots != nil {
		<-x.op.API.Slots
	}
}

// busy is the refusal where there is no slot.
func busy() *problem.Problem { return unavailable("The service has too much to do for now.") }
