package untyped

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/passwords"
	"github.com/trove-api/trove/store"
)

// records is a store without its type parameter, for the request path. Its typed parts are functions, because methods
// of a generic type would be compiled again for each type of records.
type records struct {
	itself any // the user's store, because its wrappers, such as for metrics, must see every call
	get    func(ctx context.Context, id any) (any, error)
	many   func(ctx context.Context, ids, all []any) (found int, err error) // nil unless the store is a BatchGetter
	list   func(ctx context.Context, query store.Query) (compiled.Page, error)
	record *model.Struct // set if transactions are stamped here; else nil
	idle   sync.Pool     // of *transaction

	passwords []*model.Field
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
			err = errNilItem // a clear error for the store's author, instead of a panic in the encoder
		}
		return found, err
	}
	// Transactions are reused, because their closures would otherwise be allocated on every write.
	r.idle.New = func() any { return newTransaction(r, typed) }
	return r
}

// complete makes transactions set the version and the times of records, if the struct has them and the store does not do
// so itself. A store that stamps knows the stored record and the time of the write better. Any store may keep passwords
// that are not hashed, or wrap one that does.
func (r *records) complete(record *model.Struct) {
	for _, f := range record.Fields {
		if f.Password {
			r.passwords = append(r.passwords, f)
		}
	}
	if stamper, ok := As[store.Stamper](r.itself); record.Stamped() && (!ok || !stamper.Stamps()) {
		r.record = record
	}
}

// check returns an error if a record has a password that is not hashed.
func (r *records) check(record any) error {
	for _, f := range r.passwords {
		if err := passwords.Check(f.Value(reflect.ValueOf(record).Elem()).String()); err != nil {
			return fmt.Errorf("%s %w", f.Name, err)
		}
	}
	return nil
}

// These are the errors of stores that break their contract. Clients only see that the service failed; the messages are
// for the log.
var (
	errNoRecord    = errors.New("the store's Get returned neither a record nor an error; return store.ErrNotFound for a record that does not exist")
	errBatch       = errors.New("the store's GetMany must return one element for each id, nil for a record that does not exist")
	errNilReturned = errors.New("the handler returned a list with a nil record")
	errNilItem     = errors.New("the store's List returned a page with a nil record")
)

func (r *records) Get(ctx context.Context, id any) (any, error) { return r.get(ctx, id) }

// found returns the result of a store's Get without its type. It rejects a nil *T, because in an any it would no longer
// be nil.
func found(record any, isNil bool, err error) (any, error) {
	if isNil && err == nil {
		return nil, errNoRecord
	}
	return record, err
}

// GetMany uses the store's GetMany if it has one. Otherwise it calls Get for each record, which is correct but needs
// one query per record.
func (r *records) GetMany(ctx context.Context, ids, buffer []any) ([]any, error) {
	all := slices.Grow(buffer[:0], len(ids))[:len(ids)]
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
	// A page may reference one record many times, such as books of one author.
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

// Forgets returns false, because a wrapper may retain the queries it sees.
func (*records) Forgets() bool { return false }

// pageOf returns a page without its type, and reports whether no record is nil. It does not copy the list, because an
// []any would be the largest allocation of a page that is otherwise streamed into one buffer.
func pageOf[T any](page store.Page[T]) (untyped compiled.Page, isWhole bool) {
	isWhole = true
	for _, item := range page.Items {
		isWhole = isWhole && item != nil
	}
	return compiled.Page{Items: compiled.ItemsOf(page.Items, page.Positions), Total: page.Total, Broken: page.Broken}, isWhole
}

// HandlerPage returns the records in a handler's result, which may be a store.Page[T], a []*T or a []T, so that links,
// totals and rules treat them like those of a store.
func HandlerPage[T any](out any) (compiled.Page, error) {
	var page store.Page[T]
	switch records := out.(type) {
	case store.Page[T]:
		page = records
	case []*T:
		page.Items = records
	case []T:
		page.Items = make([]*T, len(records))
		for i := range records {
			page.Items[i] = &records[i]
		}
	default:
		return compiled.Page{}, fmt.Errorf("the handler returned a %T instead of records", out)
	}
	untyped, isWhole := pageOf(page)
	if !isWhole {
		return compiled.Page{}, errNilReturned
	}
	return untyped, nil
}

// Transact takes an interface, not a closure, because the runner is the call, which exists already.
func (r *records) Transact(ctx context.Context, runner compiled.Runner) error {
	tx := r.idle.Get().(*transaction)
	tx.runner = runner
	err := tx.transact(ctx)
	// Remove everything of this request before the next one. After a panic the transaction is not reused.
	tx.end()
	tx.runner, tx.typed = nil, nil
	r.idle.Put(tx)
	return err
}
