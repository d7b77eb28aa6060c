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
	compared := x.hasHooks() // with what it was before
	loaded, err := x.load(ctx, compared)
	if err != nil {
		return x.orCreate(err)
	}
	x.record = loaded
	if compared {
		x.previous, x.record = loaded, x.op.Resource.Codec.Clone(loaded)
		x.request.Previous = x.previous
	}
	return nil
}

// load returns the record: one that is shared, or a copy in a transaction that changes it.
func (x *exchange) load(ctx context.Context, shared bool) (any, error) {
	switch {
	case x.tx == nil:
		return x.op.Resource.Store.Get(ctx, x.id)
	case shared:
		return x.tx.Peek(ctx, x.id)
	}
	return x.tx.Get(ctx, x.id)
}

// orCreate lets a Put with AllowCreate go on where the record is missing.
func (x *exchange) orCreate(err error) error {
	if x.op.AllowCreate && errors.Is(err, store.ErrNotFound) {
		x.created = true
		return nil
	}
	return err
}
