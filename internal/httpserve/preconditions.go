package httpserve

import (
	"context"
	"net/http"

	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/refusal"
)

// readConditions reads the conditions of the request, and refuses a change that has none
// where the resource wants them.
func readConditions(_ context.Context, x *exchange) error {
	timed := x.op.Resource.Struct.Modified != nil
	conditions, malformed := conditional.Read(x.r.Header, timed)
	if malformed != "" {
		message := malformed + ` must be * or a list of entity tags in double quotes, such as "a1b2"`
		return refuseParameter(wrongParameter{malformed, "header", message})
	}
	x.call.Conditions = conditions
	if x.op.RequirePrecondition && !conditions.Guards() {
		return errPreconditionRequired
	}
	return nil
}

// evaluateConditions compares the conditions of a reader with the answer, of which a
// client that has it already needs no copy.
func evaluateConditions(_ context.Context, x *exchange) error {
	if x.call.Conditions.None() || x.format.Stream {
		return nil
	}
	switch x.call.Conditions.Evaluate(x.selected()) {
	case conditional.Failed:
		return x.preconditionFailed()
	case conditional.NotModified:
		x.status = http.StatusNotModified
	}
	return nil
}

// preconditionFailed returns the error of conditions that do not hold. Reading the record again does not help a client whose
// tags are weak.
func (x *exchange) preconditionFailed() *problem.Problem {
	if x.call.Conditions.OnlyWeak() {
		return errWeakTag
	}
	return errPreconditionFailed
}

var (
	errWeakTag              = raise(refusal.WeakTag)
	errPreconditionFailed   = raise(refusal.PreconditionFailed)
	errPreconditionRequired = raise(refusal.PreconditionRequired)
)
