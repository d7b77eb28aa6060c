package execute

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/trove-api/trove/store"
)

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
