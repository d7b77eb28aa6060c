package httpserve

import (
	"context"

	"github.com/trove-api/trove/internal/compiled"
)

// step is one step of a request.
type step struct {
	name     string
	run      func(ctx context.Context, x *exchange) error
	concerns func(op *compiled.Operation) bool // nil for all of them
}

// The steps before the call, and those that make its answer: of an operation that writes, in
// the transaction.
var (
	before = [...]step{
		{"credentials", readCredentials, authenticates},
		{"authorize", authorize, (*compiled.Operation).IsGated},
		{"negotiate", negotiateType, nil},
		{"parameters", readParameters, nil},
		{"preconditions", readConditions, nil},
		{"receive", receive, (*compiled.Operation).TakesBody},
		{"replay", readKey, keepsAnswers},
	}
	after = [...]step{
		{"fields", checkFields, nil}, // rules of access see the request, too, whatever the operation is
		{"serialize", serialize, (*compiled.Operation).Answers},
		{"validators", addValidators, (*compiled.Operation).Answers},
		{"preconditions", evaluateConditions, reads},
	}
)

// authorize asks what can be told of the client before anything else of the request is read.
func authorize(ctx context.Context, x *exchange) error { return x.call.Authorize(ctx) }

func keepsAnswers(op *compiled.Operation) bool { return op.Idempotency > 0 }

func reads(op *compiled.Operation) bool { return !op.Kind.Writes() }

// stepLists are the steps of one operation.
type stepLists struct{ before, inner, after []*step }

func stepListsOf(op *compiled.Operation) stepLists {
	return stepLists{concerning(op, before[:]), concerning(op, innerBefore[:]), concerning(op, after[:])}
}

// concerning returns the steps that concern an operation.
func concerning(op *compiled.Operation, steps []step) []*step {
	chosen := make([]*step, 0, len(steps))
	for i := range steps {
		if s := &steps[i]; s.concerns == nil || s.concerns(op) {
			chosen = append(chosen, s)
		}
	}
	return chosen
}
