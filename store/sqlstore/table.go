package sqlstore

import (
	"context"
	"errors"
	"reflect"
	"sync/atomic"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Store keeps the records of one struct in a table; [Table] makes it. It is safe for use by many goroutines.
type Store[T any] struct {
	held
	table
}

// table is a store without its type parameter, which is compiled once for all types of records.
type table struct {
	db      *DB
	current atomic.Pointer[plan] // replaced once where the table turns out to have lists as JSON
	options []Option
}

// plan returns how the records are kept.
func (s *table) plan() *plan { return s.current.Load() }

type held = model.Held

// Option changes how a struct is kept in a table.
type Option func(*settings)

type settings struct {
	table   string
	foreign bool
	targets map[string]string // tables by the fields that refer to them
	inline  []string          // lists of references that the table has as JSON, by their fields
	whole   bool              // its bytes are never nil
}

// Named is the name of the table. Default: the plural of the struct's name in snake case, DragonTreasure in dragon_treasures.
func Named(table string) Option { return func(s *settings) { s.table = table } }

// Foreign is for a table that Trove did not make and that has no columns but those of the fields. The database then folds case
// itself, as it does, and cannot filter or sort by what is within an object, which [Store.CheckQuery] refuses.
func Foreign() Option { return func(s *settings) { s.foreign = true } }

// Table returns a store that keeps records of T in a table of db. The struct's mistakes,
// and what the table lacks, are told by [Store.Check], which resource.New calls.
func Table[T any](db *DB, options ...Option) *Store[T] {
	s := &Store[T]{table: table{db: db, options: options}}
	plan := planOf(reflect.TypeFor[T](), db, options)
	s.current.Store(plan)
	if plan.record != nil {
		s.held = model.HoldUntyped(plan.record, records{&s.table}, s)
	}
	return s
}

// Stamps returns true: transactions set the version and the times of records.
func (s *table) Stamps() bool { return true }

// Groups returns true: groups of conditions and orders that hide values are answered as [store.Query] says.
func (s *table) Groups() bool { return true }

// Get returns the record with that id as it was last saved, or [store.ErrNotFound]. It
// sees only what is saved, even with the context of a transaction. A conflict runs it again.
func (s *Store[T]) Get(ctx context.Context, id any) (*T, error) {
	record, err := records{&s.table}.Get(ctx, id)
	typed, _ := record.(*T)
	return typed, err
}

// GetMany returns the record with each id as it was last saved, nil where there is none. It is one query, however many there are,
// where one field identifies a record, and else one for every 500; in a table of others, those that are missing are looked for
// once more, each by itself. A conflict runs it again.
//
// Within a transaction of the same database it asks that one: with a connection of its own each of
// many writers would wait for another one's, and none would end.
func (s *Store[T]) GetMany(ctx context.Context, ids []any) ([]*T, error) {
	found, err := records{&s.table}.GetMany(ctx, ids, nil)
	if found == nil {
		return nil, err
	}
	return typed[T](found), err
}

// List answers a query from the records as they were last saved. A conflict runs it again.
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

// Transact runs fn in a transaction, as the package documentation describes: that of the context where it has one of the same
// [DB], else a new one. After a conflict with another transaction fn is run again, ten times in all; then the error is
// [store.ErrUnavailable]. So it is, without a limit in time, when a record that it did not find and inserts was inserted by
// another one meanwhile. A hook that hands in the context of its HTTP request in place of its own is refused.
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

// Get returns the record, which no other transaction changes until this one ends.
func (t *typedTx[T]) Get(ctx context.Context, id any) (*T, error) {
	record, err := t.tx.Get(ctx, id)
	typed, _ := record.(*T)
	return typed, err
}

// Insert adds a record, after it has set its identifier.
func (t *typedTx[T]) Insert(ctx context.Context, record *T) error {
	if record == nil {
		return errNil
	}
	return t.tx.Insert(ctx, record, false)
}

// Update writes what differs from what the transaction has read.
func (t *typedTx[T]) Update(ctx context.Context, id any, record *T) error {
	if record == nil {
		return errNil
	}
	return t.tx.Update(ctx, id, record, false)
}

var errNil = errors.New("sqlstore: the record is nil")

// Ping asks the database for nothing of the table. Its error is store.ErrUnavailable where
// the database cannot be reached, and another one where it refuses.
func (s *table) Ping(ctx context.Context) error {
	p := s.plan()
	if p.err != nil {
		return p.err
	}
	return s.db.retried(ctx, func() error {
		_, err := s.db.first(ctx, s.db, "SELECT 1 FROM "+p.quoted+" WHERE "+never, nil)
		return err
	})
}

// writePinger is implemented by drivers of databases that may only read for a while. PingWrites
// returns an error if no transaction could write now.
type writePinger interface {
	PingWrites(ctx context.Context) error
}

// PingWrites returns store.ErrUnavailable if the database can only be read now, as a standby, or
// a SQLite file on a disk without space for one more page.
func (s *table) PingWrites(ctx context.Context) error {
	if err := s.plan().err; err != nil {
		return err
	}
	pinger, ok := s.db.driver.(writePinger)
	if !ok {
		return nil
	}
	return s.db.retried(ctx, func() error { return s.db.explain(ctx, pinger.PingWrites(ctx)) })
}
