package execute

import (
	"context"
	"errors"

	"github.com/trove-api/trove/store"
)

// process saves the record through the operation's Processor, if it has one.
// A Processor decides itself whether and when to save. It is handed a function to save with rather than the store, so
// that it cannot leave the transaction.
func process(ctx context.Context, c *Call) error {
	if c.Operation.Processor == nil {
		c.saved = true
		return c.Operation.store(ctx, c, c.Record)
	}
	err := c.Operation.Processor.Call(ctx, c.Request, c.Record, c.save)
	c.Unsaved = !c.saved
	if err == nil && c.Unsaved && c.Created && (c.ID != nil || c.Operation.AnswersCreated()) {
		return c.findCreated(ctx)
	}
	return err
}

// findCreated looks for the record that a Processor has not saved. It may have
// inserted the record by other means, but a 201 promises that it exists.
func (c *Call) findCreated(ctx context.Context) error {
	_, err := c.tx.Peek(ctx, c.Operation.Resource.ID.Of(c.Record))
	if errors.Is(err, store.ErrNotFound) {
		return errNothingCreated
	}
	return err
}

var (
	// errEnded reports a Processor that saves after it has returned.
	errEnded = errors.New("the operation has ended: nothing can be saved any more")
	// errNothingCreated reports a Processor that returned nil and saved nothing.
	errNothingCreated = errors.New("the Processor returned nil and saved no record, but the operation is answered 201: " +
		"call save, return an error, or give the operation another Status, such as 202")
)

// save writes a record in the transaction. It is handed to users, who may call it twice, late, or with a record of
// their own: each of these gets an error, or what was meant.
func (c *Call) save(ctx context.Context, record any) error {
	if c.tx == nil {
		return errEnded
	}
	err := c.Operation.store(ctx, c, record)
	c.saved = c.saved || err == nil
	return err
}

// putRecord inserts or updates the record, and makes sure that it can be read again. A second save of a new record
// updates it.
// A record that is saved and cannot be shown any more would be lost to all clients, so it is
// encoded before the transaction ends even if the response is something else.
func putRecord(ctx context.Context, c *Call, record any) error {
	o := c.Operation
	id := o.Resource.ID
	c.Record = record
	saved := c.ID
	// By the path, not by the record: a Processor may have been handed it and changed its identifier.
	if c.ID != nil {
		id.Set(record, c.ID)
	} else if c.inserted {
		saved = id.Of(record)
	}
	var err error
	if c.Created && !c.inserted {
		if o.fromService != nil {
			if err := c.checkKey(record); err != nil {
				return err
			}
		}
		err = c.tx.Insert(ctx, record, o.hands)
		c.inserted = err == nil
	} else {
		err = c.tx.Update(ctx, saved, record, o.hands)
	}
	if err != nil || o.shownWhole {
		return err
	}
	// The response is something else, or may come to be, so it does not show whether
	// the record can be read again.
	c.State, err = o.Resource.Source.Answer.Encoder.Append(c.State[:0], record)
	return err
}
