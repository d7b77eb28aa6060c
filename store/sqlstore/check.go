package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/naming"
)

// Check returns, joined, the mistakes of the struct's tags, and what the table differs in
// from the struct. resource.New calls it.
func (s *Store[T]) Check(ctx context.Context) error {
	if err := s.plan().err(); err != nil {
		return err
	}
	if err := s.db.adopt(ctx, []Tabled{s}); err != nil {
		return err
	}
	return s.db.retried(ctx, func() error { return s.plan().compare(ctx, s.db) })
}

// actual is a column as the database has it.
type actual struct {
	typ      string
	nullable bool
}

// compare tells the differences between the plan and the table that is there.
func (p *plan) compare(ctx context.Context, db *DB) error {
	there, err := describe(ctx, db, p.name)
	if err != nil {
		return err
	}
	if len(there) == 0 && p.foreign {
		return fmt.Errorf("sqlstore: the table %s is not there: sqlstore.Foreign is for a table that Trove did not make; "+
			"say its name by sqlstore.Named, or leave Foreign out", p.name)
	}
	if len(there) == 0 {
		return fmt.Errorf("sqlstore: the table %s is not there: make it by db.Create, or by a migration with the text of sqlstore.DDL", p.name)
	}
	var errs []error
	fail := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("sqlstore: the table "+p.name+" "+format, args...))
	}
	names := slices.Sorted(maps.Keys(there))
	for _, c := range p.own() {
		if found, ok := there[c.name]; ok {
			p.compareColumn(c, found, fail)
		} else {
			fail("has no column %s %s, for %s%s", c.name, p.dialect.typeName(c.typ), c.path.Name, naming.DidYouMean(c.name, names))
		}
	}
	errs = append(errs, p.compareKey(ctx, db), p.compareUniques(ctx, db))
	keyNames := map[string]string{}
	if slices.ContainsFunc(p.columns, func(c *column) bool { return !c.shadow && refersToOne(c.field) }) {
		errs = append(errs, p.compareForeignKeys(ctx, db, keyNames))
	}
	for _, c := range p.lists {
		errs = append(errs, p.compareList(ctx, db, c, keyNames))
	}
	p.keyNames.Store(&keyNames)
	return errors.Join(errs...)
}

func (p *plan) compareColumn(c *column, found actual, fail func(string, ...any)) {
	want := p.dialect.typeName(c.typ)
	wantType, _, _ := strings.Cut(want, " COLLATE")
	if !p.foreign && !strings.EqualFold(found.typ, wantType) {
		fail("has the column %s of the type %s; %s needs %s", c.name, found.typ, c.path.Name, want)
	}
	switch {
	case p.isID(c):
	case found.nullable && !c.nullable:
		fail("has the column %s, which can be null; %s is no pointer: make it one, or the column NOT NULL", c.name, c.path.Name)
	case !found.nullable && c.nullable:
		fail("has the column %s, which cannot be null; %s can be", c.name, c.path.Name)
	}
}

// describe asks the database for the columns of a table.
func describe(ctx context.Context, db *DB, table string) (map[string]actual, error) {
	there := map[string]actual{}
	rows, err := db.Query(ctx, db.Dialect().Describe, table)
	if err != nil {
		return nil, err
	}
	for err == nil && rows.Next() {
		var name, typ string
		var nullable int
		err = rows.Scan(&name, &typ, &nullable)
		there[name] = actual{typ, nullable != 0}
	}
	return there, db.finish(ctx, rows, err)
}

// compareKey looks whether the columns of an identifier of several are the primary key: else two
// records could come to have one address. In another order they serve as well.
func (p *plan) compareKey(ctx context.Context, db *DB) error {
	if !p.key.IsComposite() || p.dialect.PrimaryKey == "" {
		return nil
	}
	rows, err := db.Query(ctx, p.dialect.PrimaryKey, p.name)
	if err != nil {
		return err
	}
	var columns []string
	for err == nil && rows.Next() {
		var name string
		err = rows.Scan(&name)
		columns = append(columns, name)
	}
	if err := db.finish(ctx, rows, err); err != nil || p.isKey(columns) {
		return err
	}
	is := "no primary key"
	if columns != nil {
		is = "the primary key " + strings.Join(columns, ", ")
	}
	return fmt.Errorf("sqlstore: the table %s has %s; %s is identified by %s: make that the primary key",
		p.name, is, naming.TypeName(p.typ), strings.Join(names(p.ids), ", "))
}

// compareUniques looks for the constraints that keep unique fields unique, and notes
// their names.
func (p *plan) compareUniques(ctx context.Context, db *DB) error {
	byColumn, byName := map[string]bool{}, map[string]string{}
	rows, err := db.Query(ctx, p.dialect.Uniques, p.name)
	if err != nil {
		return err
	}
	for err == nil && rows.Next() {
		var constraint, name string
		err = rows.Scan(&constraint, &name)
		byColumn[name] = true
		if i := slices.IndexFunc(p.columns, func(c *column) bool { return c.name == name }); i >= 0 {
			byName[constraint] = p.columns[i].field.Name
		}
	}
	errs := []error{db.finish(ctx, rows, err)}
	p.constraints.Store(&byName)
	for _, c := range p.columns {
		if c.unique && !byColumn[c.name] {
			errs = append(errs, fmt.Errorf("sqlstore: the table %s has no unique index on %s alone; %s is to be unique", p.name, c.name, c.path.Name))
		}
	}
	return errors.Join(errs...)
}
