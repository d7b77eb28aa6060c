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

// Check returns, joined, the mistakes of the struct's tags, and what the table differs in from the struct. resource.New calls it.
func (s *table) Check(ctx context.Context) error {
	if err := s.plan().err; err != nil {
		return err
	}
	if s.plan().lists != nil {
		if err := s.db.retried(ctx, func() error { return s.adopt(ctx) }); err != nil {
			return err
		}
	}
	return s.db.retried(ctx, func() error { return s.plan().compare(ctx, s.db) })
}

// actual is a column as the database has it.
type actual struct {
	typ      string
	nullable bool
	required bool // inserts must set it
}

// tableChecker is implemented by drivers of databases whose tables can be wrong in ways of their
// own. CheckTable returns sentences about the table.
type tableChecker interface {
	CheckTable(ctx context.Context, table string) ([]string, error)
}

// compare tells the differences between the plan and the table that is there.
func (p *plan) compare(ctx context.Context, db *DB) error {
	there, err := describe(ctx, db, db, p.name)
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
	fail := failingOn(p.name, &errs)
	p.compareColumns(p.own, there, fail)
	errs = append(errs, checkTable(ctx, db, p.name), p.compareKey(ctx, db), p.compareUniques(ctx, db))
	keyNames := map[string]string{}
	if slices.ContainsFunc(p.own, (*column).refers) {
		keys, err := foreignKeysOf(ctx, db, p.name)
		errs = append(errs, err)
		p.compareForeignKeys(keys, p.own, keyNames, fail)
	}
	for _, c := range p.lists {
		errs = append(errs, p.compareList(ctx, db, c, keyNames))
	}
	p.keyNames.Store(&keyNames)
	return errors.Join(errs...)
}

// checkTable returns what the driver finds wrong with a table.
func checkTable(ctx context.Context, db *DB, table string) error {
	checker, ok := db.driver.(tableChecker)
	if !ok {
		return nil
	}
	problems, err := checker.CheckTable(ctx, table)
	errs := []error{db.explain(ctx, err)}
	fail := failingOn(table, &errs)
	for _, problem := range problems {
		fail("%s", problem)
	}
	return errors.Join(errs...)
}

// compareColumns calls fail for each column that a table lacks or has otherwise.
func (p *plan) compareColumns(columns []*column, there map[string]actual, fail func(string, ...any)) {
	names := slices.Sorted(maps.Keys(there))
	for _, c := range columns {
		if found, ok := there[c.name]; ok {
			p.compareColumn(c, found, fail)
		} else {
			fail("has no column %s %s, for %s%s", c.name, p.typeOf(c), c.path.Name, naming.DidYouMean(c.name, names))
		}
	}
}

// failingOn returns a function that adds errors about a table to errs.
func failingOn(table string, errs *[]error) func(string, ...any) {
	return func(format string, args ...any) {
		*errs = append(*errs, fmt.Errorf("sqlstore: the table "+table+" "+format, args...))
	}
}

