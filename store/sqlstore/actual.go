package sqlstore

import (
	"context"
	"slices"
	"strings"
)

// actualTable is an existing table, which is compared with what a plan needs.
type actualTable struct {
	*differ

	plan         *plan
	list         *column // whose table it is; nil for the table of the records
	name, quoted string
	written      []*column               // that it needs
	columns      map[string]actualColumn // empty if the table does not exist
	indexes      map[string]actualIndex
	keys         map[string][]actualKey // by their columns
	leftovers    map[string]bool        // constraints of an interrupted change, true for foreign keys, and those of indexes
	taken        map[string]bool        // names of indexes that other tables have
	lacking      map[*column]bool       // columns that a person must add or change
	unreadable   map[*column]bool       // ... and that Go cannot read before
}

// actualColumn is a column of an existing table.
type actualColumn struct {
	typ      string
	nullable bool
	required bool // every INSERT must set it
}

// actualIndex is an existing index.
type actualIndex struct {
	columns string // sorted
	ordered string // with directions
	unique  bool   // for all rows
}

// actualKey is an existing foreign key.
type actualKey struct{ constraint, action, target string }

// leadsTo reports whether the foreign key leads to a table, which may be unknown.
func (k actualKey) leadsTo(target *plan) bool {
	return target == nil || strings.EqualFold(k.target, base(target.name))
}

// serves reports whether the foreign key does what another one needs.
func (k actualKey) serves(needed keyOf) bool {
	return k.action == string(needed.action) && k.leadsTo(needed.target)
}

// table returns the table of records, or of a list, without what the database has of it.
func (d *differ) table(p *plan, list *column) *actualTable {
	t := &actualTable{
		differ: d, plan: p, list: list, name: p.name, quoted: p.quoted, written: p.own,
		keys: map[string][]actualKey{}, leftovers: map[string]bool{}, taken: map[string]bool{}, lacking: map[*column]bool{}, unreadable: map[*column]bool{},
	}
	if list != nil {
		t.name, t.quoted, t.written = list.list.name, list.list.quoted, list.list.columns()
	}
	return t
}

// describe reads what the database has of a table. Only a plan needs what interrupted changes have left, and the
// names of other indexes.
func (d *differ) describe(ctx context.Context, p *plan, list *column) (t *actualTable, err error) {
	t = d.table(p, list)
	t.columns, err = describe(ctx, d.db, d.db, t.name, t.written)
	if err != nil || len(t.columns) == 0 {
		return t, err
	}
	if t.indexes, err = indexesOf(ctx, d.db, d.db, t.name, t.written); err != nil {
		return t, err
	}
	if list != nil || d.use == toPlan || slices.ContainsFunc(p.own, (*column).refers) {
		err = d.db.each(ctx, d.db, d.db.dialect.facts.ForeignKeys, []any{t.name}, func(rows Rows) error {
			var columns string
			var key actualKey
			err := rows.Scan(&key.constraint, &columns, &key.action, &key.target)
			columns = sortedNames(mapped(strings.Split(columns, ", "), d.db.declared(t.written)))
			t.keys[columns] = append(t.keys[columns], key)
			return err
		})
	}
	if err != nil || d.online == nil || d.use != toPlan {
		return t, err
	}
	return t, d.db.each(ctx, d.db, d.online.Leftovers(), []any{t.name}, func(rows Rows) error {
		var name string
		var kind int
		err := rows.Scan(&name, &kind)
		t.leftovers[name], t.taken[name] = kind == 1, kind == 2
		return err
	})
}

// has reports whether the table has a column.
func (t *actualTable) has(c *column) bool {
	_, is := t.columns[c.name]
	return is
}

// keyTo returns the foreign key that serves as another one, or else one with its columns.
func (t *actualTable) keyTo(needed keyOf) (found actualKey, is bool) {
	for _, found = range t.keys[together(needed.from)] {
		if is = true; found.serves(needed) {
			break
		}
	}
	return found, is
}

// keysOf returns the foreign keys that have a column.
func (t *actualTable) keysOf(column string) (found []actualKey) {
	for columns, keys := range t.keys {
		if slices.Contains(strings.Split(columns, ", "), column) {
			found = append(found, keys...)
		}
	}
	return found
}

// isUnique reports whether columns are unique in all rows.
func (t *actualTable) isUnique(columns []*column) bool {
	for _, each := range t.indexes {
		if each.unique && each.columns == together(columns) {
			return true
		}
	}
	return false
}

// lacks reports whether a person must add one of the columns first.
func (t *actualTable) lacks(columns []*column) bool {
	return slices.ContainsFunc(columns, func(c *column) bool { return t.lacking[c] })
}

// declared returns a function for the name that a struct gives to a column of a table, which can have another case there. Only
// PostgreSQL distinguishes them.
func (db *DB) declared(columns []*column) func(name string) string {
	return func(name string) string {
		isIt := func(c *column) bool { return strings.EqualFold(c.name, name) }
		if i := slices.IndexFunc(columns, isIt); i >= 0 && db.dialect.Name() != "postgres" {
			return columns[i].name
		}
		return name
	}
}

// describe returns the columns of a table, none if the table does not exist, by the names that the struct gives to its own.
func describe(ctx context.Context, db *DB, from Executor, table string, own []*column) (map[string]actualColumn, error) {
	there := map[string]actualColumn{}
	return there, db.each(ctx, from, db.dialect.facts.Describe, []any{table}, func(rows Rows) error {
		var name, typ string
		var nullable, required int
		err := rows.Scan(&name, &typ, &nullable, &required)
		there[db.declared(own)(name)] = actualColumn{typ, nullable != 0, required != 0}
		return err
	})
}

// indexesOf returns the indexes of a table by their names, with the names that the struct gives to its own columns.
func indexesOf(ctx context.Context, db *DB, from Executor, table string, own []*column) (map[string]actualIndex, error) {
	there := map[string]actualIndex{}
	return there, db.each(ctx, from, db.dialect.facts.Indexes, []any{table}, func(rows Rows) error {
		var name, columns string
		var unique int
		err := rows.Scan(&name, &columns, &unique)
		ordered := strings.Split(columns, ", ")
		plain := mapped(ordered, withoutDirection)
		for i, name := range plain {
			plain[i] = db.declared(own)(name)
			ordered[i] = plain[i] + strings.TrimPrefix(ordered[i], name)
		}
		there[name] = actualIndex{sortedNames(plain), strings.Join(ordered, ", "), unique != 0}
		return err
	})
}

// withoutDirection removes the direction of a column in an index.
func withoutDirection(column string) string {
	for _, direction := range []string{" NULLS FIRST", " NULLS LAST", " DESC"} {
		column = strings.TrimSuffix(column, direction)
	}
	return column
}

// together returns the names of the columns that form a foreign key, in a normalized order.
func together(columns []*column) string {
	return sortedNames(mapped(columns, func(c *column) string { return c.name }))
}

func sortedNames(list []string) string {
	slices.Sort(list)
	return strings.Join(list, ", ")
}
