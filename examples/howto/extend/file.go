// Package extend adds a format and a store to Trove. It is the code of the how-to pages about them.
package extend

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// File is a store that keeps its records in a JSON file: few records, such as settings, of one program. It reads the file
// once. Each transaction writes a new file and puts it in the place of the old one.
type File[T any] struct {
	path    string
	writing chan struct{} // has one element while a transaction runs
	last    int64         // the last generated identifier
	current atomic.Pointer[memory.Store[T]]
}

// content is the JSON of the file.
type content[T any] struct {
	Last    int64 `json:"last"`
	Records []T   `json:"records"`
}

// Open reads the file, which need not exist.
func Open[T any](path string) (*File[T], error) {
	var content content[T]
	text, err := os.ReadFile(path) //nolint:gosec // the program chooses the path
	if err == nil {
		err = json.Unmarshal(text, &content)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f := &File[T]{path: path, writing: make(chan struct{}, 1), last: content.Last}
	f.current.Store(memory.New(content.Records...))
	return f, nil
}

// records returns the records that a call sees: those of the transaction in its context, or the saved ones.
func (f *File[T]) records(ctx context.Context) *memory.Store[T] {
	if next, ok := ctx.Value(f).(*memory.Store[T]); ok {
		return next
	}
	return f.current.Load()
}

// Get returns the record with that identifier, or store.ErrNotFound.
func (f *File[T]) Get(ctx context.Context, id any) (*T, error) { return f.records(ctx).Get(ctx, id) }

// List runs a query.
func (f *File[T]) List(ctx context.Context, query store.Query) (store.Page[T], error) {
	return f.records(ctx).List(ctx, query)
}

// Transact runs fn on a copy of the records. If fn returns nil, the copy is saved and takes the place of the records.
func (f *File[T]) Transact(ctx context.Context, fn func(ctx context.Context, tx store.Tx[T]) error) error {
	if next, ok := ctx.Value(f).(*memory.Store[T]); ok {
		return f.run(ctx, next, fn) // the context carries a transaction: join it
	}
	select {
	case f.writing <- struct{}{}:
		defer func() { <-f.writing }()
	case <-time.After(10 * time.Second): // never wait forever: a hook may have the wrong context
		return store.ErrUnavailable
	case <-ctx.Done():
		return ctx.Err()
	}
	records, err := all(ctx, f.current.Load())
	if err != nil {
		return err
	}
	next := memory.New(records...)
	if err := f.run(context.WithValue(ctx, f, next), next, fn); err != nil {
		return err
	}
	if records, err = all(ctx, next); err == nil {
		err = save(f.path, content[T]{f.last, records})
	}
	if err == nil {
		f.current.Store(next)
	}
	return err
}

// run runs fn in a transaction of the copy.
func (f *File[T]) run(ctx context.Context, next *memory.Store[T], fn func(ctx context.Context, tx store.Tx[T]) error) error {
	return next.Transact(ctx, func(ctx context.Context, tx store.Tx[T]) error { return fn(ctx, numbered[T]{tx, f}) })
}

// numbered generates identifiers. The copy would generate that of a deleted record again.
type numbered[T any] struct {
	store.Tx[T]

	file *File[T]
}

// Insert sets the identifier if it is an integer, and 0.
func (n numbered[T]) Insert(ctx context.Context, record *T) error {
	if id := reflect.ValueOf(record).Elem().FieldByName("ID"); id.IsValid() && id.CanInt() {
		if id.Int() == 0 {
			id.SetInt(n.file.last + 1)
		}
		n.file.last = max(n.file.last, id.Int())
	}
	return n.Tx.Insert(ctx, record)
}

// Groups reports that access rules may use every condition of a query.
func (f *File[T]) Groups() bool { return true }

// Stamps reports that transactions set the fields version, created and modified.
func (f *File[T]) Stamps() bool { return true }

// Check reports at the start what is wrong with T.
func (f *File[T]) Check(ctx context.Context) error { return f.current.Load().Check(ctx) }

// A typing error in one of these methods would hide it from Trove, so the compiler checks them.
var (
	_ store.Store[any] = (*File[any])(nil)
	_ store.Grouper    = (*File[any])(nil)
	_ store.Stamper    = (*File[any])(nil)
	_ store.Checker    = (*File[any])(nil)
)

func all[T any](ctx context.Context, from store.Store[T]) (records []T, err error) {
	page, err := from.List(ctx, store.Query{})
	for _, record := range page.Items {
		records = append(records, *record)
	}
	return records, err
}

// save writes a new file first, so that a crash leaves the old one or the new one.
func save[T any](path string, content content[T]) error {
	text, err := json.Marshal(content)
	if err == nil {
		err = os.WriteFile(path+".new", text, 0o600)
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	return err
}
