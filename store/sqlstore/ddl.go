package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// TableDefiner is a store whose table can be made: a [Store] of any type.
type TableDefiner interface {
	// DDL returns the statements that make the table and its indexes, if they are missing.
	DDL() ([]string, error)
}

// Create makes the tables and indexes that are missing, in one transaction: those of the stores, whose order does not matter,
// those of their lists of references, and [DB.Responses]. References are foreign keys, where the table that they are to is declared
// before, of the same DB: by its Go type, or as [References] says. It never alters a table that is there: see [Store.Check] for
// what then differs. A column that is missing in such a table is an error if it needs an index.
func (db *DB) Create(ctx context.Context, tables ...TableDefiner) error {
	if err := db.ready(); err != nil {
		return err
	}
	if err := db.adopt(ctx, tables); err != nil {
		return err
	}
	tables = inOrder(tables)
	statements, err := statementsOf(append(slices.Clone(tables), db.Responses()))
	if err != nil {
		return err
	}
	return db.transact(ctx, func(ctx context.Context, t *transaction) error {
		if err := t.checkIndexed(ctx, tables); err != nil {
			return err
		}
		late, err := t.lateKeys(ctx, tables)
		if err != nil {
			return err
		}
		for _, each := range append(slices.Clone(statements), late...) {
			if exists, err := t.hasIndex(ctx, each); err != nil {
				return err
			} else if exists {
				continue
			}
			if _, err := t.Exec(ctx, each.text); err != nil {
				return err
			}
		}
		return nil
	})
}

// definition is a statement that makes a table, or an index of one.
type definition struct {
	text         string
	table, index string // the names of an index and its table; "" for others
}

// hasIndex reports whether a definition is of an index that exists, in a database without CREATE INDEX IF NOT EXISTS.
func (t *transaction) hasIndex(ctx context.Context, d definition) (bool, error) {
	query := t.db.dialect.facts.Indexes
	if query == "" || d.index == "" {
		return false, nil
	}
	indexes, err := t.db.strings(ctx, t, query, d.table)
	return slices.Contains(indexes, d.index), err
}

// lateKeys returns the statements that add foreign keys of tables that refer to each other, to those that are not there yet.
func (t *transaction) lateKeys(ctx context.Context, tables []TableDefiner) (statements []definition, err error) {
	for _, table := range tables {
		p := planIn(table)
		if p == nil || len(p.lateKeys()) == 0 {
			continue
		}
		there, err := describe(ctx, t.db, t, p.name)
		if err != nil {
			return nil, err
		}
		if len(there) == 0 {
			statements = append(statements, p.lateKeys()...)
		}
	}
	return statements, nil
}

// checkIndexed returns an error for each column that a table lacks, if an index is to be created
// on one of them. SQLite might take the name of such a column for a string.
func (t *transaction) checkIndexed(ctx context.Context, tables []TableDefiner) error {
	var errs []error
	for _, table := range tables {
		p := planIn(table)
		if p == nil {
			continue
		}
		var indexed []*column
		for _, index := range p.indexes() {
			indexed = append(indexed, index.columns...)
		}
		errs = append(errs, t.checkMissing(ctx, p, p.name, p.own, indexed))
		for _, c := range p.lists {
			errs = append(errs, t.checkMissing(ctx, p, c.list.name, c.list.columns(), c.list.columns()))
		}
	}
	return errors.Join(errs...)
}

// checkMissing returns an error for each of the columns that an existing table lacks, if an indexed one is among them.
func (t *transaction) checkMissing(ctx context.Context, p *plan, table string, columns, indexed []*column) error {
	there, err := describe(ctx, t.db, t, table)
	if err != nil || len(there) == 0 {
		return err
	}
	missing := slices.DeleteFunc(slices.Clone(columns), func(c *column) bool {
		_, is := there[c.name]
		return is
	})
	if !slices.ContainsFunc(indexed, func(c *column) bool { return slices.Contains(missing, c) }) {
		return nil
	}
	var errs []error
	p.compareColumns(missing, there, failingOn(table, &errs))
	return errors.Join(errs...)
}

// DDL returns the statements that make tables and their indexes as one text, to begin a migration with. Whatever order the tables
// are in, each comes behind those that it refers to; foreign keys of tables that refer to each other come last. All tables of the
// database are to be declared before.
func DDL(tables ...TableDefiner) (string, error) {
	tables = inOrder(tables)
	statements, err := statementsOf(tables)
	for _, table := range tables {
		if p := planIn(table); p != nil {
			statements = append(statements, p.lateKeys()...)
		}
	}
	var text strings.Builder
	for _, each := range statements {
		text.WriteString(each.text + ";\n\n")
	}
	return text.String(), err
}

