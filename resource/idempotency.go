package resource

import (
	"cmp"
	"context"
	"time"

	"github.com/trove-api/trove/operation"
)

// idempotency compiles how long answers to requests with an Idempotency-Key are kept.
func (c *compiler) idempotency(where string, d *definition, m *operation.Metadata, op *draft) {
	own := op.Bodies() == nil || op.Bodies() == op.Resource // else the transaction is that of another store
	posts := op.Kind == operation.KindPost && (op.Saves || op.together && own)
	if m.Idempotency != 0 && !posts {
		c.fail(where, "Idempotency is set; allowed on a Post that saves a record")
	}
	c.checkIdempotency(where, m.Idempotency, d)
	if posts {
		op.Idempotency = max(cmp.Or(m.Idempotency, d.defaults.Idempotency), 0)
	}
}

// checkIdempotency checks what an operation or a resource says of it, and asks the store
// whether it can.
func (c *compiler) checkIdempotency(where string, keep time.Duration, d *definition) {
	switch {
	case keep <= 0:
	case d.store.AnswerKeeper == nil && d.store.WrapsKeeper:
		c.fail(where, "Idempotency is set, and the store wraps one that keeps answers, but does not say that its own transactions do: "+
			"give it a method CheckAnswers if they are a store.AnswerTx, or leave Idempotency out")
	case d.store.AnswerKeeper == nil:
		c.fail(where, "Idempotency is set, but the store keeps no answers: use one that is a store.AnswerKeeper, or leave Idempotency out")
	default:
		c.noteStore(where, d, d.store.AnswerKeeper.CheckAnswers(context.Background()))
	}
}
