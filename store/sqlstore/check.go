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

// Check returns the errors of the struct's tags and the differences between the table and the struct, joined.
// resource.New calls it.
func (s *table) Check(ctx context.Context) error {
	if err := s.plan().err; err != nil {
		return err
	}
	if p := s.plan(); p.lists != nil || p.foreign || p.hasTimes() {
		if err := s.db.retried(ctx, func() error { return s.adopt(ctx) }); err != nil {
			return err
		}
	}
	p := s.plan()
	if p.err != nil {
		return p.err
	}
	return s.db.retried(ctx, func() error { return p.compare(ctx, s.db) })
}

// actual is a column of the existing table.
type actual struct {
	typ      string
	nullable bool
	required bool // every INSERT must set it
}

// tableChecker is implemented by drivers of databases whose tables can have defects that no other database has.
// CheckTable returns these as sentences about the table.
type tableChecker interface {
	CheckTable(ctx context.Context, table string) ([]string, error)
}

// compare returns the differences between the plan and the existing table.
func (p *plan) compare(ctx context.Context, db *DB) error {
	there, err := describe(ctx, db, db, p.name)
	if err != nil {
		return err
	}
	if len(there) == 0 && p.foreign {
		return fmt.Errorf("sqlstore: the table %s does not exist: sqlstore.Existing is for a table that Trove did not create; "+
			"set its name with sqlstore.Named, or leave Existing out", p.name)
	}
	if len(there) == 0 {
		return fmt.Errorf("sqlstore: the table %s does not exist: create it with db.Create, or with a migration from sqlstore.DDL", p.name)
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

// checkTable returns the defects that the driver finds in a table.
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

// compareColumns calls fail for each column that is missing or differs.
func (p *plan) compareColumns(columns []*column, there map[string]actual, fail func(string, ...any)) {
	names := slices.Sorted(maps.Keys(there))
	for _, c := range columns {
		if found, ok := there[c.name]; ok {
			p.compareColumn(c, found, fail)
		} else {
			fail("has no column %s %s for %s%s", c.name, p.typeOf(c), c.path.Name, naming.DidYouMean(c.name, names))
		}
	}
}

// failingOn returns a function that adds errors about a table to errs.
func failingOn(table string, errs *[]error) func(string, ...any) {
	return func(format string, args ...any) {
		*errs = append(*errs, fmt.Errorf("sqlstore: the table "+table+" "+format, args...))
	}
}

// compareColumn calls fail for each difference of a column.
func (p *plan) compareColumn(c *column, found actual, fail func(string, ...any)) {
	want := p.typeOf(c)
	if !p.foreign && !p.dialect.IsType(found.typ, want) && !p.dialect.IsType(withoutSize(found.typ), want) {
		fail("has the column %s with type %s; %s needs %s", c.name, found.typ, c.path.Name, want)
	}
	switch {
	case p.isID(c):
	case found.nullable && !c.nullable:
		fail("has the nullable column %s, but %s is not a pointer: make the field a pointer, or the column NOT NULL", c.name, c.path.Name)
	case !found.nullable && c.nullable:
		fail("has the column %s, which is NOT NULL, but %s can be null", c.name, c.path.Name)
	}
}

// withoutSize returns a type without a size in parentheses.
func withoutSize(typ string) string {
	before, rest, _ := strings.Cut(typ, "(")
	_, after, _ := strings.Cut(rest, ")")
	return before + after
}

// CheckInserts returns an error for each column that would make every insert fail, because it is NOT NULL without a
// default and the struct does not use it. resource.New calls it if an operation inserts records.
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

// checkRequired calls fail for each column that inserts must set and that the store does not write.
func (p *plan) checkRequired(table string, written []*column, there map[string]actual, fail func(string, ...any)) {
	for _, name := range slices.Sorted(maps.Keys(there)) {
		isWritten := slices.ContainsFunc(written, func(c *column) bool { return strings.EqualFold(c.name, name) })
		if there[name].required && !isWritten {
			fail("has the column %s, which is NOT NULL without a default and which %s does not use, so every insert would fail: "+
				"drop the column, or run ALTER TABLE %s ALTER COLUMN %s DROP NOT NULL", name, p.typName, p.dialect.table(table), p.dialect.Quote(name))
		}
	}
}

// describe returns the columns of a table, none if the table does not exist.
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

// compareKey checks that the columns of a composite identifier are the primary key, in any order. Otherwise two records
// could have one URL.
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
	return fmt.Errorf("sqlstore: the table %s has %s, but the identifier of %s is %s: make that the primary key",
		p.name, is, p.typName, list(p.ids))
}

// compareUniques checks that each unique field has a unique constraint, and records the names of the constraints.
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
			errs = append(errs, fmt.Errorf("sqlstore: the table %s has no unique index on %s alone, but %s is unique", p.name, c.name, c.path.Name))
		}
	}
	return errors.Join(errs...)
}

// adopt checks tables that exist already, as [Store.Check] does.
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

// adopt makes the store fit a table that exists already. It keeps a list of references as JSON if the table has a
// column for it, because the table was created before lists had their own tables; such a list works as before, without
// foreign keys. If another program created the table, it reads times in all forms, and rejects values that do not fit.
func (s *table) adopt(ctx context.Context) error {
	p := s.plan()
	there, err := describe(ctx, s.db, s.db, p.name)
	if err != nil {
		return err
	}
	inline := p.inlined()
	for _, c := range p.lists {
		if _, is := there[c.name]; is {
			inline = append(inline, c.field.Name)
		}
	}
	declared, err := p.declaredTypes(ctx, there)
	if err != nil || p.isAdopted(inline, declared) {
		return err
	}
	s.replace(p, inline, declared)
	return nil
}

// replace replaces a plan by one that knows the lists and the declared types of the existing table.
func (s *table) replace(p *plan, inline []string, declared map[string]string) {
	know := func(s *settings) { s.inline, s.declared = inline, declared }
	made := newPlan(s, p.typ, append(slices.Clone(s.options), know))
	made.keyNames.Store(p.keyNames.Load())
	made.constraints.Store(p.constraints.Load())
	s.current.CompareAndSwap(p, made)
}

// inlined returns the lists of references that are not in tables of their own but could be.
func (p *plan) inlined() (fields []string) {
	for _, c := range p.columns {
		if !c.shadow && c.list == nil && p.isJoined(c.field) {
			fields = append(fields, c.field.Name)
		}
	}
	return fields
}

// compareList returns the differences between the plan of a list's table and the existing one.
func (p *plan) compareList(ctx context.Context, db *DB, c *column, keyNames map[string]string) error {
	there, err := describe(ctx, db, db, c.list.name)
	if err != nil {
		return err
	}
	if len(there) == 0 {
		return fmt.Errorf("sqlstore: the table %s of %s in %s does not exist: create it with db.Create, or with a migration from sqlstore.DDL",
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

// Advise returns a line for each reference to a table of the same database that has no foreign key, such as one added
// to an existing column. Such a table works, but other programs and concurrent requests can leave references to records
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

// withoutKeys returns a line for each missing foreign key of the table or of the tables of its lists.
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

// remedy describes how to add a foreign key to a table.
func (p *plan) remedy(table, constraint string) string {
	if !p.dialect.facts.TargetsFirst {
		return "the database adds no foreign key to an existing table; copy the rows to a new table with " + constraint +
			`, as "Add a foreign key" in docs/guides/databases.md shows`
	}
	return "run ALTER TABLE " + p.dialect.table(table) + " ADD " + constraint
}

// remedyFor returns advice to append to the error about a column without a foreign key, "" if the referenced table is
// not known.
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
