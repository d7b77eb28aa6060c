package execute

import (
	"context"
	"errors"
	"reflect"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// write runs the operation's handler, and saves the record.
func write(ctx context.Context, c *Call) error {
	switch {
	case c.Operation.Handler != nil:
		return c.handle(ctx)
	case c.Operation.Membership != nil:
		return changeMembership(ctx, c)
	case c.changesNothing():
		return nil
	}
	return c.process(ctx)
}

// handle calls the handler, and saves the record if the handler changed it.
func (c *Call) handle(ctx context.Context) error {
	if c.in == nil && c.Operation.element == nil {
		c.in = c.Operation.Handler.NewIn()
	}
	if c.Record == nil {
		c.Record = reflect.New(c.Operation.Resource.Struct.Go).Interface()
	}
	in := c.in
	if c.Operation.element != nil {
		list, err := c.elementsIn(ctx)
		if err != nil {
			return err
		}
		in = list
	}
	out, err := c.Operation.Handler.Call(ctx, c.Record, in)
	c.Out = out
	if err == nil && c.Operation.Listed {
		err = c.noteListed(out)
	} else if err == nil && c.isNilObject(out) {
		err = errNilAnswer
	}
	// A handler that changed nothing saves nothing: no new version, no new tag, no conflict.
	if err != nil || !c.Operation.Saves() || reflect.DeepEqual(c.previous, c.Record) {
		return err
	}
	if err := c.validateChange(ctx); err != nil {
		return err
	}
	// The rule is asked of what the handler has made of the record, which nobody has judged before.
	if c.Operation.Gate != nil {
		if err := c.hold(ctx, c.Operation.Gate.Act); err != nil {
			return err
		}
	}
	return c.process(ctx)
}

// noteListed notes the records that a handler has answered with.
// They are then shown record by record, like those of a store: members that the caller may not see
// are left out of them too.
func (c *Call) noteListed(out any) error {
	page, err := c.Operation.Resource.Answered(out)
	c.Items, c.Total = page.Items, NoTotal
	return err
}

// errNilAnswer is of a handler that has nothing to answer with. What it answers is an object
// in the document, with no word of null.
var errNilAnswer = errors.New("the handler returned neither an answer nor an error, but a nil pointer")

func (c *Call) isNilObject(out any) bool {
	if c.Operation.Output != nil { // of the record that it is made of
		v := reflect.ValueOf(out)
		return v.Kind() == reflect.Pointer && v.IsNil()
	}
	return c.Operation.Out != nil && c.Operation.Out.Type.Kind == model.Object && c.Operation.Out.Type.Nullable && reflect.ValueOf(out).IsNil()
}

// process saves the record through the operation's Processor, if there is one.
// A Processor decides itself whether and when to save, and is handed save rather than the store, so
// that it cannot leave the transaction.
func (c *Call) process(ctx context.Context) error {
	if c.Operation.Processor == nil {
		return c.save(ctx, c.Record)
	}
	err := c.Operation.Processor.Call(ctx, c.Request, c.Record, c.save)
	c.Unsaved = !c.saved
	if err == nil && c.Unsaved && c.Created && c.tellsCreated() {
		return c.findCreated(ctx)
	}
	return err
}

// tellsCreated reports whether success says that there is a new record now.
func (c *Call) tellsCreated() bool { return c.ID != nil || c.Operation.AnswersCreated() }

// findCreated looks for the record that a Processor has not saved by save. It may have
// inserted it by other means, but 201 says that there is one.
func (c *Call) findCreated(ctx context.Context) error {
	_, err := c.tx.Peek(ctx, c.Operation.Resource.ID.Of(c.Record))
	if errors.Is(err, store.ErrNotFound) {
		return errNothingCreated
	}
	return err
}

var (
	// errEnded is of a Processor that saves when it has returned.
	errEnded = errors.New("the operation has ended: nothing can be saved any more")
	// errNothingCreated is of a Processor that returned nil and saved nothing.
	errNothingCreated = errors.New("the Processor returned nil and saved no record, but the operation is answered 201: " +
		"call save, return an error, or give the operation another Status, such as 202")
)

// save writes a record in the transaction. A second save of a new record updates it.
// It is handed to users, who may call it twice, late, or with a record of their own: each of these
// is answered by an error or by what was meant.
func (c *Call) save(ctx context.Context, record any) error {
	if c.tx == nil {
		return errEnded
	}
	err := c.put(ctx, record)
	c.saved = c.saved || err == nil
	return err
}

// put writes the record, and sees that it can be read again.
// A record that is saved and cannot be shown any more would be lost to all clients, so that it is
// encoded before the transaction ends even where the answer is something else.
func (c *Call) put(ctx context.Context, record any) error {
	id := c.Operation.Resource.ID
	c.Record = record
	// By the path, not by the record: a Processor may have been handed it and changed its identifier.
	if c.Operation.Kind == operation.KindDelete && c.Operation.Handler == nil && c.Operation.Membership == nil {
		return c.tx.Delete(ctx, c.ID)
	}
	saved := c.ID
	if c.ID != nil {
		id.Set(record, c.ID)
	} else if c.inserted {
		saved = id.Of(record)
	}
	// A processor or a handler may have kept the record, and change it later; that of an element has.
	alone := c.Operation.Processor == nil && c.Operation.Handler == nil && !c.element
	var err error
	if c.Created && !c.inserted {
		if err := c.checkKey(record); err != nil {
			return err
		}
		err = c.tx.Insert(ctx, record, alone)
		c.inserted = err == nil
	} else {
		err = c.tx.Update(ctx, saved, record, alone)
	}
	if err != nil || alone && c.Operation.Answers() && !c.Operation.Narrows() {
		return err
	}
	// The answer is something else, or may come to be, so that it does not show whether
	// the record can be read again.
	c.State, err = c.Operation.Resource.Source.Answer.Encoder.Append(c.State[:0], record)
	return err
}
