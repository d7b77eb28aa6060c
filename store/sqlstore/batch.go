package sqlstore

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/trove-api/trove/store"
)

// GetMany returns the record with each id as it was last saved, nil where there is none. It is
// one query, however many there are, where one field identifies a record, and else one for every
// 500; in a table of others, those that are missing are looked for once more, each by itself. A
// conflict runs it again.
//
// Within a transaction of the same database it asks that one: with a connection of its own each of
// many writers would wait for another one's, and none would end.
func (s *Store[T]) GetMany(ctx context.Context, ids []any) ([]*T, error) {
	p := s.plan()
	keys := make([]key, len(ids)) // nil for one that no table has
	for i, id := range ids {
		var err error
		if keys[i], err = p.keyFor(id); err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
	}
	if len(ids) == 0 {
		return nil, p.err
	}
	byKey := make(map[any]*T, len(ids))
	each := len(ids)
	if p.key.IsComposite() {
		each = manyKeys
	}
	t, within := ctx.Value(transactionKey{s.db}).(*transaction)
	var err error
	for first := 0; first < len(ids) && err == nil; first += each {
		last := min(first+each, len(ids))
		if within {
			err = s.batch(ctx, t, keys[first:last], byKey) // a conflict is the transaction's
			continue
		}
		err = s.db.retried(ctx, func() error { return s.batch(ctx, s.db, keys[first:last], byKey) })
	}
	if err != nil {
		return nil, err
	}
	found := make([]*T, len(ids))
	for i, id := range keys {
		if id != nil {
			found[i] = byKey[id.hashable()]
		}
	}
	if p.foreign {
		err = s.strays(ctx, ids, found)
	}
	return found, err
}

// manyKeys is how many identifiers of several columns one statement asks for: each is a condition
// of its own.
const manyKeys = 500

// copies is [plan.copies] for the store's records.
func (s *Store[T]) copies(ctx context.Context, from querier, keys []key) (map[any]any, error) {
	byKey := make(map[any]*T, len(keys))
	for part := range slices.Chunk(keys, manyKeys) {
		if err := s.batch(ctx, from, part, byKey); err != nil {
			return nil, err
		}
	}
	found := make(map[any]any, len(byKey))
	for id, record := range byKey {
		found[id] = record
	}
	return found, nil
}

// batch finds records by their identifiers.
func (s *Store[T]) batch(ctx context.Context, from querier, keys []key, byKey map[any]*T) error {
	p := s.plan()
	statement, args := p.statements.get, []any(keys[0])
	if len(keys) > 1 || args == nil {
		statement, args = p.selectMany(keys)
	}
	var broken error
	err := s.each(ctx, from, found{p.statements.fields, nil, nil, statement, args}, func(record *T, unreadable error) bool {
		if broken = unreadable; broken != nil {
			return false
		}
		var id key
		if id, broken = p.keyOf(reflect.ValueOf(record).Elem()); broken == nil {
			byKey[id.hashable()] = record
		}
		return broken == nil
	})
	if err == nil {
		err = broken
	}
	return err
}

// selectMany writes the statement that finds records by their identifiers.
func (p *plan) selectMany(keys []key) (statement string, args []any) {
	values := make([]any, 0, len(keys))
	for _, id := range keys {
		if id != nil {
			values = append(values, id[0])
		}
	}
	if p.statements.many != "" {
		if list, err := p.listOf(values); err == nil {
			return p.statements.many, []any{list}
		}
	}
	b := new(builder)
	condition := ""
	if p.key.IsComposite() {
		condition = anyOf(b, p.ids, keys)
	} else {
		condition = p.oneOf(b, p.ids[0], values)
	}
	return p.dialect.statement(b, p.statements.rows+" WHERE "+condition)
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
