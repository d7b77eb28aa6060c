package pipeline

import (
	"context"
	"reflect"
	"time"

	"github.com/trove-api/trove/operation"
)

// write runs the operation's handler, and saves the record.
func write(ctx context.Context, x *exchange) error {
	if x.op.Handler != nil {
		return x.handle(ctx)
	}
	if !x.op.Kind.Writes() {
		return nil
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

// save writes a record in the transaction. A second save of a new record updates it.
func (x *exchange) save(ctx context.Context, record any) error {
	id := x.op.Resource.ID
	x.record = record
	if x.op.Kind == operation.KindDelete && x.op.Handler == nil {
		return x.tx.Delete(ctx, x.id)
	}
	if x.id != nil {
		id.Set(record, x.id)
	}
	x.op.Resource.Stamp(record, x.previous, time.Now())
	if x.created && !x.inserted {
		x.inserted = true
		return x.tx.Insert(ctx, record)
	}
	return x.tx.Update(ctx, id.Of(record), record)
}
