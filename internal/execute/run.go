package execute

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/reentry"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// Run runs the steps of the operation. The result is not nil, even beside an error.
func (c *Call) Run(ctx context.Context) (*Result, error) {
	op := c.Operation
	if !c.authorized {
		if err := c.Authorize(ctx); err != nil {
			return &c.Result, err
		}
	}
	// A call without parameters has the defaults of all of them, pages included.
	if c.Values == nil {
		values, err := op.Parameters.Read(ctx, "", nil, op.API.Ignored, nil)
		if err != nil {
			return &c.Result, err
		}
		c.Values = values
	}
	if c.Request == nil && op.Observed {
		c.ownRequest = true
		c.describe(ctx)
	}
	ctx = c.within(ctx)
	if op.Reads {
		return &c.Result, c.run(ctx)
	}
	var err error
	if op.ahead != nil {
		err = c.runAhead(ctx)
	} else {
		// The call itself is handed over under another type, for a function that closes over it would be an
		// allocation in every write.
		err = c.transact(ctx, (*saving)(c))
	}
	if c.Request != nil {
		reentry.End(ctx)
	}
	return &c.Result, err
}

// transact runs a part of the call in a transaction.
func (c *Call) transact(ctx context.Context, part compiled.Runner) error {
	err := c.Operation.owner.Store.Transact(ctx, part)
	if err != nil {
		err = c.ofIntegrity(err)
	}
	// From here on nothing can be saved: a Processor may have kept save, and call it later.
	c.tx = nil
	if err == nil && !c.whole {
		err = errNotRun
	}
	return err
}

// errNotRun is of a store that breaks what it promises.
var errNotRun = errors.New("the store's Transact returned nil, though its function has not returned nil")

// within returns the context that hooks, handlers and stores are handed.
func (c *Call) within(ctx context.Context) context.Context {
	if c.Request == nil {
		return ctx
	}
	return operation.WithRequest(ctx, c.Request)
}

// run runs the steps, and has the answer made.
// The answer is made as the last step of the transaction. If it cannot be made, nothing is saved
// either: a client that is told of a failure must be able to try again.
func (c *Call) run(ctx context.Context) error {
	if err := c.runAll(ctx, c.Operation.steps); err != nil {
		return err
	}
	if !c.Operation.Custom {
		c.Out = c.Record
	}
	if c.Caller == nil {
		return nil
	}
	return c.Caller.Answer(ctx, &c.Result)
}

// runAll runs steps in order.
func (c *Call) runAll(ctx context.Context, list []step) error {
	for i := range list {
		if err := c.runStep(ctx, &list[i]); err != nil {
			return err
		}
	}
	return nil
}

// Time is taken only if someone watches: two looks at the clock for each of ten steps are more
// than some steps cost.
func (c *Call) runStep(ctx context.Context, s *step) error {
	if c.Watcher == nil {
		return s.run(ctx, c)
	}
	began := time.Now()
	err := s.run(ctx, c)
	c.Watcher.Ran(s.name, began)
	return err
}

// saving is a call whose steps run in a transaction.
type saving Call

// Run runs the steps. With a key, their answer is kept in the transaction, too.
func (s *saving) Run(ctx context.Context, tx compiled.Tx) error {
	c := (*Call)(s)
	if err := c.begin(ctx, tx); err != nil {
		return err
	}
	if c.Key != nil {
		if err := c.runStep(ctx, &step{"replay", lookUp}); err != nil || c.Replayed {
			c.whole = err == nil
			return err
		}
	}
	if err := c.run(ctx); err != nil {
		return err
	}
	if c.Key != nil {
		if err := c.runStep(ctx, &step{"replay", keep}); err != nil {
			return err
		}
	}
	c.whole = true
	return nil
}

// begin begins a run of the steps, of which the store may make several: nothing of one
// survives into the next, in what hooks see neither.
func (c *Call) begin(ctx context.Context, tx compiled.Tx) error {
	// A whole value, so that a field which is added some day is forgotten here as well.
	c.attempt = attempt{tx: tx}
	again := c.ran
	c.ran = true
	if again && c.ownRequest {
		c.describe(ctx)
	}
	if again && c.Caller != nil {
		return c.Caller.Again(ctx)
	}
	return nil
}

// Key makes a call safe to send again: the second one with it is given the answer to the
// first.
type Key struct {
	Name    string // as stores keep it: of this caller and operation alone
	Request []byte // what two calls must have in common to be the same
}

// lookUp looks for the answer to the same call, in the transaction that would save another.
func lookUp(ctx context.Context, c *Call) error {
	// In the transaction, or two requests with one key at the same time would both find nothing and
	// both save.
	kept, err := c.tx.Answer(ctx, c.Key.Name)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil:
		return err
	case !slices.Equal(kept.Request, c.Key.Request):
		return ErrKeyUsed
	}
	c.Replayed, c.Kept = true, kept.Content
	return nil
}

// keep keeps the answer together with what was saved.
// The time is the process's: an answer that expires a second early or late harms nobody.
func keep(ctx context.Context, c *Call) error {
	var content []byte
	if c.Caller != nil {
		var err error
		if content, err = c.Caller.Keep(); err != nil {
			return err
		}
	}
	// With what was saved or not at all: a kept answer to a change that was rolled back would be a lie.
	return c.tx.KeepAnswer(ctx, c.Key.Name, store.Answer{
		Request: c.Key.Request, Content: content, Expires: time.Now().Add(c.Operation.Idempotency),
	})
}
