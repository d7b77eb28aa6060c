package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
)

// Check returns the errors of the struct's tags and the differences between the table and the struct, joined.
// resource.New calls it.
func (s *table) Check(ctx context.Context) error {
	if p := s.plan(); p.existing {
		if err := p.reads(ctx, func(querier) error { return s.adopt(ctx) }); err != nil {
			return err
		}
	}
	p := s.plan()
	return p.reads(ctx, func(querier) error { return p.compare(ctx) })
}

// actual is a column of the existing table.
type actual struct {
	typ      string
	nullable bool
	required bool // every INSERT must set it
}

// compare returns the differences between the plan and the existing tables of the records and of their lists.
func (p *plan) compare(ctx context.Context) error {
	t, err := p.actual(ctx, p.name)
	switch {
	case err != nil:
		return err
	case len(t.there) == 0 && p.existing:
		return fmt.Errorf("sqlstore: the table %s does not exist: sqlstore.Existing is for a table that Trove did not create; "+
			"set its name with sqlstore.Named, or leave Existing out", p.name)
	case len(t.there) == 0:
		return fmt.Errorf("sqlstore: the table %s does not exist: create it with db.Create, or with a migration from sqlstore.DDL", p.name)
	}
	keyNames := map[string]string{}
	t.compareColumns(p.own)
	t.compareIndexes(ctx)
	t.compareWords(ctx)
	if slices.ContainsFunc(p.own, (*column).refers) {
		t.compareForeignKeys(ctx, p.own, keyNames)
	}
	for _, c := range p.lists {
		t.errs = append(t.errs, p.compareList(ctx, c, keyNames))
	}
	p.keyNames.Store(&keyNames)
	return errors.Join(t.errs...)
}

// compareList returns the differences between the plan of a list's table and the existing one.
func (p *plan) compareList(ctx context.Context, c *column, keyNames map[string]string) error {
	t, err := p.actual(ctx, c.list.name)
	if err != nil {
		return err
	}
	if len(t.there) == 0 {
		return fmt.Errorf("sqlstore: the table %s of %s in %s does not exist: create it with db.Create, or with a migration from sqlstore.DDL",
			c.list.name, c.path.Name, p.name)
	}
	t.compareColumns(c.list.columns())
	t.checkRequired(c.list.columns())
	t.compareForeignKeys(ctx, []*column{c}, keyNames)
	return errors.Join(t.errs...)
}

// actualTable is an existing table, which is compared with what a plan needs.
type actualTable struct {
	plan  *plan
	name  string            // that of the plan, or of the table of one of its lists
	there map[string]actual // the columns by name; empty if the table does not exist
	errs  []error           // the differences; some are nil
}

// actual returns the existing table with a name.
func (p *plan) actual(ctx context.Context, name string) (*actualTable, error) {
	there, err := describe(ctx, p.db, p.db, name)
	return &actualTable{plan: p, name: name, there: there}, err
}

// fail adds a difference.
func (t *actualTable) fail(format string, args ...any) {
	t.errs = append(t.errs, fmt.Errorf("sqlstore: the table "+t.name+" "+format, args...))
}

// compareColumns adds an error for each column that is missing or differs.
func (t *actualTable) compareColumns(columns []*column) {
	names := slices.Sorted(maps.Keys(t.there))
	for _, c := range columns {
		if found, ok := t.there[c.name]; ok {
			t.compareColumn(c, found)
		} else {
			t.fail("has no column %s %s for %s%s", c.name, t.plan.typeOf(c), c.path.Name, naming.DidYouMean(c.name, names))
		}
	}
}

// compareColumn adds an error for each difference of a column.
func (t *actualTable) compareColumn(c *column, found actual) {
	p, want := t.plan, t.plan.typeOf(c)
	if !p.existing && !p.isType(c, found.typ) && !p.serves(c, found.typ) {
		t.fail("has the column %s with type %s; %s needs %s", c.name, found.typ, c.path.Name, want)
	}
	switch {
	case p.isID(c):
	case found.nullable && !c.nullable && c.shadow:
		t.fail("has the column %s, which is not filled yet: call db.Migrate, which computes it from %s", c.name, c.path.Name)
	case found.nullable && !c.nullable:
		t.fail("has the nullable column %s, but %s is not a pointer: make the field a pointer, or the column NOT NULL", c.name, c.path.Name)
	case !found.nullable && c.nullable:
		t.fail("has the column %s, which is NOT NULL, but %s can be null", c.name, c.path.Name)
	}
}

// CheckInserts returns an error for each column that would make every insert fail, because it is NOT NULL without a
// default and the struct does not use it. resource.New calls it if an operation inserts records.
func (s *table) CheckInserts(ctx context.Context) error {
	p := s.plan()
	return p.reads(ctx, func(querier) error {
		t, err := p.actual(ctx, p.name)
		t.checkRequired(p.own)
		return errors.Join(append(t.errs, err)...)
	})
}

