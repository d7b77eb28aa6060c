package sqlstore

import (
	"context"
	"reflect"
	"sync/atomic"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/untyped"
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

func (s *table) own() *table { return s }

// plan returns how the records are stored.
func (s *table) plan() *plan { return s.current.Load() }

type internals = model.Internals

// Option configures how a struct is stored in a table.
type Option func(*settings)

type settings struct {
	name       string            // of the table, with its schema if it has one
	existing   bool              // the table was not created by Trove
	targets    map[string]string // tables of reference fields, set by References
	declared   map[string]string // types of the columns of an existing table; nil before Check
	nilIsEmpty bool              // its bytes are never nil
}

// Named sets the name of the table. On PostgreSQL it can begin with a schema and a dot, such as app.books. Default: the
// plural of the struct's name in snake case, such as dragon_treasures for DragonTreasure.
func Named(table string) Option { return func(s *settings) { s.name = table } }

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
		s.internals = model.InternalsOf(records{&s.table}, s)
	}
	return s
}

// Stamps returns true: transactions set the version and the times of records.
func (s *table) Stamps() bool { return true }

// Trashes returns true: deleted records of a struct with a field tagged api:"deleted" go to the trash.
func (s *table) Trashes() bool { return true }

// Groups returns true: the store supports groups of conditions and sort orders that hide values.
func (s *table) Groups() bool { return true }

// SearchesWords returns true: the store is a [store.FullTexter].
func (s *table) SearchesWords() bool { return true }

// typed returns the methods of the store with its type.
func (s *Store[T]) typed() untyped.Typed[T] { return untyped.Typed[T]{Records: records{&s.table}} }

// Get returns the record with that id, or [store.ErrNotFound]. After a conflict it runs again.
//
// With the context of a transaction of the same [DB], Get, GetMany and List read in that transaction: they see what it
// wrote, and use its connection. They lock nothing; Get of the transaction does.
func (s *Store[T]) Get(ctx context.Context, id any) (*T, error) { return s.typed().Get(ctx, id) }

// GetMany returns the record for each id, nil if it does not exist. It is one query for any number of ids, or one for
// every 500 composite ids. For an [Existing] table, missing records are each read once more. After a conflict it runs
// again.
func (s *Store[T]) GetMany(ctx context.Context, ids []any) ([]*T, error) {
	return s.typed().GetMany(ctx, ids)
}

// List returns the records that match a query. After a conflict it runs again.
func (s *Store[T]) List(ctx context.Context, query store.Query) (store.Page[T], error) {
	return s.typed().List(ctx, query)
}

// Transact runs fn in a transaction, as [store.Store] describes. If ctx carries a transaction of the same [DB], fn
// joins it. After a conflict with another transaction fn runs again, up to ten times in all; then the error is
// [store.ErrUnavailable]. It also runs again if another transaction has inserted a record that fn did not find and then
// inserted. In a hook, Transact returns an error for the context of the HTTP request; pass the
// context of the hook.
//
// Get of the transaction returns a record and locks it until the transaction ends. Insert sets the identifier if that is
// generated. Update writes the columns that differ from those the transaction has read.
func (s *Store[T]) Transact(ctx context.Context, fn func(ctx context.Context, tx store.Tx[T]) error) error {
	return s.typed().Transact(ctx, fn)
}
