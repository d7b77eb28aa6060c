package sqlstore

import (
	"context"
	"fmt"
	"reflect"

	"github.com/trove-api/trove/store"
)

// querier runs statements that read.
type querier interface {
	Query(ctx context.Context, statement string, args ...any) (Rows, error)
}

// scanner reads rows into records of one struct.
type scanner struct {
	columns []*column
	cells   []cell
	dests   []any
	fields  []reflect.Value
}

func newScanner(columns []*column) *scanner {
	s := &scanner{columns: columns, cells: make([]cell, len(columns)), dests: make([]any, len(columns)), fields: make([]reflect.Value, len(columns))}
	for i, c := range columns {
		s.cells[i] = c.cell()
	}
	return s
}

// scan reads the current row into a record, the struct without its pointer.
func (s *scanner) scan(rows Rows, record reflect.Value) error {
	for i, c := range s.columns {
		s.fields[i] = c.field.Value(record)
		s.dests[i] = s.cells[i].dest(s.fields[i])
	}
	if err := rows.Scan(s.dests...); err != nil {
		return fmt.Errorf("sqlstore: reading a row: %w", err)
	}
	for i, c := range s.columns {
		if err := s.cells[i].done(s.fields[i]); err != nil {
			return fmt.Errorf("sqlstore: reading the column %s: %w", c.name, err)
		}
	}
	return nil
}

// one reads the record that a statement finds, or returns [store.ErrNotFound].
func (s *Store[T]) one(ctx context.Context, from querier, statement string, args ...any) (*T, error) {
	var only *T
	err := s.each(ctx, from, found{s.plan.statements.fields, statement, args}, func(record *T) { only = record })
	if err == nil && only == nil {
		err = store.ErrNotFound
	}
	return only, err
}

// found is a statement that finds rows, and the columns that it reads.
type found struct {
	columns   []*column
	statement string
	args      []any
}

// each reads every record that a statement finds.
func (s *Store[T]) each(ctx context.Context, from querier, found found, yield func(*T)) error {
	rows, err := from.Query(ctx, found.statement, found.args...)
	if err != nil {
		return err
	}
	scanner := newScanner(found.columns)
	for err == nil && rows.Next() {
		record := new(T)
		if err = scanner.scan(rows, reflect.ValueOf(record).Elem()); err == nil {
			yield(record)
		}
	}
	return s.db.finish(ctx, rows, err)
}
