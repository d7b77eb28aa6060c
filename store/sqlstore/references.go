package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// References sets the table that a reference field points to, by the JSON name of the field and the name of the table.
// It is required if no Go type has the name in the field's word ref, or if several tables have that type. Default: the
// only table in the same [DB] whose Go type has that name.
func References(field, table string) Option {
	return func(s *settings) {
		if s.targets == nil {
			s.targets = map[string]string{}
		}
		s.targets[field] = table
	}
}

// link is a reference between two tables that Trove created in the same database: a foreign key of the table, or of the
// table of a list.
type link struct {
	of     *plan
	table  string  // that has the foreign key
	column *column // the first column of the reference, or the column of the list
	from   []*column
	target *plan
	// onDelete is the action for a record whose target is deleted. For a list, Cascade becomes SetNull: the list loses
	// the element, because it cannot have null.
	onDelete model.OnDelete
}

// actions are the SQL of each ondelete.
var actions = map[model.OnDelete]string{model.Restrict: "", model.Cascade: " ON DELETE CASCADE", model.SetNull: " ON DELETE SET NULL"}

// refersToOne reports whether a field references one record of another resource.
func refersToOne(f *model.Field) bool { return f.Reference != nil && !f.Reference.Many }

// register adds a table to the database. A table that is declared twice is added once.
func (db *DB) register(p *plan) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.tables = append(slices.DeleteFunc(slices.Clone(db.tables), func(other *plan) bool {
		return other.name == p.name && other.typ == p.typ
	}), p)
	if p.deleted != nil {
		db.hasTrash.Store(true)
	}
}

// plans returns the tables that are declared so far.
func (db *DB) plans() []*plan {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.tables // the elements never change
}

// linksOf returns the references of columns. They are complete only when all tables are declared.
func (p *plan) linksOf(columns []*column) (links []link) {
	for _, c := range columns {
		target := p.target(c)
		switch {
		case target == nil:
		case c.list == nil:
			links = append(links, link{p, p.name, c, c.allParts(), target, c.field.Reference.OnDelete})
		case c.field.Reference.OnDelete == model.Restrict:
			links = append(links, link{p, c.list.name, c, c.list.target.allParts(), target, model.Restrict})
		default:
			links = append(links, link{p, c.list.name, c, c.list.target.allParts(), target, model.SetNull})
		}
	}
	return links
}

// to returns a condition for the rows that reference one of the records.
func (l link) to(keys []key) func(b *builder) string {
	return func(b *builder) string { return l.where(l.of.where(b).anyOf(l.from, keys)) }
}

// keysIn returns the keys that a record, given without its pointer, has in the reference.
func (l link) keysIn(record reflect.Value) ([]key, error) {
	if l.column.list != nil {
		return l.column.elements(record)
	}
	value, err := keyIn(l.from, record)
	if value == nil || err != nil {
		return nil, err
	}
	return []key{value}, nil
}

// where writes that the columns of a reference match a condition.
func (l link) where(condition string) string {
	if l.column.list == nil {
		return condition
	}
	return l.of.inList(l.column, condition)
}

// referrers are the references to a table, from itself and from the others declared so far.
type referrers struct {
	tables     []*plan
	restrict   []link
	changed    []link // a delete of their record changes the rows with these references, or deletes them
	toTrash    []link // of the table itself, to tables with a trash
	hasChanged string // finds one of these rows, with the identifier once for each reference
}

// referrers returns the references to the table.
func (p *plan) referrers() *referrers {
	tables := p.db.plans()
	if found := p.referring.Load(); found != nil && slices.Equal(found.tables, tables) {
		return found
	}
	found := &referrers{tables: tables}
	b := new(builder)
	var rows []string
	for _, other := range tables {
		for _, link := range other.linksOf(other.columns) {
			if other == p && link.target.deleted != nil {
				found.toTrash = append(found.toTrash, link)
			}
			switch {
			case link.target != p:
			case link.onDelete == model.Restrict:
				found.restrict = append(found.restrict, link)
			default:
				found.changed = append(found.changed, link)
				rows = append(rows, "SELECT 1 FROM "+other.quoted+" WHERE "+link.where(hasKey(b, link.from)))
			}
		}
	}
	found.hasChanged, _ = p.dialect.statement(b, strings.Join(rows, " UNION ALL ")+" LIMIT 1")
	p.referring.Store(found)
	return found
}

