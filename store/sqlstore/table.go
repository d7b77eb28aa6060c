package sqlstore

import (
	"context"
	"reflect"
	"sync/atomic"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Store keeps the records of one struct in a table; [Table] makes it. It is safe for use
// by many goroutines.
type Store[T any] struct {
	held

	db      *DB
	current atomic.Pointer[plan] // replaced once where the table turns out to have lists as JSON
	options []Option
}

// plan returns how the records are kept.
func (s *Store[T]) plan() *plan { return s.current.Load() }

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

// Named is the name of the table. Default: the plural of the struct's name in snake case,
// DragonTreasure in dragon_treasures.
func Named(table string) Option { return func(s *settings) { s.table = table } }

// Foreign is for a table that Trove did not make and that has no columns but those of the
// fields. The database then folds case itself, as it does, and cannot filter or sort by
// what is within an object, which [Store.CheckQuery] refuses.
func Foreign() Option { return func(s *settings) { s.foreign = true } }

// Table returns a store that keeps records of T in a table of db. The struct's mistakes,
// and what the table lacks, are told by [Store.Check], which resource.New calls.
func Table[T any](db *DB, options ...Option) *Store[T] {
	plan := planOf(reflect.TypeFor[T](), db, options)
	s := &Store[T]{held: model.Hold(plan.record), db: db, options: options}
	plan.copies = s.copies
	s.current.Store(plan)
	return s
}

// Stamps returns true: transactions set the version and the times of records.
func (s *Store[T]) Stamps() bool { return true }

// Groups returns true: groups of conditions and orders that hide values are answered as
// [store.Query] says.
func (s *Store[T]) Groups() bool { return true }

// Get returns the record with that id as it was last saved, or [store.ErrNotFound]. It
// sees only what is saved, even with the context of a transaction. A conflict runs it again.
func (s *Store[T]) Get(ctx context.Context, id any) (*T, error) {
	p := s.plan()
	key, err := p.keyFor(id)
	if err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		record, err := s.one(ctx, s.db, p.statements.get, key...)
		if err == nil {
			return record, nil
		}
		if err = s.db.again(ctx, attempt, err); err != nil {
			return nil, err
		}
	}
}

// List answers a query from the records as they were last saved. A conflict runs it again.
func (s *Store[T]) List(ctx context.Context, query store.Query) (store.Page[T], error) {
	if err := s.plan().err; err != nil {
		return store.Page[T]{}, err
	}
	for attempt := 1; ; attempt++ {
		page, err := s.list(ctx, s.db, query)
		if err == nil {
			return page, nil
		}
		if err = s.db.again(ctx, attempt, err); err != nil {
			return store.Page[T]{}, err
		}
	}
}

// Transact runs fn in a transaction, as the package documentation describes: that of the
// context where it has one of the same [DB], else a new one. After a conflict with another
// transaction fn is run again, ten times in all; then the error is [store.ErrUnavailable].
// So it is, without a limit in time, when a record that it did not find and inserts was
// inserted by another one meanwhile. A hook that hands in the context of its HTTP request
// in place of its own is refused.
func (s *Store[T]) Transact(ctx context.Context, fn func(ctx context.Context, tx store.Tx[T]) error) error {
	if err := s.plan().err; err != nil {
		return err
	}
	return s.db.transact(ctx, func(ctx context.Context, t *transaction) error {
		return fn(ctx, &tx[T]{store: s, t: t})
	})
}

// Ping asks the database for nothing of the table. Its error is store.ErrUnavailable where
// the database cannot be reached, and another one where it refuses.
func (s *Store[T]) Ping(ctx context.Context) error {
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
func (s *Store[T]) PingWrites(ctx context.Context) error {
	if err := s.plan().err; err != nil {
		return err
	}
	pinger, ok := s.db.driver.(writePinger)
	if !ok {
		return nil
	}
	return s.db.retried(ctx, func() error { return s.db.explain(ctx, pinger.PingWrites(ctx)) })
}