// checkRequired adds an error for each column that inserts must set and that the store does not write.
func (t *actualTable) checkRequired(written []*column) {
	for _, name := range slices.Sorted(maps.Keys(t.there)) {
		isWritten := slices.ContainsFunc(written, func(c *column) bool { return strings.EqualFold(c.name, name) })
		if t.there[name].required && !isWritten {
			t.fail("has the column %s, which is NOT NULL without a default and which %s does not use, so every insert would fail: "+
				"drop the column, or run %s",
				name, t.plan.typName, t.plan.dialect.AlterNull(t.plan.dialect.table(t.name), t.plan.dialect.Quote(name), t.there[name].typ, true))
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

// compareForeignKeys compares the foreign keys with those that columns need, and records their names. A reference with
// ondelete=restrict needs none; the guide describes the weaker guarantees.
func (t *actualTable) compareForeignKeys(ctx context.Context, columns []*column, keyNames map[string]string) {
	there, err := foreignKeysOf(ctx, t.plan.db, t.name)
	t.errs = append(t.errs, err)
	for _, c := range columns {
		from, want := c.allParts(), model.Restrict
		if c.list != nil {
			from, want = c.list.target.allParts(), c.list.onDelete(c)
		} else if c.refers() {
			want = c.field.Reference.OnDelete
		}
		name := together(from)
		key, is := there[name]
		if is && !c.shadow {
			keyNames[key.constraint] = c.field.Name
		}
		switch {
		case c.list == nil && !c.refers():
		case !is && want != model.Restrict:
			remedy := "" // the referenced table may be unknown
			if links := t.plan.linksOf([]*column{c}); len(links) > 0 {
				remedy = ": " + t.plan.remedy(links[0].table, t.plan.constraint(links[0]))
			}
			t.fail("has no foreign key on %s; ondelete=%[3]s of %[2]s needs one with%[4]s%[5]s",
				name, c.path.Name, c.field.Reference.OnDelete, actions[want], remedy)
		case is && key.action != string(want):
			t.fail("has a foreign key on %s with the action %s, but %s has ondelete=%s", name, key.action, c.path.Name, c.field.Reference.OnDelete)
		}
	}
}

// together returns the names of the columns that form a foreign key, in a normalized order.
func together(columns []*column) string {
	all := make([]string, len(columns))
	for i, one := range columns {
		all[i] = one.name
	}
	return sortedNames(all)
}

func sortedNames(list []string) string {
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// actualKey is an existing foreign key.
type actualKey struct{ constraint, action string }

// foreignKeysOf returns the foreign keys of a table by their columns.
func foreignKeysOf(ctx context.Context, db *DB, table string) (map[string]actualKey, error) {
	there := map[string]actualKey{}
	return there, db.each(ctx, db, db.dialect.facts.ForeignKeys, []any{table}, func(rows Rows) error {
		var name string
		var key actualKey
		err := rows.Scan(&key.constraint, &name, &key.action)
		there[sortedNames(strings.Split(name, ", "))] = key
		return err
	})
}

// Advise returns a line for each reference to a table of the same database that has no foreign key, such as one added
// to an existing column, one for the indexes that the table lacks, and one for each field that clients search without the
// index that Create adds to new tables on PostgreSQL. Such a table works, but other programs and concurrent requests can
// leave references to records that do not exist, and queries are slow. resource.New logs the lines.
func (s *table) Advise(ctx context.Context) ([]string, error) {
	p := s.plan()
	if p.existing || p.err != nil {
		return nil, p.err
	}
	var advice []string
	err := s.db.retried(ctx, func() (err error) {
		if advice, err = p.withoutKeys(ctx); err == nil {
			advice, err = p.withoutIndexes(ctx, advice)
		}
		if err == nil {
			advice, err = p.withoutSearch(ctx, advice)
		}
		return err
	})
	return advice, err
}

// withoutKeys returns a line for each missing foreign key of the table or of the tables of its lists.
func (p *plan) withoutKeys(ctx context.Context) (lines []string, err error) {
	there := map[string]map[string]actualKey{}
	check := func(table string, columns []*column, target *plan, constraint string) {
		if there[table] == nil && err == nil {
			there[table], err = foreignKeysOf(ctx, p.db, table)
		}
		if names := together(columns); there[table][names] == (actualKey{}) {
			lines = append(lines, fmt.Sprintf("the table %s has no foreign key on %s, so it can refer to rows of %s that do not exist: %s",
				table, names, target.name, p.remedy(table, constraint)))
		}
	}
	for _, link := range p.linksOf(p.columns) {
		check(link.table, link.from, link.target, p.constraint(link))
	}
	for _, c := range p.lists {
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
