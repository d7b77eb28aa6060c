package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/trove-api/trove/store"
)

// scanner reads rows into records of one struct.
type scanner struct {
	columns []*column
	readers []columnReader // of the columns, and of what follows them
	dests   []any
	fields  []reflect.Value
	total   *int // scanned last; nil if not needed
}

// newScanner returns a scanner of rows with columns and then a position, unless that is nil.
func newScanner(columns []*column, at *positions, total *int) *scanner {
	n := len(columns)
	s := &scanner{columns: columns, total: total, readers: make([]columnReader, n), fields: make([]reflect.Value, n)}
	for i, c := range columns {
		s.readers[i] = c.newReader()
	}
	if at != nil {
		s.readers, s.fields = append(s.readers, at.readers...), append(s.fields, at.fields...)
	}
	s.dests = make([]any, len(s.readers), len(s.readers)+1)
	return s
}

// scan reads the current row into a record, the struct without its pointer.
func (s *scanner) scan(rows Rows, record reflect.Value) error {
	for i, reader := range s.readers {
		if i < len(s.columns) {
			s.fields[i] = s.columns[i].field.Value(record)
		} else {
			s.fields[i].SetZero()
		}
		s.dests[i] = reader.dest(s.fields[i])
	}
	dests := s.dests
	if s.total != nil {
		dests = append(dests, s.total)
	}
	err := rows.Scan(dests...)
	for i, reader := range s.readers {
		if failed := reader.done(s.fields[i]); failed != nil && err == nil {
			if err = failed; i < len(s.columns) {
				err = fmt.Errorf("the column %s: %w", s.columns[i].name, failed)
			}
		}
	}
	if err != nil {
		return fmt.Errorf("sqlstore: reading %s: %w", s.named(), err)
	}
	return nil
}

// named describes the row that could not be read, by its identifier if that was read.
func (s *scanner) named() string {
	for i, c := range s.columns {
		if c.field.Identifier && !c.shadow && !s.fields[i].IsZero() {
			return fmt.Sprintf("the row whose %s is %v", c.name, s.fields[i].Interface())
		}
	}
	return "a row"
}

// one returns the record that a statement finds, or [store.ErrNotFound].
func (p *plan) one(ctx context.Context, from querier, statement string, args ...any) (record any, err error) {
	err = p.whole(ctx, from, found{columns: p.statements.fields, statement: statement, args: args}, func(only reflect.Value) error {
		record = only.Interface()
		return nil
	})
	if err == nil && record == nil {
		err = store.ErrNotFound
	}
	return record, err
}

// whole calls yield with a pointer to each record that a statement finds, until it returns an error. A record that cannot
// be read is an error.
func (p *plan) whole(ctx context.Context, from querier, found found, yield func(record reflect.Value) error) error {
	var broken error
	err := p.each(ctx, from, found, func(record reflect.Value, unreadable error) bool {
		if broken = unreadable; broken == nil {
			broken = yield(record)
		}
		return broken == nil
	})
	return cmp.Or(err, broken)
}

// found is a statement that returns rows, and what it reads.
type found struct {
	columns   []*column
	at        *positions // nil if not needed
	total     *int       // the total number of rows; nil if the rows do not have it
	statement string
	args      []any
}

// each calls yield with a pointer to each record that a statement finds, until yield returns false. A record that
// cannot be read gives an error instead.
func (p *plan) each(ctx context.Context, from querier, found found, yield func(record reflect.Value, broken error) (more bool)) error {
	rows, err := from.Query(ctx, found.statement, found.args...)
	if err != nil {
		return err
	}
	scanner := newScanner(found.columns, found.at, found.total)
	for more := true; more && rows.Next(); {
		record := reflect.New(p.typ)
		more = yield(record, scanner.scan(rows, record.Elem()))
	}
	return p.db.finish(ctx, rows, nil)
}

// records is a table without its type parameter, as requests use it. See [Store] for its methods.
type records struct{ *table }

// Forgets returns true, because nothing of a query is retained.
func (records) Forgets() bool { return true }

// Get returns a record.
func (r records) Get(ctx context.Context, id any) (record any, err error) {
	p := r.plan()
	err = p.reads(ctx, func(from querier) error {
		key, err := p.keyFor(id)
		if err == nil {
			record, err = p.one(ctx, from, p.statements.get, key...)
		}
		return err
	})
	return record, err
}

// GetMany returns several records.
func (r records) GetMany(ctx context.Context, ids, room []any) ([]any, error) {
	p := r.plan()
	keys := make([]key, len(ids)) // nil for an id that no record can have
	var byKey map[any]any
	err := p.reads(ctx, func(from querier) (err error) {
		for i, id := range ids {
			if keys[i], err = p.keyFor(id); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		byKey, err = p.byKey(ctx, from, keys, true)
		return err
	})
	if err != nil {
		return nil, err
	}
	found := slices.Grow(room[:0], len(ids))[:len(ids)]
	for i, id := range keys {
		if found[i] = nil; id != nil {
			found[i] = byKey[id.hashable()]
		}
		if found[i] != nil || !p.existing {
			continue
		}
		// Its own equality, such as one without case, may find the record.
		if found[i], err = r.Get(ctx, ids[i]); err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
	}
	return found, nil
}

// manyKeys is the maximum number of identifiers per statement if each of them is an argument of its own.
const manyKeys = 500

// atOnce returns the maximum number of identifiers in one statement.
func (p *plan) atOnce() int {
	if p.key.IsComposite() || p.ids[0].typ == blob {
		return manyKeys
	}
	return math.MaxInt // they are a list
}

// byKey returns the current records with the given keys, by hashable key, without those in the trash if omitDeleted is set.
// A nil key has no record.
func (p *plan) byKey(ctx context.Context, from querier, keys []key, omitDeleted bool) (map[any]any, error) {
	records := make(map[any]any, len(keys))
	for part := range slices.Chunk(keys, p.atOnce()) {
		statement, args := p.statements.get, []any(part[0])
		if len(part) > 1 || part[0] == nil || p.deleted != nil && !omitDeleted {
			b := new(builder)
			condition := p.where(b).anyOf(p.ids, part)
			if omitDeleted {
				condition = p.living(condition)
			}
			statement, args = p.dialect.statement(b, p.statements.rows+" WHERE "+condition)
		}
		err := p.whole(ctx, from, found{columns: p.statements.fields, statement: statement, args: args}, func(record reflect.Value) error {
			id, err := p.keyOf(record.Elem())
			if err == nil {
				records[id.hashable()] = record.Interface()
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return records, nil
}