// refers reports whether a column represents a reference to one record.
func (c *column) refers() bool { return !c.shadow && refersToOne(c.field) && c.isFirst() }

// target returns the table that a column references. It is nil if the column is not a reference, the table is not
// known, Trove has not created it, or its rows have another kind of identifier.
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
	if len(found) != 1 || found[0].existing || !found[0].key.Accords(c.field.Reference.Key) {
		return nil
	}
	return found[0]
}

// Through returns nil if queries can filter and sort through a reference to the records of another store, or back to the
// records that reference those of this one. The other store must be the table of that reference in the same database.
// Otherwise the error says why not.
func (s *table) Through(reference string, other any) error {
	p := s.plan()
	if p.err != nil {
		return p.err
	}
	definer, ok := other.(interface {
		TableDefiner
		model.Holder
	})
	if ok {
		_, ok = model.Untyped(definer) // a wrapper may return other results than its table
	}
	if !ok {
		return fmt.Errorf("sqlstore: the table %s cannot query through %s: the store of the referenced records is not a table, or is wrapped", p.name, reference)
	}
	target := definer.own().plan()
	if target.db != p.db {
		return fmt.Errorf("sqlstore: the table %s cannot query through %s: the table %s is in another database", p.name, reference, target.name)
	}
	found, err := p.joins(reference)
	if err == nil && (found.to.name != target.name || found.to.typ != target.typ) {
		err = fmt.Errorf("sqlstore: %s of the table %s leads to the table %s, not %s: set it with sqlstore.References", reference, p.name, found.to.name, target.name)
	}
	return err
}

// joint is how conditions get from a table to another one: by a reference of the table, or back by one of the other.
type joint struct {
	to     *plan
	column *column // of the reference
	back   bool
}

// joins returns how conditions go through a reference of the table, or back through a reference to it such as
// "Membership.project".
func (p *plan) joins(reference string) (joint, error) {
	name, field, back := strings.Cut(reference, ".")
	if !back {
		to, err := p.reached(reference)
		return joint{to, p.byName[reference].value, false}, err
	}
	var found []*plan
	for _, other := range p.db.plans() {
		if other.typName != name || other.byName[field].value == nil {
			continue
		}
		if to, err := other.reached(field); err == nil && to.name == p.name && to.typ == p.typ {
			found = append(found, other)
		}
	}
	if len(found) != 1 {
		return joint{}, fmt.Errorf("sqlstore: %d tables of the database store records of %s that reference the table %s by %s, and not one: "+
			"set the table with sqlstore.References", len(found), name, p.name, field)
	}
	return joint{found[0], found[0].byName[field].value, true}, nil
}

// reached returns the table that a field references.
func (p *plan) reached(field string) (*plan, error) {
	c := p.byName[field].value
	switch {
	case c == nil || c.field.Reference == nil || c.shadow:
		return nil, fmt.Errorf("sqlstore: %s of the table %s is not a reference to another table", field, p.name)
	case c.field.Reference.Many && c.list == nil:
		// Its elements are strings, which have no index and may differ from the form of the other column.
		return nil, fmt.Errorf("sqlstore: %s of the table %s is a list in a JSON column, which queries cannot go through: "+
			"store it in its own table, which db.Create creates", field, p.name)
	}
	target := p.target(c)
	if target == nil || target.err != nil {
		return nil, fmt.Errorf("sqlstore: %s of the table %s references %s, which no declared table of the database stores: set the table with sqlstore.References",
			field, p.name, c.field.Reference.To)
	}
	return target, nil
}

// isLate reports whether a foreign key must be added after both tables exist, because the other table references this
// one too, directly or through others.
func (p *plan) isLate(key link) bool {
	return p.dialect.facts.TargetsFirst && key.target != p && key.target.reaches(p, map[*plan]bool{})
}

func (p *plan) reaches(other *plan, seen map[*plan]bool) bool {
	if p == other {
		return true
	}
	if seen[p] {
		return false
	}
	seen[p] = true
	return slices.ContainsFunc(p.linksOf(p.own), func(key link) bool { return key.target.reaches(other, seen) })
}

// constraint writes the foreign key for CREATE or ALTER TABLE.
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

