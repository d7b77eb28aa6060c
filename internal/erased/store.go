package erased

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/wrapping"
	"github.com/trove-api/trove/store"
)

// records is a store without its type parameter, for the request path.
type records[T any] struct {
	// Kept as the user gave it: what wraps it, for metrics or a cache, has to see every call.
	typed   store.Store[T]
	batches store.BatchGetter[T] // the same; nil where it is none
	record  *model.Struct        // where its transactions are to be stamped here; else nil
	idle    sync.Pool            // of *transaction[T]
	// Of the store as the user gave it, too: what wraps another one may keep the queries that it sees.
	forgets bool
}

func newRecords[T any](typed store.Store[T]) *records[T] {
	r := &records[T]{typed: typed, forgets: model.Forgets(typed)}
	r.batches, _ = typed.(store.BatchGetter[T])
	// Transactions are used again, for each has a function that closes over it: two allocations that
	// every write would have.
	r.idle.New = func() any { return newTransaction(r) }
	return r
}

// stamp makes transactions set the version and the times of records, if there are any, for
// a store that does not do so itself.
// A store that stamps by itself knows better what was there before, and at which time it saves: what
// was set here it would only set again.
func (r *records[T]) stamp(record *model.Struct) {
	if stamper, ok := wrapping.As[store.Stamper](r.typed); record.Stamped() && (!ok || !stamper.Stamps()) {
		r.record = record
	}
}

// Clients are told nothing of them but that the service has failed: they are for the log of whoever
// wrote the store, who finds in them what it should have done.
// Errors of a store that breaks what it promises.
var (
	errNoRecord    = errors.New("the store's Get returned neither a record nor an error; a record that is not there is store.ErrNotFound")
	errBatch       = errors.New("the store's GetMany returned not one record for each id; nil stands for one that is not there")
	errNilAnswered = errors.New("the handler answered with a list of records, of which one is nil")
	errNilItem     = errors.New("the store's List returned a page with a record that is nil")
)

func (r *records[T]) Get(ctx context.Context, id any) (any, error) {
	return found(r.typed.Get(ctx, id))
}

// found returns what a store's Get returned, without its type.
// A nil *T in an any would no longer be nil: whoever compares it would go on with a record that is
// not there.
func found[T any](record *T, err error) (any, error) {
	if record == nil && err == nil {
		return nil, errNoRecord
	}
	return record, err
}

// GetMany asks the store for all records at once, if it can. If not, one Get after the other is
// what is left: correct, but a query for each record of a page.
func (r *records[T]) GetMany(ctx context.Context, ids, room []any) ([]any, error) {
	all := slices.Grow(room[:0], len(ids))[:len(ids)]
	clear(all)
	if r.batches != nil {
		records, err := r.batches.GetMany(ctx, ids)
		if err == nil && len(records) != len(ids) {
			err = errBatch
		}
		if err != nil {
			return nil, err
		}
		for i, record := range records {
			if record != nil { // a nil pointer in an any is not nil
				all[i] = record
			}
		}
		return all, nil
	}
	// A page may name one record many times, as all books of one author do.
	asked := make(map[any]any, len(ids))
	for i, id := range ids {
		record, again := asked[id]
		if !again {
			var err error
			if record, err = r.Get(ctx, id); errors.Is(err, store.ErrNotFound) {
				record = nil
			} else if err != nil {
				return nil, err
			}
			asked[id] = record
		}
		all[i] = record
	}
	return all, nil
}

func (r *records[T]) List(ctx context.Context, query store.Query) (compiled.Page, error) {
	page, err := r.typed.List(ctx, query)
	// Told here, with words for whoever wrote the store, rather than as a panic deep in the encoder.
	if err == nil && slices.Contains(page.Items, nil) {
		err = errNilItem
	}
	return untyped(page), err
}

func (r *records[T]) Forgets() bool { return r.forgets }

// The list itself is not copied: an []any of its records would be the largest allocation of a page
// that is otherwise streamed into one buffer.
func untyped[T any](page store.Page[T]) compiled.Page {
	return compiled.Page{Items: &items[T]{page.Items, page.Positions}, Total: page.Total, Broken: page.Broken}
}

// Answered returns the records of T that a handler has answered with: a page or a list of them.
// Handlers may answer with any of these three, whichever their code has at hand. It is told here
// which records there are, so that links, totals and rules treat them like those of a store.
func Answered[T any](out any) (compiled.Page, error) {
	var page store.Page[T]
	switch answered := out.(type) {
	case store.Page[T]:
		page = answered
	case []*T:
		page.Items = answered
	case []T:
		page.Items = make([]*T, len(answered))
		for i := range answered {
			page.Items[i] = &answered[i]
		}
	default:
		return compiled.Page{}, fmt.Errorf("the handler answered with a %T in place of records", out)
	}
	if slices.Contains(page.Items, nil) {
		return compiled.Page{}, errNilAnswered
	}
	return untyped(page), nil
}

// The runner is told by an interface, not a closure: it is the call itself, which exists already.
func (r *records[T]) Transact(ctx context.Context, runner compiled.Runner) error {
	tx := r.idle.Get().(*transaction[T])
	tx.runner = runner
	err := r.typed.Transact(ctx, tx.run)
	// Nothing of a request may be reached by the next one. A panic passes this by: then the transaction
	// is not used again, either.
	tx.runner, tx.typed, tx.shared = nil, nil, nil
	r.idle.Put(tx)
	return err
}

// items are the records of a page without their type parameter. The slice is the store's,
// which others may read.
type items[T any] struct {
	records   []*T
	positions [][]any // nil where the records tell them
}

func (i *items[T]) Len() int           { return len(i.records) }
func (i *items[T]) At(n int) any       { return i.records[n] }
func (i *items[T]) Positions() [][]any { return i.positions }
func (i *items[T]) Cut(n int) {
	i.records = i.records[:n]
	if i.positions != nil {
		i.positions = i.positions[:n]
	}
}

func (i *items[T]) Reverse() {
	// The store may hand out the slice that it keeps.
	i.records, i.positions = slices.Clone(i.records), slices.Clone(i.positions)
	slices.Reverse(i.records)
	slices.Reverse(i.positions)
}
