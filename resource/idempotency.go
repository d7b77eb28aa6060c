package resource

import (
	"cmp"
	"context"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

// idempotency compiles how long answers to requests with an Idempotency-Key are kept, and
// asks the store whether it can.
func (c *compiler) idempotency(where string, d definition, m operation.Metadata, op *compiled.Operation) {
	posts := op.Kind == operation.KindPost && op.Saves()
	if m.Idempotency > 0 && !posts {
		c.fail(where, "Idempotency is set; allowed on a Post that saves a record")
	}
	keep := cmp.Or(m.Idempotency, d.defaults.Idempotency)
	if !posts || keep <= 0 {
		return
	}
	op.Idempotency = keep
	if d.answerKeeper == nil {
		c.fail(where, "Idempotency is set, but the store keeps no answers: use one that is a store.AnswerKeeper, or leave Idempotency out")
		return
	}
	c.note(where+": store", d.answerKeeper.CheckAnswers(context.Background()))
}
