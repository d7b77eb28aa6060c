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

// records is a store without its type parameter, for the request path. Functions have what is typed: as methods of a
// generic type, all of it would be compiled again for each type of records.
type records struct {
	itself any // kept as the user gave it: what wraps it, for metrics or a cache, has to see every call
	get    func(ctx context.Context, id any) (any, error)
	many   func(ctx context.Context, ids, all []any) (found int, err error) // nil for a store that is no BatchGetter
	list   func(ctx context.Context, query store.Query) (compiled.Page, error)
	record *model.Struct // where its transactions are to be stamped here; else nil
	idle   sync.Pool     // of *transaction
}

func newRecords[T any](typed store.Store[T]) *records {
	r := &records{itself: typed}
	r.get = func(ctx context.Context, id any) (any, error) {
		record, err := typed.Get(ctx, id)
		return found(record, record == nil, err)
	}
	if batches, ok := typed.(store.BatchGetter[T]); ok {
		r.many = func(ctx context.Context, ids, all []any) (int, error) {
			records, err := batches.GetMany(ctx, ids)
			for i, record := range records[:min(len(records), len(all))] {
				if record != nil { // a nil pointer in an any is not nil
					all[i] = record
				}
			}
			return len(records), err
		}
	}
	r.list = func(ctx context.Context, query store.Query) (compiled.Page, error) {
		page, err := typed.List(ctx, query)
		found, isWhole := pageOf(page)
		if err == nil && !isWhole {
			err = errNilItem // told here, with words for whoever wrote the store, rather than as a panic deep in the encoder
		}
		return found, err
	}
	// Transactions are used again, for each has functions that close over it: allocations that every write would have.
	r.idle.New = func() any { return newTransaction(r, typed) }
	return r
}

// stamp makes transactions set the version and the times of records, if there are any, for
// a store that does not do so itself.
// A store that stamps by itself knows better what was there before, and at which time it saves: what
// was set here it would only set again.
func (r *records) stamp(record *model.Struct) {
	if stamper, ok := wrapping.As[store.Stamper](r.itself); record.Stamped() && (!ok || !stamper.Stamps()) {
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

func (r *records) Get(ctx context.Context, id any) (any, error) { return r.get(ctx, id) }

// found returns what a store's Get returned, without its type.
// A nil *T in an any would no longer be nil: whoever compares it would go on with a record that is
// not there.
func found(record any, isNil bool, err error) (any, error) {
	if isNil && err == nil {
		return nil, errNoRecord
	}
	return record, err
}

// GetMany asks the store for all records at once, if it can. If not, one Get after the other is
// what is left: correct, but a query for each record of a page.
func (r *records) GetMany(ctx context.Context, ids, room []any) ([]any, error) {
	all := slices.Grow(room[:0], len(ids))[:len(ids)]
	clear(all)
	if r.many != nil {
		found, err := r.many(ctx, ids, all)
		if err == nil && found != len(ids) {
			err = errBatch
		}
		if err != nil {
			return nil, err
		}
		return all, nil
	}
	// A page may name one record many times, as all books of one author do.
	asked := make(map[any]any, len(ids))
	for i, id := range ids {
		record, again := asked[id]
		if !again {
			var err error
			if record, err = r.get(ctx, id); errors.Is(err, store.ErrNotFound) {
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

func (r *records) List(ctx context.Context, query store.Query) (compiled.Page, error) {
	return r.list(ctx, query)
}

// Forgets returns false: what wraps another store may keep the queries that it sees.
func (*records) Forgets() bool { return false }

// pageOf returns a page of a store without its type, and whether none of its records is nil. The list itself is not
// copied: an []any of its records would be the largest allocation of a page that is otherwise streamed into one buffer.
func pageOf[T any](page store.Page[T]) (untyped compiled.Page, isWhole bool) {
	isWhole = true
	for _, item := range page.Items {
		isWhole = isWhole && item != nil
	}
	return compiled.Page{Items: &items[*T]{page.Items, page.Positions}, Total: page.Total, Broken: page.Broken}, isWhole
}

// HandlerPage returns the records of T that a handler has answered with: a page or a list of them.
// Handlers may answer with any of these three, whichever their code has at hand. It is told here
// which records there are, so that links, totals and rules treat them like those of a store.
func HandlerPage[T any](out any) (compiled.Page, error) {
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
	untyped, isWhole := pageOf(page)
	if !isWhole {
		return compiled.Page{}, errNilAnswered
	}
	return untyped, nil
}

// The runner is told by an interface, not a closure: it is the call itself, which exists already.
func (r *records) Transact(ctx context.Context, runner compiled.Runner) error {
	tx := r.idle.Get().(*transaction)
	tx.runner = runner
	err := tx.transact(ctx)
	// Nothing of a request may be reached by the next one. A panic passes this by: then the transaction
	// is not used again, either.
	tx.end()
	tx.runner, tx.typed = nil, nil
	r.idle.Put(tx)
	return err
}

// items are the records of a page without their type parameter. The slice is the store's,
// which others may read. P is a pointer to their type, so that the methods are compiled once for all of them.
type items[P any] struct {
	records   []P
	positions [][]any // nil where the records tell them
}

func (i *items[P]) Len() int           { return len(i.records) }
func (i *items[P]) At(n int) any       { return i.records[n] }
func (i *items[P]) Positions() [][]any { return i.positions }
func (i *items[P]) Cut(n int) {
	i.records = i.records[:n]
	if i.positions != nil {
		i.positions = i.positions[:n]
	}
}

func (i *items[P]) Reverse() {
	// The store may hand out the slice that it keeps.
	i.records, i.positions = slices.Clone(i.records), slices.Clone(i.positions)
	slices.Reverse(i.records)
	slices.Reverse(i.positions)
}
