package memory

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Store is a [store.Store] in memory, made by [New]. It is safe for use by many
// goroutines, and starts none.
type Store[T any] struct {
	held
	core

	lists sync.Pool // of lists that no query uses
}

// core is a store without the type of its records, which are pointers to T.
type core struct {
	shape   *shape
	table   *table
	answers *keptAnswers
	domain  *domain // of the stores that share transactions with it
	linked  links   // references from its records, and to them
	itself  any     // the Store, as other packages know it
	err     error   // what Check reports; no call works with it
}

type held = model.Held

// New makes a store that holds copies of the records, in that order. A generated
// identifier (an integer, a UUID) that is zero is generated. Mistakes in T or the
// records, such as two with one identifier, are reported by [Store.Check] and by every
// other method.
func New[T any](records ...T) *Store[T] {
	compiled, err := model.Compile(reflect.TypeFor[T]())
	if err != nil {
		return &Store[T]{core: core{err: err}}
	}
	return of(compiled, records)
}

// of makes a store for records of a struct that is compiled already.
func of[T any](record *model.Struct, records []T) *Store[T] {
	shape, err := compile(record)
	s := &Store[T]{core: core{shape: shape, answers: newKeptAnswers(), domain: newDomain(), err: err}}
	s.itself = s
	s.held = model.Hold(record).Forgetting(s).Linking(linker{&s.core})
	if err == nil {
		shape.columns.links = &s.linked
		s.table = newTable(shape.columns)
		s.err = s.seed(records)
	}
	return s
}

// LockTimeout sets how long a transaction waits for a record that another one holds, and
// then for its turn to wait for several, before it fails with an error that is
// [store.ErrUnavailable]. Default: 10 seconds; 0 waits without a limit. It returns the store,
// and is called before the store is used: memory.New[Book]().LockTimeout(time.Second).
func (s *Store[T]) LockTimeout(limit time.Duration) *Store[T] {
	if s.table != nil {
		s.table.patience = max(limit, 0)
	}
	return s
}

// Check returns, joined, what is wrong with T as a record and with the records that
// were given to [New].
func (s *Store[T]) Check(context.Context) error {
	if s.shape == nil && s.err == nil {
		return errors.New("store/memory: the zero Store holds nothing: make one with New")
	}
	return s.err
}

// Stamps returns true: transactions set the version and the times of records.
func (s *Store[T]) Stamps() bool { return true }

// Groups returns true: groups of conditions and orders that hide values are answered as
// [store.Query] says.
func (s *Store[T]) Groups() bool { return true }

// Get returns the record with that id as it was last saved, or [store.ErrNotFound]. An
// id that is not of the identifier's type is an error of its own. It waits for no
// transaction and sees what none has saved yet, even with the context of one.
func (s *Store[T]) Get(ctx context.Context, id any) (*T, error) {
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
	return row.record.(*T), nil
}

// GetMany returns the record with each id as it was last saved, nil where there is none. All
// are of one state of the store.
func (s *Store[T]) GetMany(ctx context.Context, ids []any) ([]*T, error) {
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	for _, id := range ids {
		if err := s.shape.accepts(id); err != nil {
			return nil, err
		}
	}
	found := make([]*T, len(ids))
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	for i, id := range ids {
		if row := s.table.rows.get(id); row != nil {
			found[i] = row.record.(*T)
		}
	}
	return found, nil
}

// List runs a query on the records as they were last saved. It waits for no
// transaction. The package documentation says what is found without trying all records.
func (s *Store[T]) List(ctx context.Context, query store.Query) (store.Page[T], error) {
	if err := s.ready(ctx); err != nil {
		return store.Page[T]{}, err
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
		return store.Page[T]{}, err
	}
	page := store.Page[T]{Items: make([]*T, len(l.found))}
	for i, row := range l.found {
		page.Items[i] = row.record.(*T)
	}
	if query.Count {
		page.Total = l.total
	}
	if slices.ContainsFunc(query.Order, func(o store.Order) bool { return o.Through != "" }) {
		page.Positions = l.positions()
	}
	return page, nil
}

// ready returns the error of a store that cannot be used or of a cancelled context.
func (s *Store[T]) ready(ctx context.Context) error {
	if err := s.Check(ctx); err != nil {
		return err
	}
	return ctx.Err()
}

// seed fills a new store. Identifiers that are given are taken before others are
// generated, whatever their order.
func (s *Store[T]) seed(records []T) error {
	for i := range records {
		s.shape.reserve(&records[i])
	}
	var errs []error
	for i := range records {
		if err := s.addSeed(s.shape.clone(&records[i])); err != nil {
			errs = append(errs, fmt.Errorf("store/memory: record %d given to New[%s]: %w", i+1, s.shape.name, err))
		}
	}
	return errors.Join(errs...)
}

// addSeed adds one record, which the store keeps.
func (s *core) addSeed(record any) error {
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
