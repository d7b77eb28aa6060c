package sqlstore

import (
	"context"
	"fmt"
	"reflect"

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
