package serve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// transact runs the steps in a transaction.
func (c *call) transact(ctx context.Context) error {
	// The call itself under another type, because a closure would allocate on every write.
	err := c.op.owner.Store.Transact(ctx, (*inTransaction)(c))
	if err != nil && c.unchecked != nil {
		err = c.explainUnchecked(ctx, err)
	}
	if err != nil {
		err = c.explainConflict(err)
	}
	// From here on nothing can be saved: a Processor may have kept save, and call it later.
	c.tx = nil
	if err == nil && !c.whole {
		err = errNotRun
	}
	return err
}

// errNotRun reports a store that breaks its contract.
var errNotRun = errors.New("the store's Transact returned nil, though its function has not returned nil")

// inTransaction is a call whose steps run in a transaction.
type inTransaction call

// Run runs the steps. With a key, it looks up and keeps their response in the transaction, too. The last steps create the
// response: a client that gets an error must be able to try again, so nothing is saved without a response.
func (t *inTransaction) Run(ctx context.Context, tx compiled.Tx) error {
	c := (*call)(t)
	if err := c.begin(ctx, tx); err != nil {
		return err
	}
	if c.key != nil {
		if err := c.runSteps(ctx, []step{{"replay", findResponse}}); err != nil || c.kept != nil {
			c.whole = err == nil
			return err
		}
	}
	if c.op.ahead == nil || c.prepared != nil { // else the transaction is to look up the response
		if err := c.runSteps(ctx, c.op.steps); err != nil {
			return err
		}
		if c.key != nil {
			if err := c.runSteps(ctx, []step{{"replay", keepResponse}}); err != nil {
				return err
			}
		}
	}
	c.whole = true
	return nil
}

// begin begins a run of the steps. If another one was before, it discards its state and its response, and reads the
// parameters again, because hooks may have changed them.
func (c *call) begin(ctx context.Context, tx compiled.Tx) error {
	again := c.ran
	c.attempt, c.ran = attempt{tx: tx}, true
	if again { // what rules have found may have changed, and the results of the user's functions
		c.caller.Set(c.caller.Principal, c.caller.Scopes)
	}
	if again && c.request != nil {
		return readParameters(ctx, c)
	}
	return nil
}

// endsBy returns the function that saves the record, the last thing that most transactions do. After it, nothing may fail:
// so not if functions of the user run, or other records are read.
func (o *Operation) endsBy() func(ctx context.Context, c *call) error {
	embeds := slices.ContainsFunc(o.Expansions, func(e *compiled.Expansion) bool { return e.Always })
	if o.Processor != nil || o.Output != nil || o.Computes || o.hides || embeds {
		return o.write
	}
	return func(ctx context.Context, c *call) error {
		if tx, ok := c.tx.(compiled.Ender); ok && c.key == nil && len(c.values.Expand) == 0 && c.canRespond(ctx) {
			tx.Ends()
		}
		return c.op.store(ctx, c)
	}
}

// canRespond reports whether the record can be encoded, and the response created: they would be after the write too.
func (c *call) canRespond(ctx context.Context) bool {
	o, err := c.op, error(nil)
	if o.TakesBody() && !o.shownWhole {
		c.buffers.state, err = o.Resource.Source.Response.Encoder.Append(c.buffers.state[:0], c.record)
	}
	if err == nil && o.Observed {
		err = checkFields(ctx, c)
	}
	if err == nil && o.HasResponseBody() {
		err = serialize(ctx, c)
		c.buffers.response, c.response = c.response[:0], nil
	}
	return err == nil
}

// maxStarts is the maximum number of starts of a call with a BeforeTransaction whose record changes meanwhile.
const maxStarts = 5

// errChanged reports that the record has changed since the call was prepared.
var errChanged = errors.New("the record changed before the transaction began")

// prepared is the state of a call after the steps before the transaction. Each run of the transaction begins with a copy.
type prepared struct {
	attempt

	header operation.ResponseHeader // set by functions
}

// prepareAndTransact runs a call with slow work before its transaction: first the steps up to the write and the user
// function, then the transaction with the remaining checks and the write. If the record has changed in between, the call
// starts over.
func (c *call) prepareAndTransact(ctx context.Context) error {
	for range maxStarts {
		// A repeated call does no slow work: a short transaction looks up its response.
		if c.prepared = nil; c.key != nil {
			if err := c.transact(ctx); err != nil || c.kept != nil {
				return err
			}
			c.ran = false
		}
		if err := c.begin(ctx, nil); err != nil {
			return err
		}
		if err := c.runSteps(ctx, c.op.ahead); err != nil {
			return err
		}
		c.prepared = &prepared{c.attempt, c.request.ResponseHeader}
		c.ran = false                                     // the transaction continues this run
		c.caller.Set(c.caller.Principal, c.caller.Scopes) // results of rules may change
		if err := c.transact(ctx); !errors.Is(err, errChanged) {
			return err
		}
	}
	return fmt.Errorf("%w: the record changed %d times during BeforeTransaction", store.ErrUnavailable, maxStarts)
}

// resume restores the prepared state of the call if its record is still the same, and checks access and references again.
// Each run of the transaction gets copies, because functions may change their arguments.
func resume(ctx context.Context, c *call) error {
	now, op := c.attempt, c.op
	if same, err := c.isPrepared(); err != nil || !same {
		c.latest = now.previous
		return cmp.Or(err, errChanged)
	}
	c.attempt = c.prepared.attempt
	c.tx, c.previous = now.tx, now.previous
	c.request.ResponseHeader = maps.Clone(c.prepared.header)
	if op.Custom {
		if c.record = now.record; op.In != nil {
			c.in = op.In.Codec.Clone(c.in)
		}
		return nil
	}
	c.record = op.Resource.Codec.Clone(c.record)
	c.in = c.record
	return authorizeAgain(ctx, c)
}

// isPrepared reports whether the record still has the state that the call was prepared for, or is still missing.
func (c *call) isPrepared() (bool, error) {
	before := c.prepared.previous
	if before == nil || c.previous == nil || before == c.previous {
		return before == c.previous, nil
	}
	one, err := c.op.Resource.Codec.AppendState(nil, before)
	if err != nil {
		return false, err
	}
	other, err := c.op.Resource.Codec.AppendState(nil, c.previous)
	return bytes.Equal(one, other), err
}

// authorizeAgain checks access to the record and to the fields that the caller has written, and references, after the user
// function. It does not validate the fields again, because the function may have replaced a password by its hash.
func authorizeAgain(ctx context.Context, c *call) error {
	of := c.previous
	if of == nil {
		of = c.record
	}
	for i := 0; c.changedFields != 0 && i < len(c.op.Resource.Gate.List); i++ {
		if !c.changedFields.Has(i) {
			continue
		}
		if err := checkWrite(ctx, &c.caller, &c.op.Resource.Gate.List[i], of); err != nil {
			return err
		}
	}
	var found model.Report
	if err := c.checkReferences(ctx, c.op.Resource.Source.Type, c.record, &found); err != nil {
		return err
	}
	if err := invalid(&found, nil); err != nil || c.op.Gate == nil {
		return err
	}
	return authorizeChange(ctx, c)
}
