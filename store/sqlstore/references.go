package sqlstore

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// References says which table the records are kept in that a field refers to, by the field's
// JSON name and the table's: where the word ref names no Go type of a record, or there are two
// tables of that type. Default: the one table of the same [DB] whose Go type has that name.
func References(field, table string) Option {
	return func(s *settings) {
		if s.targets == nil {
			s.targets = map[string]string{}
		}
		s.targets[field] = table
	}
}

// link is a reference of the records of a table to those of another one that Trove has made in the same database: a
// foreign key of the table, or of the table of a list.
type link struct {
	column *column // the first of several, or that of the list
	from   []*column
	target *plan
	// onDelete is what becomes of a record whose target is deleted. For a list, SetNull stands for Cascade too: it loses
	// the element, because a list has no place for null.
	onDelete model.OnDelete
}

// actions are what databases call what is done with a row when the one that it refers to goes.
var actions = map[model.OnDelete]string{model.Restrict: "", model.Cascade: " ON DELETE CASCADE", model.SetNull: " ON DELETE SET NULL"}

// refersToOne reports whether a field has the key of one record of another resource.
func refersToOne(f *model.Field) bool { return f.Reference != nil && !f.Reference.Many }

// register lets the other tables of the database know one. One that is declared twice is kept once.
func (db *DB) register(p *plan) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.tables = append(slices.DeleteFunc(slices.Clone(db.tables), func(other *plan) bool {
		return other.name == p.name && other.typ == p.typ
	}), p)
}

// plans lists the tables of the database that are declared so far.
func (db *DB) plans() []*plan {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.tables // its elements never change
}

// links lists the references of the table, and those of its lists. Not before all tables are declared are all known.
func (p *plan) links() []link { return p.linksOf(p.columns) }

// foreignKeys lists the references that the table has itself.
func (p *plan) foreignKeys() []link { return p.linksOf(p.own) }

func (p *plan) linksOf(columns []*column) (links []link) {
	for _, c := range columns {
		target := p.target(c)
		switch {
		case target == nil:
		case c.list == nil:
			links = append(links, link{c, c.whole(), target, c.field.Reference.OnDelete})
		case c.field.Reference.OnDelete == model.Restrict:
			links = append(links, link{c, c.list.target.whole(), target, model.Restrict})
		default:
			links = append(links, link{c, c.list.target.whole(), target, model.SetNull})
		}
	}
	return links
}

// where writes that the columns of a reference fulfill a condition, in a row of the table.
func (p *plan) where(l link, condition string) string {
	if l.column.list == nil {
		return condition
	}
	return p.inList(l.column, condition)
}

// refers reports whether a column stands for a reference of the table to one record.
func (c *column) refers() bool { return !c.shadow && refersToOne(c.field) && c.isFirst() }

// target returns the table that a column refers to, nil where it does not or it is not known, or Trove has not
// made it, or its rows are identified by something else.
func (p *plan) target(c *column) *plan {
	if c.list == nil && !c.refers() {
		return nil
	}
	var found []*plan
	for _, other := range p.db.plans() {
		if name, said := p.targets[c.field.Name]; said && other.name == name || !said && other.typName == c.field.Reference.To {
			found = append(found, other)
		}
	}
	if len(found) != 1 || found[0].foreign || !found[0].key.Accords(c.field.Reference.Key) {
		return nil
	}
	return found[0]
}

// isLate reports whether a foreign key is to be added when all tables are there, for the other
// table refers to this one, too, be it by others.
func (p *plan) isLate(key link) bool {
	return p.dialect.facts.TargetsFirst && key.target != p && key.target.reaches(p, map[*plan]bool{})
}

func (p *plan) reaches(other *plan, met map[*plan]bool) bool {
	if p == other {
		return true
	}
	if met[p] {
		return false
	}
	met[p] = true
	return slices.ContainsFunc(p.foreignKeys(), func(key link) bool { return key.target.reaches(other, met) })
}

// constraint writes a reference as a part of CREATE or ALTER TABLE.
func (p *plan) constraint(l link) string {
	if list := l.column.list; list != nil {
		return p.foreignKeyText(list.targetKey(), l.from, l.target, list.onDelete(l.column))
	}
	return p.foreignKeyText(p.indexName(l.column, "fkey"), l.from, l.target, l.onDelete)
}

func (p *plan) foreignKeyText(name string, columns []*column, target *plan, onDelete model.OnDelete) string {
	return "CONSTRAINT " + p.dialect.Quote(name) + " FOREIGN KEY (" + list(columns) + ") REFERENCES " +
		target.quoted + " (" + list(target.ids) + ")" + actions[onDelete]
}

