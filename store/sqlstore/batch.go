package sqlstore

import (
	"context"
	"errors"
	"reflect"

	"github.com/trove-api/trove/store"
)

// GetMany returns the record with each id as it was last saved, nil where there is none. It is
// one query, however many there are; in a table of others, those that are missing are looked for
// once more, each by itself. A conflict runs it again.
//
// Within a transaction of the same database it asks that one: with a connection of its own each of
// many writers would wait for another one's, and none would end.
func (s *Store[T]) GetMany(ctx context.Context, ids []any) ([]*T, error) {
	keys := make([]any, len(ids)) // nil for one that no table has
	for i, id := range ids {
		key, err := s.key(id)
		switch {
		case err == nil:
			keys[i] = hashable(key)
		case !errors.Is(err, store.ErrNotFound):
			return nil, err
		}
	}
	if len(ids) == 0 {
		return nil, s.plan().err()
	}
	var byKey map[any]*T
	var err error
	if t, within := ctx.Value(transactionKey{s.db}).(*transaction); within {
		byKey, err = s.batch(ctx, t, ids) // a conflict is the transaction's
	} else {
		err = s.db.retried(ctx, func() (err error) {
			byKey, err = s.batch(ctx, s.db, ids)
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	found := make([]*T, len(ids))
	for i, key := range keys {
		found[i] = byKey[key]
	}
	if s.plan().foreign {
		err = s.strays(ctx, ids, found)
	}
	return found, err
}

// batch finds records by their keys.
func (s *Store[T]) batch(ctx context.Context, from querier, ids []any) (map[any]*T, error) {
	p := s.plan()
	b := p.dialect.Flavor.NewSelectBuilder().Select(p.selected(p.statements.fields)...).From(quote(p.name))
	b.Where(p.oneOf(b, p.id, ids))
	statement, args := b.Build()
	byKey := map[any]*T{}
	var broken error
	err := s.each(ctx, from, found{p.statements.fields, nil, statement, args}, func(record *T, unreadable error) bool {
		if broken = unreadable; broken != nil {
			return false
		}
		var key any
		if key, broken = p.id.bound(p.id.field.Value(reflect.ValueOf(record).Elem())); broken == nil {
			byKey[hashable(key)] = record
		}
		return broken == nil
	})
	if err == nil {
		err = broken
	}
	return byKey, err
}

// strays finds one by one what is missing in a table that others made: its own sense of what is
// equal, such as one without case, may find them.
func (s *Store[T]) strays(ctx context.Context, ids []any, found []*T) error {
	for i, id := range ids {
		if found[i] != nil {
			continue
		}
		record, err := s.Get(ctx, id)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		found[i] = record
	}
	return nil
}
