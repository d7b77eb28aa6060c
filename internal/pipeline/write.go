package pipeline

import (
	"context"
	"errors"
	"reflect"

	"github.com/trove-api/trove/operation"
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
	if err != nil || !x.op.Saves() || reflect.DeepEqual(x.previous, x.record) {
		return err
	}
	if err := x.validateChange(ctx); err != nil {
		return err
	}
	return x.process(ctx)
}

// process saves the record through the operation's Processor, if there is one.
func (x *exchange) process(ctx context.Context) error {
	if x.op.Processor == nil {
		return x.save(ctx, x.record)
	}
	return x.op.Processor.Call(ctx, x.request, x.record, x.save)
}

// errEnded is of a Processor that saves when it has returned.
var errEnded = errors.New("the operation has ended: nothing can be saved any more")

// save writes a record in the transaction. A second save of a new record updates it.
func (x *exchange) save(ctx context.Context, record any) error {
	if x.tx == nil {
		return errEnded
	}
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
	x.op.Resource.Stamp(record, x.previous, x.created && !x.inserted)
	// A processor or a handler may have kept the record, and change it later.
	alone := x.op.Processor == nil && x.op.Handler == nil
	if x.created && !x.inserted {
		x.inserted = true
		return x.tx.Insert(ctx, record, alone)
	}
	return x.tx.Update(ctx, saved, record, alone)
}
