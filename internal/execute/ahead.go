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

// maxStarts is the maximum number of starts of a call with a BeforeTransaction whose record changes meanwhile.
const maxStarts = 5

// errChanged reports that the record has changed since the call was prepared.
var errChanged = errors.New("the record changed before the transaction began")

// prepared is the state of a call after the steps before the transaction. Each run of the transaction begins with a copy.
type prepared struct {
	attempt

	header operation.ResponseHeader // set by functions
}

// runAhead runs a call with slow work before its transaction: first the steps up to the write and the user function, then
// the transaction with the remaining checks and the write. If the record has changed in between, the call starts over.
func (c *Call) runAhead(ctx context.Context) error {
	for range maxStarts {
		// A repeated call does no slow work: a short transaction looks up its response.
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
	return fmt.Errorf("%w: the record changed %d times during BeforeTransaction", store.ErrUnavailable, maxStarts)
}

// prepareAhead runs the steps before the transaction, and keeps their result.
func (c *Call) prepareAhead(ctx context.Context) error {
	if err := c.begin(ctx, nil); err != nil {
		return err
	}
	if err := c.runSteps(ctx, c.Operation.ahead); err != nil {
		return err
	}
	c.prepared = &prepared{c.attempt, c.Request.ResponseHeader}
	c.ran = false                                     // the transaction continues this run
	c.caller.Set(c.caller.Principal, c.caller.Scopes) // results of rules may change
	return nil
}

// resume restores the prepared state of the call if its record is still the same, and checks access and references again.
// Each run of the transaction gets copies, because functions may change their arguments.
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

// isPrepared reports whether the record still has the state that the call was prepared for, or is still missing.
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

// authorizeAgain checks access and references of the record after the user function. It does not validate the fields
// again, because the function may have replaced a password by its hash.
func (c *Call) authorizeAgain(ctx context.Context) error {
	if err := c.guardAgain(ctx); err != nil {
		return err
	}
	var found model.Report
	if err := c.checkReferences(ctx, c.Operation.Resource.Source.Type, c.Record, &found); err != nil {
		return err
	}
	if err := invalid(&found, nil); err != nil || c.Operation.Gate == nil {
		return err
	}
	return authorizeChange(ctx, c)
}

// guardAgain checks the rules of the fields that the caller has written.
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
