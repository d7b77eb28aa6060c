package memory

import (
	"context"
	"errors"
	"reflect"

	"github.com/trove-api/trove/internal/memory"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Loaded is a [store.Store] of records that stand somewhere else, made by [Load]. It is safe for
// use by many goroutines if its functions are.
type Loaded[T any] struct {
	record   *model.Struct
	err      error // a mistake in T
	load     func(ctx context.Context) ([]T, error)
	update   func(ctx context.Context, record *T) error                          // nil: records do not change
	transact func(ctx context.Context, fn func(ctx context.Context) error) error // nil: there is nothing to roll back
}

// Load makes a store of the records that a function returns, as they are at the moment: those of a
// file, of another service, of tables that know a part of each. The function is called for each read, and the
// store answers all filters, orders and pages of them as [Store] does, so it is for records that are few, or
// quickly made. Nothing inserts or deletes them, and nothing changes them but by [Loaded.Updating]:
// that is an error, 500, of operations that should not be declared.
//
//	resource.Of[Quest]{
//		Store:      memory.Load(quests).Updating(complete).Within(db.Transact),
//		Operations: []operation.Operation{operation.Get{}, operation.GetCollection{}, operation.Patch{}},
//	}
func Load[T any](records func(ctx context.Context) ([]T, error)) *Loaded[T] {
	l := &Loaded[T]{load: records}
	l.record, l.err = model.Compile(reflect.TypeFor[T]())
	if l.err == nil && records == nil {
		l.err = errors.New("store/memory: Load is given a nil function")
	}
	return l
}

// Updating lets records change: the function notes what has become of one, wherever it stands. No lock is
// held on a record meanwhile: where two change it at a time, the function finds out, and refuses one by
// store.ErrConflict, say. It returns the store, and is called before that is used.
func (l *Loaded[T]) Updating(update func(ctx context.Context, record *T) error) *Loaded[T] {
	l.update = update
	return l
}

// Within says how a transaction begins in which records change, such as by the Transact of a sqlstore.DB;
// stores of that database share it. Default: there is none, so that what has been updated stays
// whatever comes after. It returns the store, and is called before that is used.
func (l *Loaded[T]) Within(transact func(ctx context.Context, fn func(ctx context.Context) error) error) *Loaded[T] {
	l.transact = transact
	return l
}

// now returns a store of the records as they are.
func (l *Loaded[T]) now(ctx context.Context) (*memory.Store, error) {
	if l.err != nil {
		return nil, l.err
	}
	records, err := l.load(ctx)
	if err != nil {
		return nil, err
	}
	s := memory.Of(l.record, pointers(records))
	return s, s.Check(ctx)
}

// Check returns what is wrong with T as a record, or that there is no function. It loads nothing.
func (l *Loaded[T]) Check(ctx context.Context) error {
	if l.err != nil {
		return l.err
	}
	return memory.Of(l.record, nil).Check(ctx)
}

// Groups returns true: groups of conditions and orders that hide values are answered as
// [store.Query] says.
func (l *Loaded[T]) Groups() bool { return true }

// Get returns the record with that id, or [store.ErrNotFound].
func (l *Loaded[T]) Get(ctx context.Context, id any) (*T, error) {
	s, err := l.now(ctx)
	if err != nil {
		return nil, err
	}
	record, err := s.Get(ctx, id)
	found, _ := record.(*T)
	return found, err
}

// GetMany returns the record with each id, nil where there is none, all of one load.
func (l *Loaded[T]) GetMany(ctx context.Context, ids []any) ([]*T, error) {
	s, err := l.now(ctx)
	if err != nil {
		return nil, err
	}
	return many[T](ctx, s, ids)
}

// List returns the records that the query asks for.
func (l *Loaded[T]) List(ctx context.Context, query store.Query) (store.Page[T], error) {
	s, err := l.now(ctx)
	if err != nil {
		return store.Page[T]{}, err
	}
	return list[T](ctx, s, query)
}

// Transact runs fn in a transaction of [Loaded.Within].
func (l *Loaded[T]) Transact(ctx context.Context, fn func(ctx context.Context, tx store.Tx[T]) error) error {
	run := func(ctx context.Context) error { return fn(ctx, loadedTx[T]{l}) }
	if l.transact == nil {
		return run(ctx)
	}
	return l.transact(ctx, run)
}

// loadedTx hands out records that are the caller's own, since each load makes new ones.
type loadedTx[T any] struct{ store *Loaded[T] }

func (t loadedTx[T]) Get(ctx context.Context, id any) (*T, error) { return t.store.Get(ctx, id) }

// errLoaded is of operations that the resource should not have.
var errLoaded = errors.New("store/memory: records of Load are not inserted, not deleted, and changed by Updating alone: leave the operation out")

func (t loadedTx[T]) Update(ctx context.Context, id any, record *T) error {
	if t.store.update == nil {
		return errLoaded
	}
	if _, err := t.store.Get(ctx, id); err != nil { // it may have gone
		return err
	}
	return t.store.update(ctx, record)
}

func (loadedTx[T]) Insert(context.Context, *T) error { return errLoaded }

func (loadedTx[T]) Delete(context.Context, any) error { return errLoaded }