// lateKeys returns the statements that add the foreign keys which CREATE TABLE leaves out.
func (p *plan) lateKeys() []definition {
	var statements []definition
	for _, key := range p.foreignKeys() {
		if p.isLate(key) {
			statements = append(statements, definition{text: "ALTER TABLE " + p.quoted + " ADD " + p.constraint(key)})
		}
	}
	return statements
}

// ownTable is a table of this package.
type ownTable interface {
	tablePlan() *plan
	itself() any
	adopt(ctx context.Context) error
	fill(ctx context.Context, t *transaction, list []byte) error
}

func (s *table) tablePlan() *plan { return s.plan() }

// planIn returns the plan of a table of this package, nil if it has mistakes or is no such table.
func planIn(table TableDefiner) *plan {
	if own, ok := table.(ownTable); ok && own.tablePlan().err == nil {
		return own.tablePlan()
	}
	return nil
}

// inOrder sorts tables so that each comes behind those that it refers to, else as they are.
func inOrder(tables []TableDefiner) (sorted []TableDefiner) {
	byPlan, met := map[*plan]TableDefiner{}, map[TableDefiner]bool{}
	for _, table := range tables {
		byPlan[planIn(table)] = table
	}
	delete(byPlan, nil)
	var visit func(TableDefiner)
	visit = func(table TableDefiner) {
		if table == nil || met[table] {
			return
		}
		met[table] = true
		if p := planIn(table); p != nil {
			for _, key := range p.foreignKeys() {
				visit(byPlan[key.target])
			}
		}
		sorted = append(sorted, table)
	}
	for _, table := range tables {
		visit(table)
	}
	return sorted
}

// compareForeignKeys compares the foreign keys that a table, or that of a list, has with those that its columns need, and notes
// their names. A reference that only keeps others from being deleted needs none; the guide says what is then not promised.
func (p *plan) compareForeignKeys(there map[string]actualKey, columns []*column, keyNames map[string]string, fail func(string, ...any)) {
	for _, c := range columns {
		from, want := c.whole(), model.Restrict
		if c.list != nil {
			from, want = c.list.target.whole(), c.list.onDelete(c)
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
			fail("has no foreign key on %s; %s has ondelete=%s, which the database does by one with%s%s",
				name, c.path.Name, c.field.Reference.OnDelete, actions[want], p.remedyFor(c))
		case is && key.action != string(want):
			fail("has a foreign key on %s that does %s; %s has ondelete=%s", name, key.action, c.path.Name, c.field.Reference.OnDelete)
		}
	}
}

// together names the columns that are a foreign key with one, in an order that is the same for all.
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

// actualKey is a foreign key as the database has it.
type actualKey struct{ constraint, action string }

// foreignKeysOf asks the database for the foreign keys of a table, by their columns.
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

// fieldOfKey returns the field of a foreign key by its name, "" for none.
func (p *plan) fieldOfKey(constraint string) string {
	for _, c := range p.columns {
		if c.refers() && p.indexName(c, "fkey") == constraint || c.list != nil && c.list.targetKey() == constraint {
			return c.field.Name
		}
	}
	if names := p.keyNames.Load(); names != nil && constraint != "" {
		return (*names)[constraint]
	}
	return ""
}

// dangling returns the error of a written reference to a record that is not there, if err is
// one. SQLite does not say which; its transaction goes on, and nobody else writes meanwhile.
func (t *transaction) dangling(ctx context.Context, p *plan, record reflect.Value, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	fault := t.db.driver.Fault(err)
	if fault.Kind != ForeignKeyFault {
		return err
	}
	if field := p.fieldOfKey(fault.Constraint); field != "" {
		return store.ReferenceError{Record: p.typ, Field: field}
	}
	if fault.Constraint != "" {
		return err
	}
	for _, link := range p.links() {
		var keys []key
		var unreadable error
		if link.column.list != nil {
			keys, unreadable = link.column.elements(record)
		} else if value, failed := keyIn(link.from, record); value != nil && failed == nil {
			keys = []key{value}
		}
		lacks := func(id key) bool {
			there, failed := t.any(ctx, link.target, func(b *builder) string { return anyOf(b, link.target.ids, []key{id}) })
			return failed == nil && !there
		}
		if unreadable == nil && slices.ContainsFunc(keys, lacks) {
			return store.ReferenceError{Record: p.typ, Field: link.column.field.Name}
		}
	}
	return err
}

// any reports whether a table has a row that fulfills a condition.
func (t *transaction) any(ctx context.Context, table *plan, condition func(b *builder) string) (bool, error) {
	b := new(builder)
	statement, args := t.db.dialect.statement(b, "SELECT 1 FROM "+table.quoted+" WHERE "+condition(b)+" LIMIT 1")
	return t.db.first(ctx, t, statement, args)
}
