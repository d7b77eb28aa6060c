package pipeline

import (
	"context"
	"errors"
	"reflect"

	"github.com/trove-api/trove/store"
)

// read loads the record that the path names, or the records of a collection.
func read(ctx context.Context, x *exchange) error {
	switch {
	case x.op.Item:
		return x.readItem(ctx)
	case x.op.Handler != nil:
		x.record = reflect.New(x.op.Resource.Struct.Go).Interface()
	case x.op.IsCollection():
		return x.list(ctx)
	}
	return nil
}

func (x *exchange) readItem(ctx context.Context) error {
	stored, err := x.load(ctx)
	if err != nil {
		return x.orCreate(err)
	}
	x.record = stored
	if x.request == nil && (x.op.Resource.Struct.Version == nil || !x.op.Saves()) {
		return nil
	}
	x.previous, x.record = stored, x.op.Resource.Codec.Clone(stored)
	if x.request != nil {
		x.request.Previous = x.previous
	}
	return nil
}

// load returns the record: a copy in a transaction, else one that is shared.
func (x *exchange) load(ctx context.Context) (any, error) {
	if x.tx != nil {
		return x.tx.Get(ctx, x.id)
	}
	return x.op.Resource.Store.Get(ctx, x.id)
}

// orCreate lets a Put with AllowCreate go on where the record is missing.
func (x *exchange) orCreate(err error) error {
	if x.op.AllowCreate && errors.Is(err, store.ErrNotFound) {
		x.created = true
		return nil
	}
	return err
}
