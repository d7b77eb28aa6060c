package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// adopt looks at tables that are there already, as [Store.Check] does.
func (db *DB) adopt(ctx context.Context, tables []Tabled) error {
	for _, table := range tables {
		if p := planIn(table); p == nil || p.lists == nil {
			continue
		}
		if err := db.retried(ctx, func() error { return table.(ownTable).adopt(ctx) }); err != nil {
			return err
		}
	}
	return nil
}

// adopt makes the store keep a list of references as JSON whose column the table has, for the
// table is older than the tables of lists: then it works as it did, and promises as little.
func (s *Store[T]) adopt(ctx context.Context) error {
	p := s.plan()
	there, err := describe(ctx, s.db, s.db, p.name)
	if err != nil {
		return err
	}
	var inline []string
	for _, c := range p.lists {
		if _, is := there[c.name]; is {
			inline = append(inline, c.field.Name)
		}
	}
	if inline == nil {
		return nil
	}
	inline = append(inline, p.inlined()...)
	keep := func(s *settings) { s.inline = inline }
	adopted := planOf(p.typ, s.db, append(slices.Clone(s.options), keep))
	adopted.copies = s.copies
	s.current.CompareAndSwap(p, adopted)
	return nil
}

// inlined lists the lists of references that could be in tables of their own and are not.
func (p *plan) inlined() (fields []string) {
	for _, c := range p.columns {
		if !c.shadow && c.list == nil && p.isJoined(c.field) {
			fields = append(fields, c.field.Name)
		}
	}
	return fields
}

// compareList tells the differences between the table of a list and the one that is there.
func (p *plan) compareList(ctx context.Context, db *DB, c *column, keyNames map[string]string) error {
	there, err := describe(ctx, db, db, c.list.name)
	if err != nil {
		return err
	}
	if len(there) == 0 {
		return fmt.Errorf("sqlstore: the table %s of %s in %s is not there: make it by db.Create, or by a migration with the text of sqlstore.DDL",
			c.list.name, c.path.Name, p.name)
	}
	errs := []error{checkTable(ctx, db, c.list.name)}
	fail := failingOn(c.list.name, &errs)
	p.compareColumns(c.list.columns(), there, fail)
	p.checkRequired(c.list.name, c.list.columns(), there, fail)
	err = p.compareForeignKeys(ctx, db, c.list.name, []*column{c}, keyNames, fail)
	return errors.Join(append(errs, err)...)
}
