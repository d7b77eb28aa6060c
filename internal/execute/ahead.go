package execute

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// maxStarts is how often a call with a function before its transaction starts, when its record changes meanwhile.
const maxStarts = 5

// errChanged is the error of a run in the transaction whose record is no longer the one that the call has been
// prepared for.
var errChanged = errors.New("the record changed before the transaction began")

// prepared is what the steps before the transaction have made of a call. Each run of the transaction begins with
// a copy of it.
type prepared struct {
	attempt

	header operation.ResponseHeader // that functions have set
}

// runAhead runs a call whose slow work comes before the transaction: the steps up to the write outside of it, then
// the function, and in the transaction only what must hold there. If the record has changed in between, the call starts over.
func (c *Call) runAhead(ctx context.Context) error {
	for range maxStarts {
		// A repeated call does no slow work: its response is looked up in a short transaction.
		if c.prepared = nil; c.Key != nil {
			if err := c.transact(ctx); err != nil || c.Replayed {
				return err
			}
			c.ran = false
		}
		if err := c.prepareAhead(ctx); err != nil {
			return err
		}
		if err := c.transact(ctx); !errors.Is(err, errChanged) {
			return err
		}
	}
	return fmt.Errorf("%w: the record changed %d times while the work before the transaction ran", store.ErrUnavailable, maxStarts)
}

// prepareAhead runs the steps before the transaction, and keeps what comes of them.
func (c *Call) prepareAhead(ctx context.Context) error {
	if err := c.begin(ctx, nil); err != nil {
		return err
	}
	if err := c.runSteps(ctx, c.Operation.ahead); err != nil {
		return err
	}
	c.prepared = &prepared{c.attempt, c.Request.ResponseHeader}
	c.ran = false                                     // the transaction goes on where this has ended
	c.caller.Set(c.caller.Principal, c.caller.Scopes) // what functions of rules have returned may have changed since
	return nil
}

// resume makes of the call what it was before the transaction, if its record is still the same, and checks again
// what may have changed without it: the rules of access and the references.
// Functions of the transaction may change what they are handed, so each run gets copies.
func resume(ctx context.Context, c *Call) error {
	now, op := c.attempt, c.Operation
	if same, err := c.isPrepared(); err != nil || !same {
		c.latest = now.previous
		return cmp.Or(err, errChanged)
	}
	c.attempt = c.prepared.attempt
	c.tx, c.previous = now.tx, now.previous
	c.Request.ResponseHeader = maps.Clone(c.prepared.header)
	if op.Custom {
		if c.Record = now.Record; op.In != nil {
			c.in = op.In.Codec.Clone(c.in)
		}
		return nil
	}
	c.Record = op.Resource.Codec.Clone(c.Record)
	c.in = c.Record
	return c.authorizeAgain(ctx)
}

// isPrepared reports whether the record is still the one that the call has been prepared for: the same state, or
// missing both times.
func (c *Call) isPrepared() (bool, error) {
	before := c.prepared.previous
	if before == nil || c.previous == nil || before == c.previous {
		return before == c.previous, nil
	}
	one, err := c.Operation.Resource.Codec.AppendState(nil, before)
	if err != nil {
		return false, err
	}
	other, err := c.Operation.Resource.Codec.AppendState(nil, c.previous)
	return bytes.Equal(one, other), err
}

// authorizeAgain asks the rules about the record as the function has left it, and looks up its references once more.
// Its fields are not validated again: the function may have replaced a password with its hash.
func (c *Call) authorizeAgain(ctx context.Context) error {
	if err := c.guardAgain(ctx); err != nil {
		return err
	}
	var found model.Report
	if err := c.checkReferences(ctx, c.Operation.Resource.Source.Type, c.Record, &found); err != nil {
		return err
	}
	if c.added != nil {
		c.placeAdded(&found)
	}
	if err := invalid(&found, nil); err != nil || c.Operation.Gate == nil {
		return err
	}
	return authorizeChange(ctx, c)
}

// guardAgain asks the rules of the fields that the caller has written.
func (c *Call) guardAgain(ctx context.Context) error {
	if c.written == 0 {
		return nil
	}
	for i := range c.Operation.Resource.Gate.List {
		m := &c.Operation.Resource.Gate.List[i]
		if !c.written.Has(i) {
			continue
		}
		of := c.previous
		if of == nil {
			of = c.Record
		}
		if err := c.mayWriteIn(ctx, m, of); err != nil {
			return err
		}
	}
	return nil
}