// compareColumn calls fail for what a column has otherwise.
func (p *plan) compareColumn(c *column, found actual, fail func(string, ...any)) {
	want := p.typeOf(c)
	if !p.foreign && !p.dialect.IsType(found.typ, want) {
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

// CheckInserts returns an error for each column of the table that inserts would have to set but the struct does not use: it is
// NOT NULL, and has no default. resource.New calls it if an operation inserts records.
func (s *table) CheckInserts(ctx context.Context) error {
	p := s.plan()
	if err := p.err; err != nil {
		return err
	}
	return s.db.retried(ctx, func() error {
		there, err := describe(ctx, s.db, s.db, p.name)
		errs := []error{err}
		p.checkRequired(p.name, p.own, there, failingOn(p.name, &errs))
		return errors.Join(errs...)
	})
}

// checkRequired calls fail for each column of a table that inserts must set and that is none of
// the columns that the store writes.
func (p *plan) checkRequired(table string, written []*column, there map[string]actual, fail func(string, ...any)) {
	for _, name := range slices.Sorted(maps.Keys(there)) {
		isWritten := slices.ContainsFunc(written, func(c *column) bool { return strings.EqualFold(c.name, name) })
		if there[name].required && !isWritten {
			fail("has the column %s, which is NOT NULL without a default and which %s does not use, so every insert would fail: "+
				"drop the column, or run ALTER TABLE %s ALTER COLUMN %s DROP NOT NULL", name, p.typName, p.dialect.Quote(table), p.dialect.Quote(name))
		}
	}
}

// describe asks the database for the columns of a table; it has none if there is no such table.
func describe(ctx context.Context, db *DB, from Executor, table string) (map[string]actual, error) {
	there := map[string]actual{}
	return there, db.each(ctx, from, db.dialect.facts.Describe, []any{table}, func(rows Rows) error {
		var name, typ string
		var nullable, required int
		err := rows.Scan(&name, &typ, &nullable, &required)
		there[name] = actual{typ, nullable != 0, required != 0}
		return err
	})
}

// compareKey looks whether the columns of an identifier of several are the primary key: else two
// records could come to have one address. In another order they serve as well.
func (p *plan) compareKey(ctx context.Context, db *DB) error {
	query := p.dialect.facts.PrimaryKey
	if !p.key.IsComposite() || query == "" {
		return nil
	}
	columns, err := db.strings(ctx, db, query, p.name)
	if err != nil || p.isKey(columns) {
		return err
	}
	is := "no primary key"
	if columns != nil {
		is = "the primary key " + strings.Join(columns, ", ")
	}
	return fmt.Errorf("sqlstore: the table %s has %s; %s is identified by %s: make that the primary key",
		p.name, is, p.typName, list(p.ids))
}

// compareUniques looks for the constraints that keep unique fields unique, and notes their names.
func (p *plan) compareUniques(ctx context.Context, db *DB) error {
	byColumn, byName := map[string]bool{}, map[string]string{}
	err := db.each(ctx, db, p.dialect.facts.Uniques, []any{p.name}, func(rows Rows) error {
		var constraint, name string
		err := rows.Scan(&constraint, &name)
		byColumn[name] = true
		if i := slices.IndexFunc(p.columns, func(c *column) bool { return c.name == name }); i >= 0 {
			byName[constraint] = p.columns[i].field.Name
		}
		return err
	})
	if err != nil {
		return err
	}
	var errs []error
	p.constraints.Store(&byName)
	for _, c := range p.columns {
		if c.unique && !byColumn[c.name] {
			errs = append(errs, fmt.Errorf("sqlstore: the table %s has no unique index on %s alone; %s is to be unique", p.name, c.name, c.path.Name))
		}
	}
	return errors.Join(errs...)
}

// adopt looks at tables that are there already, as [Store.Check] does.
func (db *DB) adopt(ctx context.Context, tables []TableDefiner) error {
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
func (s *table) adopt(ctx context.Context) error {
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
	s.current.CompareAndSwap(p, planOf(p.typ, s.db, append(slices.Clone(s.options), keep)))
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
	keys, err := foreignKeysOf(ctx, db, c.list.name)
	p.compareForeignKeys(keys, []*column{c}, keyNames, fail)
	return errors.Join(append(errs, err)...)
}

// Advise returns a line for each reference to a table of the same database that has no foreign key, as of a column that has
// become a reference. Such a table works, but other programs, and two requests at the same time, can leave references to records
// that do not exist. resource.New logs the lines.
func (s *table) Advise(ctx context.Context) ([]string, error) {
	p := s.plan()
	if p.foreign || p.err != nil {
		return nil, p.err
	}
	var advice []string
	err := s.db.retried(ctx, func() (err error) {
		advice, err = p.withoutKeys(ctx, s.db)
		return err
	})
	return advice, err
}

// withoutKeys returns a line for each foreign key that the table, or the table of a list, lacks.
func (p *plan) withoutKeys(ctx context.Context, db *DB) (lines []string, err error) {
	there := map[string]map[string]actualKey{}
	check := func(table string, columns []*column, target *plan, constraint string) {
		if there[table] == nil && err == nil {
			there[table], err = foreignKeysOf(ctx, db, table)
		}
		if names := together(columns); there[table][names] == (actualKey{}) {
			lines = append(lines, fmt.Sprintf("the table %s has no foreign key on %s, so it can refer to rows of %s that do not exist: %s",
				table, names, target.name, p.remedy(table, constraint)))
		}
	}
	for _, link := range p.foreignKeys() {
		check(p.name, link.from, link.target, p.constraint(link))
	}
	for _, c := range p.lists {
		for _, link := range p.linksOf([]*column{c}) {
			check(c.list.name, link.from, link.target, p.constraint(link))
		}
		check(c.list.name, c.list.record, p, c.list.recordConstraint(p))
	}
	if err != nil {
		return nil, err
	}
	return lines, nil
}

// remedy says how to add a foreign key to a table.
func (p *plan) remedy(table, constraint string) string {
	if !p.dialect.facts.TargetsFirst {
		return "the database adds no foreign key to an existing table; copy the rows to a new table with " + constraint +
			`, as "Add a foreign key" in docs/guides/databases.md shows`
	}
	return "run ALTER TABLE " + p.dialect.Quote(table) + " ADD " + constraint
}

// remedyFor returns what to append to the error of a column without a foreign key, "" if the table
// that it refers to is not known.
func (p *plan) remedyFor(c *column) string {
	links, table := p.linksOf([]*column{c}), p.name
	if len(links) == 0 {
		return ""
	}
	if c.list != nil {
		table = c.list.name
	}
	return ": " + p.remedy(table, p.constraint(links[0]))
}
