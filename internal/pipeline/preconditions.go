package pipeline

import (
	"context"
	"net/http"

	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/problem"
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
	x.conditions = conditions
	if x.op.RequirePrecondition && !conditions.Guards() {
		return errPreconditionRequired
	}
	return nil
}

// holdConditions compares the conditions of a change with the record as it is now, in
// the transaction that changes it.
func holdConditions(_ context.Context, x *exchange) error {
	if x.conditions.None() {
		return nil
	}
	now := conditional.Selected{Exists: !x.created}
	if x.id != nil && now.Exists {
		now.Modified = x.op.Resource.Modified(x.record)
		state, err := x.appendState(nil, x.record)
		if err != nil {
			return err
		}
		now.State = string(state)
	}
	if !x.conditions.Holds(now) {
		return errPreconditionFailed
	}
	return nil
}

// evaluateConditions compares the conditions of a reader with the answer, of which a
// client that has it already needs no copy.
func evaluateConditions(_ context.Context, x *exchange) error {
	if x.conditions.None() || x.format.Stream {
		return nil
	}
	switch x.conditions.Evaluate(x.selected()) {
	case conditional.Failed:
		return errPreconditionFailed
	case conditional.NotModified:
		x.status = http.StatusNotModified
	}
	return nil
}

var (
	// errPreconditionFailed is answered 412.
	errPreconditionFailed = problem.New(http.StatusPreconditionFailed,
		"The record is not in the state that the request is for. Read it again, and try once more.")
	// errPreconditionRequired is answered 428 (RFC 6585, section 3).
	errPreconditionRequired = problem.New(http.StatusPreconditionRequired,
		"Say which state of the record the change is for: send the ETag of its last answer in If-Match.")
)
