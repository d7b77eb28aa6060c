package sqlstore

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

// Through returns nil if queries can filter and sort through a reference field to the records of another store, which
// must be the field's table in the same database. Otherwise the error says why not.
func (s *table) Through(field string, other any) error {
	p := s.plan()
	if p.err != nil {
		return p.err
	}
	own, ok := other.(ownTable)
	if !ok || own.itself() != other { // a wrapper may return other results than its table
		return fmt.Errorf("sqlstore: the table %s cannot query through %s: the store of the referenced records is not a table, or is wrapped", p.name, field)
	}
	target := own.tablePlan()
	if target.db != p.db {
		return fmt.Errorf("sqlstore: the table %s cannot query through %s: the table %s is in another database", p.name, field, target.name)
	}
	found, err := p.reached(field)
	if err == nil && (found.name != target.name || found.typ != target.typ) {
		err = fmt.Errorf("sqlstore: %s of the table %s references the table %s, not %s: set it with sqlstore.References", field, p.name, found.name, target.name)
	}
	return err
}

func (s *Store[T]) itself() any { return s }

// reached returns the table that a field references.
func (p *plan) reached(field string) (*plan, error) {
	c := p.find[field].value
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

// orderedBy returns the table of a sort field that goes through a reference.
func (p *plan) orderedBy(o store.Order) (*plan, error) {
	target, err := p.reached(o.Through)
	if err == nil && p.find[o.Through].value.list != nil {
		err = fmt.Errorf("sqlstore: cannot sort through %s of the table %s: it references several records", o.Through, p.name)
	}
	return target, err
}

// orderThrough sets the i-th sort field to a column of a referenced table. Conditions on that table become part of the
// join; the others remain.
func (p *plan) orderThrough(made *ordering, o store.Order, i int) {
	target, err := p.orderedBy(o)
	if err != nil { // reported earlier
		return
	}
	of := func(c store.Condition) bool { return c.Through == o.Through }
	made.column, made.value = target.find[o.Field].compared, target.find[o.Field].value
	made.key, made.target = p.find[o.Through].value, target
	made.name, made.nullable = p.dialect.alias("value", i), true
	made.nullUnless = slices.DeleteFunc(slices.Clone(o.NullUnless), of)
	for _, condition := range o.NullUnless {
		if of(condition) {
			made.seen = append(made.seen, store.Condition{Any: condition.Any})
		}
	}
}

// join writes a join with the referenced table for the i-th sort field. Value is the name of the column with the sort value.
func (o ordering) join(b *builder, i int, value string) string {
	columns := []string{o.column.quoted + " AS " + value}
	var on []string
	for n, c := range o.key.allParts() {
		key := o.target.dialect.alias("key"+strings.Repeat("'", n), i)
		columns, on = append(columns, o.target.ids[n].quoted+" AS "+key), append(on, key+" = "+c.quoted)
	}
	if o.column.keyed {
		columns = append(columns, o.value.quoted+" AS "+o.target.dialect.alias("shown", i))
	}
	from := o.target.quoted
	if len(o.seen) > 0 {
		from += " WHERE " + o.target.where(b).all(o.seen)
	}
	return " LEFT JOIN (SELECT " + strings.Join(columns, ", ") + " FROM " + from + ") AS " + value + " ON " + strings.Join(on, " AND ")
}

// positions reads the position of each row if a sort field goes through a reference, because the record does not
// contain it.
type positions struct {
	names   []string
	readers []columnReader
	fields  []reflect.Value // pointers; nil for null
}

// positions returns the reader of positions.
func (q *query) positions() *positions {
	read := &positions{}
	for i, o := range q.order[:min(len(q.order), len(q.requested.Order))] {
		t := *o.column.field.Type
		t.Go, t.Nullable = reflect.PointerTo(t.Base()), true
		read.names = append(read.names, q.shown(i))
		read.readers = append(read.readers, q.plan.encode(&t).newReader())
		read.fields = append(read.fields, reflect.New(t.Go).Elem())
	}
	return read
}

// dests appends the destinations of a row's position.
func (p *positions) dests(to []any) []any {
	for i := range p.readers {
		p.fields[i].SetZero()
		to = append(to, p.readers[i].dest(p.fields[i]))
	}
	return to
}

// done completes the position of a scanned row.
func (p *positions) done() (err error) {
	for i := range p.readers {
		if failed := p.readers[i].done(p.fields[i]); failed != nil && err == nil {
			err = failed
		}
	}
	return err
}

// last returns the last position that was read.
func (p *positions) last() []any {
	at := make([]any, len(p.fields))
	for i, field := range p.fields {
		if !field.IsNil() {
			at[i] = field.Elem().Interface()
		}
	}
	return at
}
