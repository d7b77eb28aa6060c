package memory

import (
	"context"
	"errors"
	"reflect"
	"time"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/memory"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Store is a [store.Store] in memory, made by [New]. It is safe for use by many
// goroutines, and starts none.
type Store[T any] struct {
	held

	untyped *memory.Store // nil for the zero Store, which holds nothing
}

type held = model.Held

// New makes a store that holds copies of the records, in that order. A generated
// identifier (an integer, a UUID) that is zero is generated. Mistakes in T or the
// records, such as two with one identifier, are reported by [Store.Check] and by every
// other method.
func New[T any](records ...T) *Store[T] {
	s := &Store[T]{untyped: memory.New(reflect.TypeFor[T](), pointers(records))}
	s.held = s.untyped.HeldBy(s)
	return s
}

func pointers[T any](records []T) []any {
	all := make([]any, len(records))
	for i := range records {
		all[i] = &records[i]
	}
	return all
}

// LockTimeout sets how long a transaction waits for a record that another one holds, and
// then for its turn to wait for several, before it fails with an error that is
// [store.ErrUnavailable]. Default: 10 seconds; 0 waits without a limit. It returns the store,
// and is called before the store is used: memory.New[Book]().LockTimeout(time.Second).
func (s *Store[T]) LockTimeout(limit time.Duration) *Store[T] {
	s.untyped.LockTimeout(limit)
	return s
}

// Check returns, joined, what is wrong with T as a record and with the records that
// were given to [New].
func (s *Store[T]) Check(ctx context.Context) error { return s.untyped.Check(ctx) }

// CheckResponses returns what [Store.Check] does: a store in memory keeps answers too, and
// forgets them with its records when the process ends.
func (s *Store[T]) CheckResponses(ctx context.Context) error { return s.untyped.Check(ctx) }

// Stamps returns true: transactions set the version and the times of records.
func (s *Store[T]) Stamps() bool { return true }

// Groups returns true: groups of conditions and orders that hide values are answered as
// [store.Query] says.
func (s *Store[T]) Groups() bool { return true }

// Through returns nil if queries can go through a field to the records that another store keeps,
// as [store.Query] says: one in memory of the same API. Else its error says why not.
func (s *Store[T]) Through(field string, other any) error { return s.untyped.Through(field, other) }

// Report has the listener called after each transaction that changes records of the store, or of a store that shares
// transactions with it. Records that were given to [New] are not reported.
func (s *Store[T]) Report(listener *store.Listener) { s.untyped.Report(listener) }

// Get returns the record with that id as it was last saved, or [store.ErrNotFound]. An
// id that is not of the identifier's type is an error of its own. It waits for no
// transaction and sees what none has saved yet, even with the context of one.
func (s *Store[T]) Get(ctx context.Context, id any) (*T, error) {
	record, err := s.untyped.Get(ctx, id)
	found, _ := record.(*T)
	return found, err
}

// GetMany returns the record with each id as it was last saved, nil where there is none. All
// are of one state of the store.
func (s *Store[T]) GetMany(ctx context.Context, ids []any) ([]*T, error) {
	return many[T](ctx, s.untyped, ids)
}

func many[T any](ctx context.Context, from *memory.Store, ids []any) ([]*T, error) {
	all, err := from.GetMany(ctx, ids, nil)
	if err != nil {
		return nil, err
	}
	found := make([]*T, len(all))
	for i, record := range all {
		found[i], _ = record.(*T)
	}
	return found, nil
}

// List runs a query on the records as they were last saved. It waits for no
// transaction. The package documentation says what is found without trying all records.
func (s *Store[T]) List(ctx context.Context, query store.Query) (store.Page[T], error) {
	return list[T](ctx, s.untyped, query)
}

func list[T any](ctx context.Context, from *memory.Store, query store.Query) (store.Page[T], error) {
	var page store.Page[T]
	var err error
	page.Total, page.Positions, err = from.Each(ctx, query,
		func(n int) { page.Items = make([]*T, 0, n) },
		func(record any) { page.Items = append(page.Items, record.(*T)) })
	return page, err
}

// Transact runs fn in a transaction, as the package documentation describes; twice at
// most. It honours the context while it waits for records, which it does for 10 seconds at
// most, or as [Store.LockTimeout] says, and saves nothing when the context is cancelled
// before fn returns.
func (s *Store[T]) Transact(ctx context.Context, fn func(ctx context.Context, tx store.Tx[T]) error) error {
	return s.untyped.Transact(ctx, function[T](fn))
}

// function runs in a transaction.
type function[T any] func(ctx context.Context, tx store.Tx[T]) error

// Run calls the function.
func (f function[T]) Run(ctx context.Context, tx compiled.Tx) error {
	return f(ctx, transaction[T]{tx.(*memory.Tx)})
}

// transaction is the [store.Tx] and the [store.ResponseTx] that functions are handed.
type transaction[T any] struct{ untyped *memory.Tx }

// Get returns a copy of the record as the transaction sees it.
func (t transaction[T]) Get(ctx context.Context, id any) (*T, error) {
	record, err := t.untyped.Get(ctx, id)
	found, _ := record.(*T)
	return found, err
}

var errNil = errors.New("store/memory: the record is nil")

// Insert stages a copy of a new record, after it has set its identifier.
func (t transaction[T]) Insert(ctx context.Context, record *T) error {
	if record == nil {
		return errNil
	}
	return t.untyped.Insert(ctx, record, false)
}

// Update stages a copy of the record in place of the one with that id, after it has set
// its stamps.
func (t transaction[T]) Update(ctx context.Context, id any, record *T) error {
	if record == nil {
		return errNil
	}
	return t.untyped.Update(ctx, id, record, false)
}

// Delete stages that the record is no more.
func (t transaction[T]) Delete(ctx context.Context, id any) error { return t.untyped.Delete(ctx, id) }

// Response returns the answer that is kept under a key as the transaction sees it, and
// locks the key, there or not, for the rest of the transaction.
func (t transaction[T]) Response(ctx context.Context, key string) (store.StoredResponse, error) {
	return t.untyped.Response(ctx, key)
}

// KeepResponse stages a copy of an answer.
func (t transaction[T]) KeepResponse(ctx context.Context, key string, answer store.StoredResponse) error {
	return t.untyped.KeepResponse(ctx, key, answer)
}

var _ store.ResponseTx = transaction[struct{}]{}
