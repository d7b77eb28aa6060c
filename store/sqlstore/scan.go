package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/trove-api/trove/store"
)

// scanner reads rows into records of one struct.
type scanner struct {
	columns []*column
	readers []columnReader // nil where the driver reads into the field itself
	dests   []any
	fields  []reflect.Value
	at      *positions // read behind the columns; nil for none
	total   *int       // read behind all else; nil for none
}

func newScanner(columns []*column, at *positions, total *int) *scanner {
	n := len(columns)
	s := &scanner{columns: columns, at: at, total: total, readers: make([]columnReader, n), dests: make([]any, n, n+1), fields: make([]reflect.Value, n)}
	for i, c := range columns {
		if c.reader != nil {
			s.readers[i] = c.reader()
		}
	}
	return s
}

// scan reads the current row into a record, the struct without its pointer.
func (s *scanner) scan(rows Rows, record reflect.Value) error {
	for i, c := range s.columns {
		s.fields[i] = c.field.Value(record)
		if s.readers[i] != nil {
			s.dests[i] = s.readers[i].dest(s.fields[i])
		} else {
			s.dests[i] = s.fields[i].Addr().Interface()
		}
	}
	dests := s.dests
	if s.at != nil {
		dests = s.at.dests(dests)
	}
	if s.total != nil {
		dests = append(dests, s.total)
	}
	err := rows.Scan(dests...)
	if s.at != nil && err == nil {
		err = s.at.done()
	}
	for i, reader := range s.readers {
		if reader == nil {
			continue
		}
		if failed := reader.done(s.fields[i]); failed != nil && err == nil {
			err = fmt.Errorf("the column %s: %w", s.columns[i].name, failed)
		}
	}
	if err != nil {
		return fmt.Errorf("sqlstore: reading %s: %w", s.named(), err)
	}
	return nil
}

// named names the row that could not be read, where its identifier could.
func (s *scanner) named() string {
	for i, c := range s.columns {
		if c.field.Identifier && !c.shadow && !s.fields[i].IsZero() {
			return fmt.Sprintf("the row whose %s is %v", c.name, s.fields[i].Interface())
		}
	}
	return "a row"
}

// one reads the record that a statement finds, or returns [store.ErrNotFound].
func (s *Store[T]) one(ctx context.Context, from querier, statement string, args ...any) (*T, error) {
	var only *T
	var broken error
	err := s.each(ctx, from, found{s.plan().statements.fields, nil, nil, statement, args}, func(record *T, err error) bool {
		only, broken = record, err
		return false
	})
	switch {
	case err != nil:
		return nil, err
	case broken != nil:
		return nil, broken
	case only == nil:
		return nil, store.ErrNotFound
	}
	return only, nil
}

// found is a statement that finds rows, and what it reads.
type found struct {
	columns   []*column
	at        *positions // nil for none
	total     *int       // how many there are in all; nil for what is not in the rows
	statement string
	args      []any
}

// each reads the records that a statement finds, until yield wants no more. One that cannot
// be read is an error of its own.
func (s *Store[T]) each(ctx context.Context, from querier, found found, yield func(record *T, broken error) (more bool)) error {
	rows, err := from.Query(ctx, found.statement, found.args...)
	if err != nil {
		return err
	}
	scanner := newScanner(found.columns, found.at, found.total)
	for more := true; more && rows.Next(); {
		record := new(T)
		if broken := scanner.scan(rows, reflect.ValueOf(record).Elem()); broken != nil {
			more = yield(nil, broken)
		} else {
			more = yield(record, nil)
		}
	}
	return s.db.finish(ctx, rows, nil)
}

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
		if list, err := p.dialect.listOf(values); err == nil {
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
