// Package memory keeps records in memory without their type: it is what store/memory has underneath, and the store of a
// resource that names none. Records are pointers to the struct that [New] is given.
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

// Store is a store in memory, made by [New]. Nil holds nothing. It is safe for use by many goroutines, and starts none.
type Store struct {
	held

	shape   *shape
	table   *table
	answers *keptAnswers
	domain  *domain // of the stores that share transactions with it
	linked  links   // references from its records, and to them
	itself  any     // the store as other packages know it
	err     error   // what Check reports; no call works with it

	lists sync.Pool // of lists that no query uses
}

// held says what the store is to other packages.
type held = model.Held

// New makes a store of records of a struct that holds copies of some, pointers to that struct, in their order. [Store.Check]
// and every other method report its mistakes.
func New(record reflect.Type, records []any) *Store {
	compiled, err := model.Compile(record)
	if err != nil {
		return &Store{err: err}
	}
	return Of(compiled, records)
}

// Of is [New] for a struct that is compiled already.
func Of(record *model.Struct, records []any) *Store {
	shape, err := compile(record)
	s := &Store{shape: shape, answers: newKeptAnswers(), domain: newDomain(), err: err}
	s.held = s.HeldBy(s)
	if err == nil {
		shape.columns.links = &s.linked
		s.table = newTable(shape.columns)
		s.err = s.seed(records)
	}
	return s
}

// HeldBy makes the store known to other packages as one that has its type, and returns what that one embeds.
func (s *Store) HeldBy(typed any) model.Held {
	s.itself = typed
	if s.shape == nil {
		return model.Held{}
	}
	return model.HoldUntyped(s.shape.record, s, typed)
}

// LockTimeout sets how long a transaction waits for a record that another one holds; 0 is without a limit.
func (s *Store) LockTimeout(limit time.Duration) {
	if s != nil && s.table != nil {
		s.table.patience = max(limit, 0)
	}
}

// Check returns, joined, what is wrong with the struct as a record and with the records given to [New].
func (s *Store) Check(context.Context) error {
	if s == nil {
		return errors.New("store/memory: the zero Store holds nothing: make one with New")
	}
	return s.err
}

// Groups returns true: the store answers groups of conditions and sort orders that hide values.
func (s *Store) Groups() bool { return true }

// Forgets returns true: the store keeps nothing of a query.
func (s *Store) Forgets() bool { return true }

// Get returns the record with that id as it was last saved, or [store.ErrNotFound].
func (s *Store) Get(ctx context.Context, id any) (any, error) {
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	if err := s.shape.accepts(id); err != nil {
		return nil, err
	}
	row := s.table.get(id)
	if row == nil {
		return nil, store.ErrNotFound
	}
	return row.record, nil
}

// GetMany returns the record with each id, nil if there is none. All are of one state of the store.
func (s *Store) GetMany(ctx context.Context, ids, room []any) ([]any, error) {
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	for _, id := range ids {
		if err := s.shape.accepts(id); err != nil {
			return nil, err
		}
	}
	found := slices.Grow(room[:0], len(ids))[:len(ids)]
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	for i, id := range ids {
		found[i] = nil
		if row := s.table.rows.get(id); row != nil {
			found[i] = row.record
		}
	}
	return found, nil
}

// List runs a query on the records as they were last saved.
func (s *Store) List(ctx context.Context, query store.Query) (page compiled.Page, err error) {
	found := &items{}
	page.Items = found
	page.Total, found.positions, err = s.find(ctx, query, func(rows []*row) { found.rows = slices.Clone(rows) })
	return page, err
}

// Each is [Store.List] for a store that makes a list of its own: begin is told how many records there are, and add gets
// each of them.
func (s *Store) Each(ctx context.Context, query store.Query, begin func(n int), add func(record any)) (total int, positions [][]any, err error) {
	return s.find(ctx, query, func(rows []*row) {
		begin(len(rows))
		for _, row := range rows {
			add(row.record)
		}
	})
}

// find finds the rows of a page, which are for take alone, and their positions if records do not tell them.
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
	l.ctx, l.query = ctx, query
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
	positions [][]any // nil if the records tell them
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

// ready returns the error of a store that cannot be used or of a cancelled context.
func (s *Store) ready(ctx context.Context) error {
	if err := s.Check(ctx); err != nil {
		return err
	}
	return ctx.Err()
}

// seed fills a new store. Identifiers that are given are taken before others are
// generated, whatever their order.
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

// addSeed adds one record, which the store keeps.
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
