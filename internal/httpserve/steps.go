package httpserve

import (
	"context"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
)

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

// steps returns a list without the steps that are no part of it.
func steps(list ...step) []step {
	return slices.DeleteFunc(list, func(s step) bool { return s.run == nil })
}

// beforeCall are the steps of a request before the call.
func beforeCall(op *compiled.Operation) []step {
	return steps(
		when(len(op.API.Authentication) > 0, "credentials", readCredentials),
		when(op.IsGated(), "authorize", authorize),
		step{"negotiate", negotiateType},
		step{"parameters", readParameters},
		step{"preconditions", readConditions},
		when(op.TakesBody(), "receive", receive),
		when(op.Idempotency > 0, "replay", readKey),
	)
}

// beforeInner are the steps before the call of a request within the request of another protocol: what HTTP would
// negotiate is settled, and who calls is known.
func beforeInner(op *compiled.Operation) []step {
	return steps(
		when(len(op.API.Authentication) > 0, "credentials", takeClient),
		when(op.IsGated(), "authorize", authorize),
		step{"parameters", readParameters},
		step{"preconditions", readConditions},
		when(op.TakesBody(), "receive", takeBody),
		when(op.Idempotency > 0, "replay", readKey),
	)
}

// afterCall are the steps that make the response: in the transaction, if the operation writes.
func afterCall(op *compiled.Operation) []step {
	return steps(
		when(op.Observed, "fields", checkFields),
		when(op.Answers(), "serialize", serialize),
		when(op.Answers() && op.Shows, "validators", tagRecord),
		when(op.Answers() && op.Pages, "validators", tagPage),
		when(op.Answers() && op.Reads && !op.Shows && !op.Pages, "validators", tagBody),
		when(op.Reads, "preconditions", evaluateConditions),
	)
}

// authorize asks what can be told of the client before anything else of the request is read.
func authorize(ctx context.Context, x *exchange) error { return x.call.Authorize(ctx) }
