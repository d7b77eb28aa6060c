package memory

import (
	"context"
	"errors"
	"reflect"

	"github.com/trove-api/trove/internal/memory"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Loaded is a [store.Store] of records from another source. Create it with [Load]. It is safe for concurrent
// use if its functions are.
type Loaded[T any] struct {
	record   *model.Struct
	err      error // an error in T
	load     func(ctx context.Context) ([]T, error)
	update   func(ctx context.Context, record *T) error                          // nil if records cannot be changed
	transact func(ctx context.Context, fn func(ctx context.Context) error) error // nil without transactions
}

// Load returns a store of the records that a function returns, such as those of a file, of another service, or joined
// from several tables. The function is called for each read. The store then filters, sorts and paginates as [Store]
// does, so use it for few records, or for records that are created quickly. Inserts, deletes, and updates without
// [Loaded.Updating] are errors (500); do not declare operations for them.
//
//	resource.Of[Quest]{
//		Store:      memory.Load(quests).Updating(complete).Within(db.Transact),
//		Operations: []operation.Operation{operation.Get{}, operation.GetCollection{}, operation.Patch{}},
//	}
func Load[T any](records func(ctx context.Context) ([]T, error)) *Loaded[T] {
	l := &Loaded[T]{load: records}
	l.record, l.err = model.Compile(reflect.TypeFor[T]())
	if l.err == nil && records == nil {
		l.err = errors.New("store/memory: Load needs a function, not nil")
	}
	return l
}

// Updating sets a function that saves a changed record in its source. The record is not locked meanwhile. The function
// must detect concurrent changes itself, and can return store.ErrConflict then. Updating returns the store; call it
// before the store is used.
func (l *Loaded[T]) Updating(update func(ctx context.Context, record *T) error) *Loaded[T] {
	l.update = update
	return l
}

// Within sets how to begin a transaction for updates, such as Transact of a sqlstore.DB; stores of that database join
// it. Default: no transaction, so an update stays even if a later step fails. Within returns the store; call it before
// the store is used.
func (l *Loaded[T]) Within(transact func(ctx context.Context, fn func(ctx context.Context) error) error) *Loaded[T] {
	l.transact = transact
	return l
}

// now returns a store of the current records, or one that returns the error of loading them.
func (l *Loaded[T]) now(ctx context.Context) *Store[T] {
	err := l.err
	var records []T
	if err == nil {
		records, err = l.load(ctx)
	}
	if err != nil {
		return &Store[T]{engine: memory.Failing(err)}
	}
	return &Store[T]{engine: memory.NewCompiled(l.record, pointers(records))}
}

// Check returns an error if T cannot be stored or the function is nil. It loads nothing.
func (l *Loaded[T]) Check(ctx context.Context) error {
	if l.err != nil {
		return l.err
	}
	return memory.NewCompiled(l.record, nil).Check(ctx)
}

// Groups returns true: the store supports groups of conditions and sort orders that hide values.
func (l *Loaded[T]) Groups() bool { return true }

// SearchesWords returns true: the store is a [store.FullTexter].
func (l *Loaded[T]) SearchesWords() bool { return true }

// Get returns the record with that id, or [store.ErrNotFound].
func (l *Loaded[T]) Get(ctx context.Context, id any) (*T, error) {
	return l.now(ctx).Get(ctx, id)
}

// GetMany returns the record for each id, nil if it does not exist, all from one load.
func (l *Loaded[T]) GetMany(ctx context.Context, ids []any) ([]*T, error) {
	return l.now(ctx).GetMany(ctx, ids)
}

// List returns the records that match the query.
func (l *Loaded[T]) List(ctx context.Context, query store.Query) (store.Page[T], error) {
	return l.now(ctx).List(ctx, query)
}

// Aggregates returns true.
func (*Loaded[T]) Aggregates() bool { return true }

// Aggregate computes values of groups of the records that match.
func (l *Loaded[T]) Aggregate(ctx context.Context, a store.Aggregation) (store.Aggregated, error) {
	return l.now(ctx).Aggregate(ctx, a)
}

// Transact runs fn in a transaction of [Loaded.Within].
func (l *Loaded[T]) Transact(ctx context.Context, fn func(ctx context.Context, tx store.Tx[T]) error) error {
	run := func(ctx context.Context) error { return fn(ctx, loadedTx[T]{l}) }
	if l.transact == nil {
		return run(ctx)
	}
	return l.transact(ctx, run)
}

// loadedTx returns records without a copy, because each load creates new ones.
type loadedTx[T any] struct{ store *Loaded[T] }

func (t loadedTx[T]) Get(ctx context.Context, id any) (*T, error) { return t.store.Get(ctx, id) }

// errLoaded is the error of operations that the resource should not declare.
var errLoaded = errors.New("store/memory: records of Load cannot be inserted or deleted, and are updated only with Updating: remove the operation")

func (t loadedTx[T]) Update(ctx context.Context, id any, record *T) error {
	if t.store.update == nil {
		return errLoaded
	}
	if _, err := t.store.Get(ctx, id); err != nil { // it may be deleted
		return err
	}
	return t.store.update(ctx, record)
}

func (loadedTx[T]) Insert(context.Context, *T) error { return errLoaded }

func (loadedTx[T]) Delete(context.Context, any) error { return errLoaded }