// statementsOf returns the statements that make tables, those of lists behind all others, for they refer to two of them.
func statementsOf(tables []TableDefiner) (statements []definition, err error) {
	var lists []definition
	var errs []error
	for _, table := range tables {
		if p := planIn(table); p != nil {
			statements, lists = append(statements, p.ddl()...), append(lists, p.listDDL()...)
			continue
		}
		more, err := table.DDL()
		for _, text := range more {
			statements = append(statements, definition{text: text})
		}
		errs = append(errs, err)
	}
	return append(statements, lists...), errors.Join(errs...)
}

// DDL returns the statements that make the table, its indexes and the tables of its lists of
// references, if they are missing, without the foreign keys of tables that refer to each other:
// the function [DDL] adds those, and has the tables of lists behind those that they refer to.
func (s *table) DDL() ([]string, error) {
	p := s.plan()
	if err := p.err; err != nil {
		return nil, err
	}
	var texts []string
	for _, each := range append(p.ddl(), p.listDDL()...) {
		texts = append(texts, each.text)
	}
	return texts, nil
}

// ddl returns the statements that make the table and its indexes.
func (p *plan) ddl() []definition {
	lines := make([]string, 0, len(p.own)+1)
	for _, c := range p.own {
		lines = append(lines, "\t"+c.quoted+" "+p.columnType(c))
	}
	if len(p.ids) > 1 {
		lines = append(lines, "\tCONSTRAINT "+p.dialect.Quote(p.name+"_pkey")+" PRIMARY KEY ("+list(p.ids)+")")
	}
	for _, key := range p.foreignKeys() {
		if !p.isLate(key) {
			lines = append(lines, "\t"+p.constraint(key))
		}
	}
	table := "CREATE TABLE IF NOT EXISTS " + p.quoted + " (\n" + strings.Join(lines, ",\n") + "\n)" + p.dialect.facts.TableSuffix
	statements := []definition{{text: table}}
	for _, i := range p.indexes() {
		statements = append(statements, i.create(p.dialect, p.name))
	}
	return statements
}

// listDDL returns the statements that make the tables of lists, which come behind all others.
func (p *plan) listDDL() (statements []definition) {
	for _, c := range p.lists {
		statements = append(statements, c.list.ddl(p, c)...)
	}
	return statements
}

// columnType writes what follows the name of a column.
func (p *plan) columnType(c *column) string {
	if p.counts && p.isID(c) {
		return p.dialect.facts.Identity
	}
	text := p.typeOf(c)
	switch {
	case p.isID(c) && len(p.ids) == 1:
		text += " NOT NULL PRIMARY KEY"
	case !c.nullable:
		text += " NOT NULL"
	}
	return text
}

// index is an index of a table.
type index struct {
	name    string
	columns []*column
	unique  bool
}

// indexes lists the indexes that the table's fields ask for.
func (p *plan) indexes() []index {
	var indexes []index
	for _, c := range p.columns {
		switch {
		case c == p.ids[0]: // whose index is that of the identifier
		case c.unique:
			indexes = append(indexes, index{p.uniqueIndex(c), []*column{c}, true})
		case c.sorted:
			others := slices.DeleteFunc(slices.Clone(p.ids), func(id *column) bool { return id == c })
			indexes = append(indexes, index{p.indexName(c, "idx"), append(slices.Clone(c.whole()), others...), false})
		case c.indexed:
			indexes = append(indexes, index{p.indexName(c, "idx"), []*column{c}, false})
		}
	}
	return indexes
}

// maxName is how long a name may be before PostgreSQL cuts it.
const maxName = 63

func (p *plan) indexName(c *column, sort string) string {
	return shortened(p.name + "_" + c.name + "_" + sort)
}

// shortened returns a name. One that would be cut ends in a hash of it, so that it is not taken for another.
func shortened(name string) string {
	if len(name) <= maxName {
		return name
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name)) // it never fails
	return fmt.Sprintf("%s_%08x", name[:maxName-9], hash.Sum32())
}

// create returns the statement that makes the index of a table.
func (i index) create(d *dialect, table string) definition {
	columns := names(i.columns)
	for n, c := range i.columns {
		if c.nullable && d.facts.NullsLast {
			columns[n] += " NULLS FIRST"
		}
	}
	text := "CREATE "
	if i.unique {
		text += "UNIQUE "
	}
	if text += "INDEX "; d.facts.Indexes == "" {
		text += "IF NOT EXISTS "
	}
	text += d.Quote(i.name) + " ON " + d.Quote(table) + " (" + strings.Join(columns, ", ") + ")"
	return definition{text, table, i.name}
}