// lateKeys returns the statements that add the foreign keys left out of CREATE TABLE.
func (p *plan) lateKeys() []definition {
	var statements []definition
	for _, key := range p.linksOf(p.own) {
		if p.isLate(key) {
			statements = append(statements, definition{text: "ALTER TABLE " + p.quoted + " ADD " + p.constraint(key)})
		}
	}
	return statements
}

// inOrder sorts tables so that each comes after those it references, and otherwise keeps their order.
func inOrder(plans []*plan) (sorted []*plan) {
	seen := map[*plan]bool{}
	var visit func(p *plan)
	visit = func(p *plan) {
		if seen[p] || !slices.Contains(plans, p) {
			return
		}
		seen[p] = true
		for _, key := range p.linksOf(p.own) {
			visit(key.target)
		}
		sorted = append(sorted, p)
	}
	for _, p := range plans {
		visit(p)
	}
	return sorted
}

// Keeps reports whether a foreign key that Trove has created keeps a reference from naming a record that does not exist in
// the table of another store. In SQLite it is faster to look the record up.
func (r records) Keeps(reference string, target compiled.Store) bool {
	p, of := r.plan(), compiled.Store(nil)
	c := p.byName[reference].value
	if to, ok := target.(records); ok && c != nil && p.err == nil && !p.existing && c.refers() {
		if plan := p.target(c); plan != nil && plan == to.plan() && plan.deleted == nil {
			of = to
		}
	}
	names := p.keyNames.Load()
	return of != nil && p.dialect.facts.Remote && names != nil && (*names)[p.indexName(c, "fkey")] == reference
}

// fieldOfKey returns the field of a foreign key by its name, or "".
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

// asMissingReference returns the error of a reference to a missing record as a [store.ReferenceError], and other errors
// unchanged. SQLite does not report the reference, so it is queried; its transaction continues, and no other one writes
// meanwhile.
func (t *transaction) asMissingReference(ctx context.Context, p *plan, record reflect.Value, err error) error {
	constraint, broken := t.foreignKeyFault(ctx, err)
	if field := p.fieldOfKey(constraint); field != "" && broken {
		return store.ReferenceError{Record: p.typ, Field: field}
	}
	if !broken || constraint != "" {
		return err
	}
	for _, link := range p.linksOf(p.columns) {
		keys, unreadable := link.keysIn(record)
		lacks := func(id key) bool {
			there, failed := t.db.first(ctx, t, link.target.statements.get, id)
			return failed == nil && !there
		}
		if unreadable == nil && slices.ContainsFunc(keys, lacks) {
			return store.ReferenceError{Record: p.typ, Field: link.column.field.Name}
		}
	}
	return err
}

// asRestricted returns the error of a delete that other records restrict as a [store.ReferenceError], and other errors
// unchanged. The first record is the deleted one. SQLite does not report the reference, so it is queried, as in
// asMissingReference.
func (t *transaction) asRestricted(ctx context.Context, all []affected, err error) error {
	constraint, broken := t.foreignKeyFault(ctx, err)
	if !broken {
		return err
	}
	for _, other := range t.db.plans() {
		if field := other.fieldOfKey(constraint); field != "" {
			return store.ReferenceError{Record: other.typ, Field: field, Referred: true}
		}
	}
	if constraint == "" {
		if found, ok := errors.AsType[store.ReferenceError](t.restricted(ctx, all)); ok {
			return found
		}
	}
	return err
}

// foreignKeyFault reports whether an error is that of a foreign key, and returns its name, "" if the database does not
// report it.
func (t *transaction) foreignKeyFault(ctx context.Context, err error) (constraint string, broken bool) {
	if err == nil || ctx.Err() != nil {
		return "", false
	}
	fault := t.db.driver.Fault(err)
	return fault.Constraint, fault.Kind == ForeignKeyFault
}

// rows returns the identifiers of the rows that match a condition. The suffix ends the statement.
func (t *transaction) rows(ctx context.Context, p *plan, condition func(b *builder) string, suffix string) (found []key, err error) {
	b := new(builder)
	statement, args := p.dialect.statement(b, selectWhere(p.ids, p.quoted, condition(b))+suffix)
	record, scanner := reflect.New(p.typ).Elem(), newScanner(p.ids, nil, nil)
	err = t.db.each(ctx, t, statement, args, func(rows Rows) error {
		if err := scanner.scan(rows, record); err != nil {
			return err
		}
		id, err := p.keyOf(record)
		found = append(found, id)
		return err
	})
	return found, err
}
