package memory

import (
	"context"
	"reflect"
	"time"

	"github.com/trove-api/trove/internal/memory"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/untyped"
	"github.com/trove-api/trove/store"
)

// Store is a [store.Store] in memory. Create it with [New]; the zero value cannot be used. It is safe for concurrent
// use and starts no goroutines.
type Store[T any] struct {
	internals

	engine *memory.Store // nil for the zero Store, which cannot be used
}

type internals = model.Internals

// New returns a store with copies of the records, in their order. A zero identifier (an integer or a UUID) is
// generated. [Store.Check] and every other method report errors in T or the records, such as duplicate identifiers.
func New[T any](records ...T) *Store[T] {
	s := &Store[T]{engine: memory.New(reflect.TypeFor[T](), pointers(records))}
	s.internals = s.engine.InternalsOf(s)
	return s
}

func pointers[T any](records []T) []any {
	all := make([]any, len(records))
	for i := range records {
		all[i] = &records[i]
	}
	return all
}

// LockTimeout sets how long a transaction waits for other transactions. After that the error is [store.ErrUnavailable].
// Default: 10 seconds; 0 or less means no limit. It returns the store; call it before the store is used:
// memory.New[Book]().LockTimeout(time.Second).
func (s *Store[T]) LockTimeout(limit time.Duration) *Store[T] {
	s.engine.LockTimeout(limit)
	return s
}

// Check returns the errors of T and of the records passed to [New], joined.
func (s *Store[T]) Check(ctx context.Context) error { return s.engine.Check(ctx) }

// CheckResponses returns the same error as [Store.Check]: the store also stores responses, which are lost when the
// process ends.
func (s *Store[T]) CheckResponses(ctx context.Context) error { return s.engine.Check(ctx) }

// Stamps returns true: transactions set the version and the times of records.
func (s *Store[T]) Stamps() bool { return true }

// Groups returns true: the store supports groups of conditions and sort orders that hide values.
func (s *Store[T]) Groups() bool { return true }

// SearchesWords returns true: the store is a [store.FullTexter].
func (s *Store[T]) SearchesWords() bool { return true }

// Trashes returns true: deleted records of a struct with a field tagged api:"deleted" go to the trash.
func (s *Store[T]) Trashes() bool { return true }

// Through returns nil if queries can filter and sort through a reference to the records of another store, or back to those
// that reference the records of this one. Both stores must be in memory and of one API. Otherwise the error says why not.
func (s *Store[T]) Through(reference string, other any) error {
	return s.engine.Through(reference, other)
}

// Report registers a listener for each transaction that changes records of the store, or of a store that shares
// transactions with it. Records passed to [New] are not reported.
func (s *Store[T]) Report(listener *store.Listener) { s.engine.Report(listener) }

// Log returns the log of the store, which is lost when the process ends: see [store.LogKeeper].
func (s *Store[T]) Log() (log store.Store[store.LogEntry], name string) { return s.engine.Log() }

// KeepLog sets the function that makes the entries of changes of the store's records: see [store.LogKeeper]. Records passed
// to [New] are not logged.
func (s *Store[T]) KeepLog(entry func(ctx context.Context, change store.Change) (*store.LogEntry, error)) {
	s.engine.KeepLog(entry)
}

// Get returns the record with that id, or [store.ErrNotFound]. An id of another type is a different error.
//
// Get, GetMany and List wait for no transaction. They return records as they were last saved. With the context of a
// transaction they also see what it wrote.
func (s *Store[T]) Get(ctx context.Context, id any) (*T, error) { return s.typed().Get(ctx, id) }

// GetMany returns the record for each id, nil if it does not exist, all from one state of the store.
func (s *Store[T]) GetMany(ctx context.Context, ids []any) ([]*T, error) {
	return s.typed().GetMany(ctx, ids)
}

// List runs a query. The package documentation describes what it costs.
func (s *Store[T]) List(ctx context.Context, query store.Query) (store.Page[T], error) {
	return s.typed().List(ctx, query)
}

// Aggregates returns true.
func (*Store[T]) Aggregates() bool { return true }

// Aggregate computes values of groups of the records that match. It reads each record once.
func (s *Store[T]) Aggregate(ctx context.Context, a store.Aggregation) (store.Aggregated, error) {
	return s.engine.Aggregate(ctx, a)
}

// Estimates returns true.
func (*Store[T]) Estimates() bool { return true }

// Estimate returns the number of records, which includes those in the trash.
func (s *Store[T]) Estimate(ctx context.Context) (int, error) { return s.engine.Estimate(ctx) }

// Transact runs fn in a transaction, once; see the package documentation. It waits for other transactions for at most 10
// seconds, or the time set by [Store.LockTimeout], and stops waiting when the context ends. It saves nothing if the
// context is cancelled before fn returns.
//
// Get of the transaction returns a copy of the record as the transaction sees it. Insert and Update set the stamps of the
// record, and save a copy.
func (s *Store[T]) Transact(ctx context.Context, fn func(ctx context.Context, tx store.Tx[T]) error) error {
	return s.typed().Transact(ctx, fn)
}

// typed returns the methods of the store with its type.
func (s *Store[T]) typed() untyped.Typed[T] { return untyped.Typed[T]{Records: s.engine} }
