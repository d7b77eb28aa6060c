// Package memory stores records in memory without their type. It implements store/memory, and is the store of a
// resource without a Store. Records are pointers to the struct passed to [New].
//
// The stores of an API share a [domain]. Its state never changes: a transaction copies the tables that it changes, which
// costs little because trees share their blocks, and then saves the new state, or drops it. Readers use the state of the
// moment and never wait. One transaction at a time has the turn to write.
package memory

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store"
)

// Store is a store in memory. Create it with [New]. A nil Store has no records and returns errors. It is safe for
// concurrent use and starts no goroutines.
type Store struct {
	internals

	shape    *shape
	domain   atomic.Pointer[domain] // has the records
	patience time.Duration          // how long a transaction waits for others; 0 means no limit
	last     uint64                 // the largest integer identifier; guarded by the turn of the domain
	log      log
	itself   any   // the typed store that other packages use
	err      error // the error of Check; with it every call fails
}

// internals is how other packages find the untyped store.
type internals = model.Internals

// New returns a store with copies of the records, which are pointers to the struct, in their order. [Store.Check] and
// every other method report errors in them.
func New(record reflect.Type, records []any) *Store {
	compiled, err := model.Compile(record)
	if err != nil {
		return Failing(err)
	}
	return NewCompiled(compiled, records)
}

// Failing returns a store without records, whose methods return an error.
func Failing(err error) *Store { return &Store{err: err} }

// NewCompiled is [New] for a compiled struct.
func NewCompiled(record *model.Struct, records []any) *Store {
	shape, err := compile(record)
	s := &Store{shape: shape, patience: txn.Default, err: err}
	s.internals = s.InternalsOf(s)
	if err == nil {
		first := &table{store: s, indexes: make([]tree, len(shape.indexes))}
		s.err = first.seed(records)
		d := &domain{rank: rand.Uint64(), turn: make(chan struct{}, 1)} //nolint:gosec // not a secret
		d.state.Store(&state{tables: []*table{first}})
		s.domain.Store(d)
	}
	return s
}

// seed adds copies of records. It reserves given identifiers before it generates others, regardless of their order.
func (t *table) seed(records []any) error {
	for _, record := range records {
		t.store.reserve(record)
	}
	var errs []error
	for i, record := range records {
		added, err := t.store.newRow(t.store.shape.records.Clone(record))
		if err == nil {
			err = t.put(nil, added, 0)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("store/memory: record %d given to New[%s]: %w", i+1, t.store.shape.name, err))
		}
	}
	return errors.Join(errs...)
}

// InternalsOf sets the typed store that other packages use, and returns the value for it to embed.
func (s *Store) InternalsOf(typed any) model.Internals {
	s.itself = typed
	if s.shape == nil {
		return model.Internals{}
	}
	return model.InternalsOf(s, typed)
}

// LockTimeout sets how long a transaction waits for others; 0 means no limit.
func (s *Store) LockTimeout(limit time.Duration) {
	if s != nil {
		s.patience = max(limit, 0)
	}
}

// Check returns the errors of the struct and of the records passed to [New], joined.
func (s *Store) Check(context.Context) error {
	if s == nil {
		return errors.New("store/memory: the zero Store cannot be used: create one with New")
	}
	return s.err
}

// CheckResponses returns the same error as [Store.Check]: the store also stores responses.
func (s *Store) CheckResponses(ctx context.Context) error { return s.Check(ctx) }

// Groups returns true: the store supports groups of conditions and sort orders that hide values.
func (s *Store) Groups() bool { return true }

// SearchesWords returns true: the store is a [store.FullTexter].
func (s *Store) SearchesWords() bool { return true }

// Trashes returns true: the store has a trash.
func (s *Store) Trashes() bool { return true }

// Forgets returns true, because the store retains nothing of a query.
func (s *Store) Forgets() bool { return true }

// Get returns the record with that id, or [store.ErrNotFound].
//
// With the context of a transaction, Get, GetMany and List see what it has written.
func (s *Store) Get(ctx context.Context, id any) (any, error) {
	in, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	found, err := in.find(id, false)
	switch {
	case err != nil:
		return nil, err
	case found == nil:
		return nil, store.ErrNotFound
	}
	return found.record, nil
}

// GetMany returns the record for each id, nil if it does not exist, all from one state of the store.
func (s *Store) GetMany(ctx context.Context, ids, buffer []any) ([]any, error) {
	in, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	records := buffer[:0]
	for _, id := range ids {
		found, err := in.find(id, false)
		if err != nil {
			return nil, err
		}
		var record any
		if found != nil {
			record = found.record
		}
		records = append(records, record)
	}
	return records, nil
}

// List runs a query.
func (s *Store) List(ctx context.Context, query store.Query) (compiled.Page, error) {
	in, err := s.read(ctx)
	if err != nil {
		return compiled.Page{}, err
	}
	page, err := in.list(ctx, query)
	if err != nil && ctx.Err() == nil {
		err = inStore(err)
	}
	return page, err
}

// Estimate returns the number of records, which includes those in the trash.
func (s *Store) Estimate(ctx context.Context) (int, error) {
	in, err := s.read(ctx)
	if err != nil {
		return 0, err
	}
	return in.rows.count, nil
}

// read returns the table of the store, as the context's transaction sees it, or as it is saved.
func (s *Store) read(ctx context.Context) (view, error) {
	if err := s.Check(ctx); err != nil {
		return view{}, err
	}
	if err := ctx.Err(); err != nil {
		return view{}, err
	}
	seen := s.domain.Load().seen(ctx)
	return view{seen.table(s), seen}, nil
}

// view is a table within a state.
type view struct {
	*table

	state *state
}

// Field returns a field of the records.
func (v view) Field(name string) (*filter.Field, error) {
	if f := v.store.shape.fields[name]; f != nil {
		return f, nil
	}
	return filter.FieldOf(v.store.shape.record, name)
}

// Identifier returns the fields of the records' identifier.
func (v view) Identifier() model.Identifier { return v.store.shape.key }

// Through compiles a condition on the records that a reference leads to.
func (v view) Through(c *store.Condition) (filter.Match, error) {
	other, reach, err := v.Reach(c.Through)
	if err != nil {
		return nil, err
	}
	return filter.Behind(other, c, reach)
}

// Reach returns the table that a reference leads to, and how its records are found. A name with a dot leads back.
func (v view) Reach(name string) (filter.Sortable, filter.Reach, error) {
	r, back := v.state.relation(v.store, name)
	if r == nil {
		return nil, nil, fmt.Errorf("a query goes through %q, which is not one reference of or to the records of a known store", name)
	}
	if !back {
		other := v.state.table(r.to)
		return view{other, v.state}, func(_ context.Context, record reflect.Value) (found []any, err error) {
			var room [4]filter.Value
			keys, err := r.keys.All(record, room[:0])
			for _, key := range keys {
				if row := other.living(key); row != nil {
					found = append(found, row.record)
				}
			}
			return found, err
		}, nil
	}
	from := v.state.table(r.from)
	return view{from, v.state}, func(_ context.Context, record reflect.Value) (found []any, err error) {
		key, err := v.store.shape.order.Of(record)
		if err != nil {
			return nil, err
		}
		for id := range from.indexes[r.index].with(key) {
			if row := from.living(id); row != nil {
				found = append(found, row.record)
			}
		}
		return found, nil
	}, nil
}
