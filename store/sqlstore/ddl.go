package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// Tabled is a store whose table can be made: a [Store] of any type.
type Tabled interface {
	// DDL returns the statements that make the table and its indexes, if they are
	// missing.
	DDL() ([]string, error)
}

// Create makes the tables and indexes that are missing, in one transaction: those of the
// stores, whose order does not matter, those of their lists of references, and [DB.Answers]. References are foreign keys, where the
// table that they are to is declared before, of the same DB: by its Go type, or as [References]
// says. It never alters a table that is there: see [Store.Check] for
// what then differs. A column that is missing in such a table is an error if it needs an index.
func (db *DB) Create(ctx context.Context, tables ...Tabled) error {
	if err := db.ready(); err != nil {
		return err
	}
	if err := db.adopt(ctx, tables); err != nil {
		return err
	}
	tables = inOrder(tables)
	statements, err := statementsOf(append(slices.Clone(tables), db.Answers()))
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
		statements := append(slices.Clone(statements), late...)
		for _, statement := range statements {
			if _, err := t.Exec(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
}

// lateKeys returns the statements that add foreign keys of tables that refer to each other, to
// those that are not there yet.
func (t *transaction) lateKeys(ctx context.Context, tables []Tabled) ([]string, error) {
	var statements []string
	for _, table := range tables {
		own, ok := table.(ownTable)
		if !ok {
			continue
		}
		late := own.tablePlan().lateKeys()
		if len(late) == 0 {
			continue
		}
		there, err := describe(ctx, t.db, t, own.tablePlan().name)
		if err != nil {
			return nil, err
		}
		if len(there) == 0 {
			statements = append(statements, late...)
		}
	}
	return statements, nil
}

// checkIndexed returns an error for each column that a table lacks, if an index is to be created
// on one of them. SQLite might take the name of such a column for a string.
func (t *transaction) checkIndexed(ctx context.Context, tables []Tabled) error {
	var errs []error
	for _, table := range tables {
		own, ok := table.(ownTable)
		if !ok || own.tablePlan().err() != nil {
			continue
		}
		p := own.tablePlan()
		var indexed []*column
		for _, index := range p.indexes() {
			indexed = append(indexed, index.columns...)
		}
		errs = append(errs, t.checkMissing(ctx, p, p.name, p.own(), indexed))
		for _, c := range p.lists {
			errs = append(errs, t.checkMissing(ctx, p, c.list.name, c.list.columns(), c.list.columns()))
		}
	}
	return errors.Join(errs...)
}

// checkMissing returns an error for each of the columns that an existing table lacks, if an
// indexed one is among them.
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

// DDL returns the statements that make tables and their indexes as one text, to begin a
// migration with. Whatever order the tables are in, each comes behind those that it refers to;
// foreign keys of tables that refer to each other come last. All tables of the database are to
// be declared before.
func DDL(tables ...Tabled) (string, error) {
	tables = inOrder(tables)
	statements, err := statementsOf(tables)
	for _, table := range tables {
		if own, ok := table.(ownTable); ok && own.tablePlan().err() == nil {
			statements = append(statements, own.tablePlan().lateKeys()...)
		}
	}
	var text strings.Builder
	for _, statement := range statements {
		text.WriteString(statement + ";\n\n")
	}
	return text.String(), err
}

// statementsOf returns the statements that make tables, those of lists behind all others, for
// they refer to two of them.
func statementsOf(tables []Tabled) (statements []string, err error) {
	var lists []string
	var errs []error
	for _, table := range tables {
		own, ok := table.(ownTable)
		if !ok || own.tablePlan().err() != nil {
			more, err := table.DDL()
			statements, errs = append(statements, more...), append(errs, err)
			continue
		}
		statements, lists = append(statements, own.tablePlan().ddl()...), append(lists, own.tablePlan().listDDL()...)
	}
	return append(statements, lists...), errors.Join(errs...)
}

// DDL returns the statements that make the table, its indexes and the tables of its lists of
// references, if they are missing, without the foreign keys of tables that refer to each other:
// the function [DDL] adds those, and has the tables of lists behind those that they refer to.
func (s *Store[T]) DDL() ([]string, error) {
	p := s.plan()
	if err := p.err(); err != nil {
		return nil, err
	}
	return append(p.ddl(), p.listDDL()...), nil
}

func (p *plan) ddl() []string {
	statements := []string{p.createTable()}
	for _, index := range p.indexes() {
		statements = append(statements, index.create(p))
	}
	return statements
}

func (p *plan) createTable() string {
	lines := make([]string, len(p.own()))
	for i, c := range p.own() {
		lines[i] = "\t" + quote(c.name) + " " + p.definition(c)
	}
	return "CREATE TABLE IF NOT EXISTS " + quote(p.name) + " (\n" + strings.Join(lines, ",\n") + p.primaryKey() + p.inline() + "\n)" + p.dialect.TableSuffix
}

// primaryKey writes the key that several columns make, as a part of CREATE TABLE.
func (p *plan) primaryKey() string {
	if len(p.ids) == 1 {
		return ""
	}
	return ",\n\tCONSTRAINT " + quote(p.name+"_pkey") + " PRIMARY KEY (" + strings.Join(names(p.ids), ", ") + ")"
}

// without returns the columns but one.
func without(columns []*column, one *column) []*column {
	return slices.DeleteFunc(slices.Clone(columns), func(c *column) bool { return c == one })
}

// definition writes what follows the name of a column.
func (p *plan) definition(c *column) string {
	if p.counts() && p.isID(c) {
		return p.dialect.Identity
	}
	text := p.dialect.typeName(c.typ)
	switch {
	case p.isID(c) && len(p.ids) == 1:
		text += " NOT NULL PRIMARY KEY"
	case !c.nullable:
		text += " NOT NULL"
	}
	return text
}

// typeName returns the name of a type of columns.
func (d Dialect) typeName(t columnType) string {
	return map[columnType]string{
		boolean: d.Types.Boolean, integer: d.Types.Integer, float: d.Types.Float, text: d.Types.Text,
		blob: d.Types.Blob, instant: d.Types.Time, document: d.Types.Document,
	}[t]
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
			indexes = append(indexes, index{p.indexName(c, "idx"), append(slices.Clone(c.whole()), without(p.ids, c)...), false})
		case c.indexed:
			indexes = append(indexes, index{p.indexName(c, "idx"), []*column{c}, false})
		}
	}
	return indexes
}

// maxName is how long a name may be before PostgreSQL cuts it.
const maxName = 63

// indexName names an index of a column. One that would be cut ends in a hash of it, so
// that it is not taken for another.
func (p *plan) indexName(c *column, sort string) string {
	return shortened(p.name + "_" + c.name + "_" + sort)
}

func shortened(name string) string {
	if len(name) <= maxName {
		return name
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name)) // it never fails
	return fmt.Sprintf("%s_%08x", name[:maxName-9], hash.Sum32())
}

func (i index) create(p *plan) string {
	columns := slices.Collect(func(yield func(string) bool) {
		for _, c := range i.columns {
			text := quote(c.name)
			if c.nullable && p.dialect.NullsLast {
				text += " NULLS FIRST"
			}
			if !yield(text) {
				return
			}
		}
	})
	unique := ""
	if i.unique {
		unique = "UNIQUE "
	}
	return "CREATE " + unique + "INDEX IF NOT EXISTS " + quote(i.name) + " ON " + quote(p.name) + " (" + strings.Join(columns, ", ") + ")"
}
