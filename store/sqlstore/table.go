package sqlstore

import (
	"context"
	"errors"
	"reflect"
	"sync/atomic"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Store stores the records of one struct in a table. Create it with [Table]. It is safe for concurrent use.
type Store[T any] struct {
	internals
	table
}

// table is a store without its type parameter, compiled once for all record types.
type table struct {
	db      *DB
	current atomic.Pointer[plan] // replaced if the existing table differs in what the store adapts to
	options []Option
}

// plan returns how the records are stored.
func (s *table) plan() *plan { return s.current.Load() }

type internals = model.Internals

// Option configures how a struct is stored in a table.
type Option func(*settings)

type settings struct {
	table      string
	existing   bool
	targets    map[string]string // tables by reference field
	declared   map[string]string // see plan.declared
	nilIsEmpty bool              // its bytes are never nil
}

// Named sets the name of the table. On PostgreSQL it can begin with a schema and a dot, such as app.books. Default: the
// plural of the struct's name in snake case, such as dragon_treasures for DragonTreasure.
func Named(table string) Option { return func(s *settings) { s.table = table } }

// Existing is for a table that Trove did not create and that has no columns in addition to those of the fields. The
// database then folds case in its own way, and cannot filter or sort by fields within an object, so [Store.CheckQuery]
// rejects such queries.
func Existing() Option { return func(s *settings) { s.existing = true } }

// Table returns a store that stores records of T in a table of db. [Store.Check] reports errors in the struct and
// differences to the table; resource.New calls it.
func Table[T any](db *DB, options ...Option) *Store[T] {
	s := &Store[T]{table: table{db: db, options: options}}
	plan := newPlan(db, reflect.TypeFor[T](), options)
	s.current.Store(plan)
	if plan.record != nil {
		s.internals = model.InternalsOf(plan.record, records{&s.table}, s)
	}
	return s
}

// Stamps returns true: transactions set the version and the times of records.
func (s *table) Stamps() bool { return true }

// Groups returns true: the store supports groups of conditions and sort orders that hide values.
func (s *table) Groups() bool { return true }

// Get returns the record with that id, or [store.ErrNotFound]. After a conflict it runs again.
//
// With the context of a transaction of the same [DB], Get, GetMany and List read in that transaction: they see what it
// wrote, and use its connection. They lock nothing; Get of the transaction does.
func (s *Store[T]) Get(ctx context.Context, id any) (*T, error) {
	record, err := records{&s.table}.Get(ctx, id)
	typed, _ := record.(*T)
	return typed, err
}

// GetMany returns the record for each id, nil if it does not exist. It is one query for any number of ids, or one for
// every 500 composite ids. For an [Existing] table, missing records are each read once more. After a conflict it runs
// again.
func (s *Store[T]) GetMany(ctx context.Context, ids []any) ([]*T, error) {
	found, err := records{&s.table}.GetMany(ctx, ids, nil)
	if found == nil {
		return nil, err
	}
	return typed[T](found), err
}

// List returns the records that match a query. After a conflict it runs again.
func (s *Store[T]) List(ctx context.Context, query store.Query) (store.Page[T], error) {
	page, err := records{&s.table}.List(ctx, query)
	found, ok := page.Items.(*items)
	if !ok {
		return store.Page[T]{}, err
	}
	return store.Page[T]{Items: typed[T](found.records), Total: page.Total, Broken: page.Broken, Positions: found.positions}, err
}

// typed returns records with their type.
func typed[T any](untyped []any) []*T {
	records := make([]*T, len(untyped))
	for i, record := range untyped {
		records[i], _ = record.(*T)
	}
	return records
}

// Transact runs fn in a transaction, as [store.Store] describes. If ctx carries a transaction of the same [DB], fn
// joins it. After a conflict with another transaction fn runs again, up to ten times in all; then the error is
// [store.ErrUnavailable]. It also runs again, without a limit, if another transaction has inserted a record that fn did
// not find and then inserted. In a hook, Transact returns an error for the context of the HTTP request; pass the
// context of the hook.
func (s *Store[T]) Transact(ctx context.Context, fn func(ctx context.Context, tx store.Tx[T]) error) error {
	if err := s.plan().err; err != nil {
		return err
	}
	return s.db.transact(ctx, func(ctx context.Context, t *transaction) error {
		return fn(ctx, &typedTx[T]{tx{store: &s.table, t: t}})
	})
}

// typedTx is a [store.Tx].
type typedTx[T any] struct{ tx }

// Get returns a record and locks it until the transaction ends.
func (t *typedTx[T]) Get(ctx context.Context, id any) (*T, error) {
	record, err := t.tx.Get(ctx, id)
	typed, _ := record.(*T)
	return typed, err
}

// Insert adds a record, and sets its identifier if that is generated.
func (t *typedTx[T]) Insert(ctx context.Context, record *T) error {
	if record == nil {
		return errNil
	}
	return t.tx.Insert(ctx, record, false)
}

// Update writes the columns that differ from those the transaction has read.
func (t *typedTx[T]) Update(ctx context.Context, id any, record *T) error {
	if record == nil {
		return errNil
	}
	return t.tx.Update(ctx, id, record, false)
}

var errNil = errors.New("sqlstore: the record is nil")
