// Package memory stores records in memory without their type. It implements store/memory, and is the store of a
// resource without a Store. Records are pointers to the struct passed to [New].
package memory

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Store is a store in memory. Create it with [New]. A nil Store has no records and returns errors. It is safe for
// concurrent use and starts no goroutines.
type Store struct {
	held

	shape     *shape
	table     *table
	responses *storedResponses
	domain    *domain // shared by the stores that share transactions
	linked    links   // references of its records, and to them
	itself    any     // the typed store that other packages use
	err       error   // the error of Check; with it every call fails

	lists sync.Pool // lists for reuse by queries
}

// held is how other packages find the struct and the untyped store.
type held = model.Held

// New returns a store with copies of the records, which are pointers to the struct, in their order. [Store.Check] and
// every other method report errors in them.
func New(record reflect.Type, records []any) *Store {
	compiled, err := model.Compile(record)
	if err != nil {
		return &Store{err: err}
	}
	return NewCompiled(compiled, records)
}

// NewCompiled is [New] for a compiled struct.
func NewCompiled(record *model.Struct, records []any) *Store {
	shape, err := compile(record)
	s := &Store{shape: shape, responses: newStoredResponses(), domain: newDomain(), err: err}
	s.held = s.HeldBy(s)
	if err == nil {
		shape.columns.links = &s.linked
		s.table = newTable(shape.columns)
		s.err = s.seed(records)
	}
	return s
}

// HeldBy sets the typed store that other packages use, and returns the value for it to embed.
func (s *Store) HeldBy(typed any) model.Held {
	s.itself = typed
	if s.shape == nil {
		return model.Held{}
	}
	return model.HoldUntyped(s.shape.record, s, typed)
}

// LockTimeout sets how long a transaction waits for a record that another one holds; 0 means no limit.
func (s *Store) LockTimeout(limit time.Duration) {
	if s != nil && s.table != nil {
		s.table.patience = max(limit, 0)
	}
}

// Check returns the errors of the struct and of the records passed to [New], joined.
func (s *Store) Check(context.Context) error {
	if s == nil {
		return errors.New("store/memory: the zero Store cannot be used: create one with New")
	}
	return s.err
}

// Groups returns true: the store supports groups of conditions and sort orders that hide values.
func (s *Store) Groups() bool { return true }

// Forgets returns true, because the store retains nothing of a query.
func (s *Store) Forgets() bool { return true }

// Get returns the record with that id, or [store.ErrNotFound].
//
// With the context of a transaction, Get, GetMany and List see what it has written. They lock nothing.
func (s *Store) Get(ctx context.Context, id any) (any, error) {
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	if err := s.shape.accepts(id); err != nil {
		return nil, err
	}
	row, isStaged := s.writing(ctx).row(s, id)
	if !isStaged {
		row = s.table.get(id)
	}
	if row == nil {
		return nil, store.ErrNotFound
	}
	return row.record, nil
}

// GetMany returns the record for each id, nil if it does not exist, all from one state of the store.
func (s *Store) GetMany(ctx context.Context, ids, buffer []any) ([]any, error) {
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	for _, id := range ids {
		if err := s.shape.accepts(id); err != nil {
			return nil, err
		}
	}
	found, within := slices.Grow(buffer[:0], len(ids))[:len(ids)], s.writing(ctx)
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	for i, id := range ids {
		row, isStaged := within.row(s, id)
		if !isStaged {
			row = s.table.rows.get(id)
		}
		if found[i] = nil; row != nil {
			found[i] = row.record
		}
	}
	return found, nil
}

// List runs a query.
func (s *Store) List(ctx context.Context, query store.Query) (page compiled.Page, err error) {
	found := &items{}
	page.Items = found
	page.Total, found.positions, err = s.find(ctx, query, func(rows []*row) { found.rows = slices.Clone(rows) })
	return page, err
}

// Each does what [Store.List] does, for a store that builds its own list: it calls begin with the number of records,
// and then add with each.
func (s *Store) Each(ctx context.Context, query store.Query, begin func(n int), add func(record any)) (total int, positions [][]any, err error) {
	return s.find(ctx, query, func(rows []*row) {
		begin(len(rows))
		for _, row := range rows {
			add(row.record)
		}
	})
}

// find passes the rows of a page to take, which must not keep them. It returns their positions if a sort field goes
// through a reference.
func (s *Store) find(ctx context.Context, query store.Query, take func(rows []*row)) (total int, positions [][]any, err error) {
	if err := s.ready(ctx); err != nil {
		return 0, nil, err
	}
	l, ok := s.lists.Get().(*list)
	if !ok {
		l = new(list)
	}
	defer func() {
		l.reset()
		s.lists.Put(l)
	}()
	l.ctx, l.query, l.within = ctx, query, s.writing(ctx)
	if err := s.table.list(l); err != nil {
		return 0, nil, err
	}
	take(l.found)
	if slices.ContainsFunc(query.Order, func(o store.Order) bool { return o.Through != "" }) {
		positions = l.positions()
	}
	if query.Count {
		total = l.total
	}
	return total, positions, nil
}

// items are the records of a page.
type items struct {
	rows      []*row
	positions [][]any // nil unless the order goes through a reference
}

func (i *items) Len() int           { return len(i.rows) }
func (i *items) At(n int) any       { return i.rows[n].record }
func (i *items) Positions() [][]any { return i.positions }

func (i *items) Cut(n int) {
	i.rows = i.rows[:n]
	if i.positions != nil {
		i.positions = i.positions[:n]
	}
}

func (i *items) Reverse() {
	slices.Reverse(i.rows)
	slices.Reverse(i.positions)
}

// ready returns an error if the store cannot be used or the context is cancelled.
func (s *Store) ready(ctx context.Context) error {
	if err := s.Check(ctx); err != nil {
		return err
	}
	return ctx.Err()
}

// seed fills a new store. It reserves given identifiers before it generates others, regardless of their order.
func (s *Store) seed(records []any) error {
	for _, record := range records {
		s.shape.reserve(record)
	}
	var errs []error
	for i, record := range records {
		if err := s.addSeed(s.shape.clone(record)); err != nil {
			errs = append(errs, fmt.Errorf("store/memory: record %d given to New[%s]: %w", i+1, s.shape.name, err))
		}
	}
	return errors.Join(errs...)
}

// addSeed adds one record, which then belongs to the store.
func (s *Store) addSeed(record any) error {
	if err := s.shape.normalize(record); err != nil {
		return err
	}
	if err := s.shape.identify(record); err != nil {
		return err
	}
	id := s.shape.idOf(record)
	if s.table.get(id) != nil {
		return store.UniqueError{Field: s.shape.key.Name()}
	}
	made, err := s.shape.columns.newRow(record)
	if err != nil {
		return err
	}
	staged := staged{columns: &s.shape.columns}
	staged.put(staged.add(id, nil), made)
	return s.table.commit(&staged, false)
}
