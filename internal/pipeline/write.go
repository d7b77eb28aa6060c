package pipeline

import (
	"context"
	"errors"
	"net/http"
	"reflect"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// write runs the operation's handler, and saves the record.
func write(ctx context.Context, x *exchange) error {
	if x.op.Handler != nil {
		return x.handle(ctx)
	}
	return x.process(ctx)
}

// handle calls the handler, and saves the record if the handler changed it.
func (x *exchange) handle(ctx context.Context) error {
	if x.in == nil {
		x.in = x.op.Handler.NewIn()
	}
	out, err := x.op.Handler.Call(ctx, x.record, x.in)
	x.out = out
	if err == nil && x.isNilObject(out) {
		err = errNilAnswer
	}
	if err != nil || !x.op.Saves() || reflect.DeepEqual(x.previous, x.record) {
		return err
	}
	if err := x.validateChange(ctx); err != nil {
		return err
	}
	return x.process(ctx)
}

// errNilAnswer is of a handler that has nothing to answer with. What it answers is an object
// in the document, with no word of null.
var errNilAnswer = errors.New("the handler returned neither an answer nor an error, but a nil pointer")

func (x *exchange) isNilObject(out any) bool {
	return x.op.Out != nil && x.op.Out.Type.Kind == model.Object && x.op.Out.Type.Nullable && reflect.ValueOf(out).IsNil()
}

// process saves the record through the operation's Processor, if there is one.
func (x *exchange) process(ctx context.Context) error {
	if x.op.Processor == nil {
		return x.save(ctx, x.record)
	}
	err := x.op.Processor.Call(ctx, x.request, x.record, x.save)
	x.unsaved = !x.saved
	if err == nil && x.unsaved && x.created && x.successStatus() == http.StatusCreated {
		return x.findCreated(ctx)
	}
	return err
}

// findCreated looks for the record that a Processor has not saved by save. It may have
// inserted it by other means, but 201 says that there is one.
func (x *exchange) findCreated(ctx context.Context) error {
	_, err := x.tx.Peek(ctx, x.op.Resource.ID.Of(x.record))
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
func (x *exchange) save(ctx context.Context, record any) error {
	if x.tx == nil {
		return errEnded
	}
	err := x.put(ctx, record)
	x.saved = x.saved || err == nil
	return err
}

// put writes the record, and sees that it can be read again.
func (x *exchange) put(ctx context.Context, record any) error {
	id := x.op.Resource.ID
	x.record = record
	if x.op.Kind == operation.KindDelete && x.op.Handler == nil {
		return x.tx.Delete(ctx, x.id)
	}
	saved := x.id
	if x.id != nil {
		id.Set(record, x.id)
	} else if x.inserted {
		saved = id.Of(record)
	}
	// A processor or a handler may have kept the record, and change it later.
	alone := x.op.Processor == nil && x.op.Handler == nil
	var err error
	if x.created && !x.inserted {
		err = x.tx.Insert(ctx, record, alone)
		x.inserted = err == nil
	} else {
		err = x.tx.Update(ctx, saved, record, alone)
	}
	if err != nil || alone && x.op.Answers() {
		return err
	}
	// The answer is something else, or may come to be, so that it does not show whether
	// the record can be read again.
	x.kept.state, err = x.op.Resource.Codec.Append(x.kept.state[:0], record)
	return err
}
