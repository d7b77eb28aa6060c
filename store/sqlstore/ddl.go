package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// TableDefiner is a [Store], or a type that embeds one.
type TableDefiner interface {
	own() *table
}

// plansOf returns the plans of tables, each after those that it references, and their errors.
func plansOf(tables ...TableDefiner) ([]*plan, error) {
	plans, errs := make([]*plan, len(tables)), make([]error, len(tables))
	for i, each := range tables {
		plans[i] = each.own().plan()
		errs[i] = plans[i].err
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return inOrder(plans), sameIndexes(plans)
}

// sameIndexes returns an error for each index whose name another table needs too, in databases where indexes of several tables
// cannot have the same name.
func sameIndexes(plans []*plan) error {
	var errs []error
	owners := map[string]string{} // tables by their indexes
	note := func(table string, indexes ...index) {
		for _, i := range indexes {
			name := strings.TrimSuffix(table, base(table)) + i.name
			if owner := cmp.Or(owners[name], table); owner != table {
				errs = append(errs, fmt.Errorf("sqlstore: the tables %s and %s both need an index with the name %s: "+
					"set another name for a column with the tag db, or for a table with sqlstore.Named", owner, table, i.name))
			}
			owners[name] = table
		}
	}
	for _, p := range plans {
		if p.existing || strings.Contains(p.dialect.DropIndex(p.quoted, ""), p.quoted) {
			continue
		}
		note(p.name, append(p.indexes(), p.searchIndexes("")...)...)
		for _, c := range p.lists {
			note(c.list.name, c.list.index())
		}
	}
	return errors.Join(errs...)
}

// Create creates the missing tables and indexes in one transaction: those of the stores, in any order, those of their
// lists of references, [DB.Responses] and [DB.Log]. A reference becomes a foreign key if its table is declared in the same DB:
// by its Go type, or with [References]. Create never alters an existing table: [DB.Migrate] does, and [Store.Check]
// finds the differences. If an existing table lacks a column that needs an index, Create returns an error.
func (db *DB) Create(ctx context.Context, tables ...TableDefiner) error {
	if err := db.mayChange(ctx, tables); err != nil {
		return err
	}
	return db.create(ctx, tables)
}

func (db *DB) create(ctx context.Context, tables []TableDefiner) error {
	plans, err := plansOf(append(slices.Clone(tables), db.Responses(), db.log)...)
	if err != nil {
		return err
	}
	trigrams, err := db.addTrigrams(ctx, plans)
	if err != nil {
		return err
	}
	return db.transact(ctx, "", func(ctx context.Context, t *transaction) error {
		late, err := t.compareExisting(ctx, plans, trigrams)
		if err != nil {
			return err
		}
		for _, each := range append(statementsOf(plans), late...) {
			if each.once {
				there, err := indexesOf(ctx, db, t, each.table, nil)
				if err != nil {
					return err
				}
				if _, exists := there[each.index]; exists {
					continue
				}
			}
			if _, err := t.Exec(ctx, each.text); err != nil {
				return err
			}
		}
		return nil
	})
}

// definition is a statement that creates a table or an index.
type definition struct {
	text         string
	table, index string // of an index; "" for other statements
	once         bool   // it fails if the index exists
}

// texts returns the texts of statements.
func texts(statements []definition) []string {
	return mapped(statements, func(d definition) string { return d.text })
}

// compareExisting returns the statements that add foreign keys between tables that reference each other, if at least one
// of them is new. It returns an error for each column of an index that an existing table lacks.
func (t *transaction) compareExisting(ctx context.Context, plans []*plan, trigrams string) (late []definition, err error) {
	var errs []error
	for _, p := range plans {
		there, err := describe(ctx, t.db, t, p.name, p.own)
		if err != nil {
			return nil, err
		}
		if len(there) == 0 {
			late = append(late, p.lateStatements(trigrams)...)
			continue
		}
		indexed := func(c *column) bool {
			return c.typ == words || slices.ContainsFunc(p.indexes(), func(i index) bool { return slices.Contains(slices.Concat(i.columns, i.limited), c) })
		}
		d := newDiffer(p.db, toCheck)
		existing := d.table(p, nil)
		existing.columns = there
		for _, c := range p.own {
			if indexed(c) && !existing.has(c) {
				errs = append(errs, existing.addColumn(ctx, c))
			}
		}
		lacks, err := p.lacksWordTables(ctx, t)
		if lacks {
			late = append(late, p.wordTables()...)
		}
		errs = append(errs, unusable(d.all()), err)
	}
	return late, errors.Join(errs...)
}

// DDL returns the statements that create tables and their indexes as one string, for use in a migration. The tables may
// be in any order; each is created after those it references. Foreign keys between tables that reference each other
// come last. Declare all tables of the database before the call.
func DDL(tables ...TableDefiner) (string, error) {
	plans, err := plansOf(tables...)
	if err != nil {
		return "", err
	}
	statements := statementsOf(plans)
	if slices.ContainsFunc(plans, (*plan).isSearched) {
		statements = append(statements, definition{text: as[searcher](plans[0].dialect).Extension()})
	}
	for _, p := range plans {
		statements = append(statements, p.lateStatements(trigramOperators)...)
	}
	return strings.Join(append(texts(statements), ""), ";\n\n"), nil
}

// statementsOf returns the statements that create tables, without the late keys. Tables of lists come last, because
// they reference two others.
func statementsOf(plans []*plan) (statements []definition) {
	if len(plans) > 0 && plans[0].dialect.facts.LockRows != "" {
		statements = append(statements, definition{text: plans[0].dialect.facts.LockRows})
	}
	for _, p := range plans {
		statements = append(statements, p.ddl()...)
	}
	for _, p := range plans {
		for _, c := range p.lists {
			statements = append(statements, c.list.ddl(p, c)...)
		}
	}
	return statements
}

// lateStatements returns the statements for a new table that need the others: its late keys, and what searches read, which
// takes minutes to create in a large table, while other programs wait to write.
func (p *plan) lateStatements(trigrams string) []definition {
	return append(p.lateKeys(), p.searchStatements(trigrams)...)
}

// searchStatements returns the statements that index what searches read in a new table.
func (p *plan) searchStatements(trigrams string) (statements []definition) {
	for _, i := range p.searchIndexes(trigrams) {
		if i.operators != "" {
			statements = append(statements, i.create(p, p.name))
		}
	}
	return append(statements, p.wordTables()...)
}

// ddl returns the statements that create the table and its indexes.
func (p *plan) ddl() []definition {
	lines := make([]string, 0, len(p.own)+1)
	for _, c := range p.own {
		lines = append(lines, "\t"+c.quoted+" "+p.columnType(c))
	}
	if len(p.ids) > 1 {
		lines = append(lines, "\tCONSTRAINT "+p.dialect.Quote(base(p.name)+"_pkey")+" PRIMARY KEY ("+list(p.ids)+")")
	}
	for _, key := range p.linksOf(p.own) {
		if !p.isLate(key) {
			lines = append(lines, "\t"+p.constraint(key))
		}
	}
	table := "CREATE TABLE IF NOT EXISTS " + p.quoted + " (\n" + strings.Join(lines, ",\n") + "\n)" + p.dialect.facts.TableSuffix
	statements := []definition{{text: table}}
	for _, i := range p.indexes() {
		statements = append(statements, i.create(p, p.name))
	}
	return statements
}

// columnType returns the type and constraints of a column.
func (p *plan) columnType(c *column) string {
	if p.generatesID && p.isID(c) {
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
	name       string
	columns    []*column
	descending []*column // of them
	unique     bool
	declared   bool      // a constraint of the struct
	where      string    // the condition of a partial index; "" for none
	limited    []*column // in the condition
	excludes   string    // the elements of an exclusion constraint, which this is then; "" for none
	operators  string    // the operator class of an index of trigrams, which this is then; "" for none
}

// indexQuoter is implemented by dialects that quote the columns of an index in another way than other names.
type indexQuoter interface {
	QuoteIndexed(name string) string
}

// indexes returns the indexes that the table's fields need.
func (p *plan) indexes() []index {
	var indexes []index
	for _, c := range p.columns {
		switch {
		case c == p.ids[0]: // indexed as the identifier
		case c.unique && p.deleted != nil:
			indexes = append(indexes, index{
				name: p.uniqueIndex(c), columns: []*column{c}, unique: true, where: p.living(""), limited: []*column{p.deleted},
			})
		case c.unique:
			indexes = append(indexes, index{name: p.uniqueIndex(c), columns: []*column{c}, unique: true})
		case c.sorted, c.indexed:
			index := index{name: p.indexName(c, "idx"), columns: slices.Clone(c.allParts())}
			p.endInID(&index)
			indexes = append(indexes, index)
		}
	}
	if c := p.deleted; c != nil { // few rows are in the trash
		indexes = append(indexes, index{name: p.indexName(c, "trash"), columns: []*column{c}, where: c.quoted + " IS NOT NULL", limited: []*column{c}})
	}
	for _, c := range p.constraints {
		indexes = append(indexes, c.index)
	}
	return indexes
}

// endInID adds the identifier to an index, in the direction of its last column, so that a page in this order or in that
// of the identifier reads the index from one end to the other. An index with several strings has no room for one more.
func (p *plan) endInID(i *index) {
	isText := func(c *column) bool { return c.typ == text || c.typ == blob }
	texts := 0
	for _, c := range i.columns {
		if isText(c) {
			texts++
		}
	}
	last := i.columns[len(i.columns)-1]
	for _, id := range p.ids {
		isThere := slices.Contains(i.columns, id) || p.facts.KeyInIndexes && !slices.Contains(i.descending, last)
		if isThere || texts > 1 && isText(id) {
			continue
		}
		if i.columns = append(i.columns, id); slices.Contains(i.descending, last) {
			i.descending = append(i.descending, id)
		}
	}
}

// flag returns the name of the column of flagged.
func (i index) flag() string { return shortened(i.name + "_rows") }

// flagged returns the statement that creates a unique index for the rows that match its condition, in databases without
// partial indexes: with a further column that is null in other rows.
func (i index) flagged(d *dialect, table string, columns []string) definition {
	flag := d.Quote(i.flag())
	return definition{"ALTER TABLE " + d.table(table) +
		" ADD COLUMN " + flag + " " + d.facts.Boolean + " GENERATED ALWAYS AS (CASE WHEN " + i.where + " THEN 1 END) VIRTUAL," +
		" ADD UNIQUE INDEX " + d.Quote(i.name) + " (" + strings.Join(append(columns, flag), ", ") + ")", table, i.name, true}
}

// maxName is the length to which PostgreSQL cuts names.
const maxName = 63

func (p *plan) indexName(c *column, sort string) string {
	return shortened(base(p.name) + "_" + c.name + "_" + sort)
}

// shortened returns a name that is not too long. If it cuts one, it appends a hash to keep the name unique.
func shortened(name string) string {
	if len(name) <= maxName {
		return name
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name)) // never fails
	return fmt.Sprintf("%s_%08x", name[:maxName-9], hash.Sum32())
}

// direction writes the direction of one of the columns, as lists sort by it.
func (i index) direction(d *dialect, c *column) string {
	return d.direction(slices.Contains(i.descending, c), c.nullable)
}

// create returns the statement that creates an index of a table.
func (i index) create(p *plan, table string) definition {
	d := p.dialect
	quote := d.Quote
	if own, ok := d.Dialect.(indexQuoter); ok {
		quote = own.QuoteIndexed
	}
	columns := make([]string, len(i.columns))
	for n, c := range i.columns {
		columns[n] = quote(c.name)
		if most := d.facts.KeyLength; most > 0 && (!p.isKey(c) && (c.typ == text || c.typ == blob) || c.typ == document) {
			columns[n] += "(" + strconv.Itoa(most) + ")"
		}
		columns[n] += i.direction(d, c)
	}
	if i.where != "" && d.facts.NoPartialIndexes {
		if i.unique {
			return i.flagged(d, table, columns)
		}
		i.where = ""
	}
	text, where := "CREATE ", ""
	if i.where != "" {
		where = " WHERE " + i.where
	}
	if i.excludes != "" {
		text = "ALTER TABLE " + d.table(table) + " ADD CONSTRAINT " + d.Quote(i.name) + " EXCLUDE USING gist (" + i.excludes + ")"
		if where != "" {
			where = " WHERE (" + i.where + ")"
		}
		return definition{as[excluder](d).RangeTypes() + "; " + text + where, table, i.name, true}
	}
	using := ""
	if i.operators != "" {
		using, columns = "USING gin ", []string{quote(i.columns[0].name) + " " + i.operators}
	}
	if i.unique {
		text += "UNIQUE "
	}
	if text += "INDEX "; !d.facts.NoIfNotExists {
		text += "IF NOT EXISTS "
	}
	text += d.Quote(i.name) + " ON " + d.table(table) + " " + using + "(" + strings.Join(columns, ", ") + ")" + where
	return definition{text, table, i.name, d.facts.NoIfNotExists}
}
