package sqlstore

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/store"
)

// Through returns nil if queries can go through a field to the records that another store keeps, as [store.Query] says: that of
// the field's table, in the same database. Else its error says why not.
func (s *table) Through(field string, other any) error {
	p := s.plan()
	if p.err != nil {
		return p.err
	}
	own, ok := other.(ownTable)
	if !ok || own.itself() != other { // a wrapper may answer otherwise than the table within it
		return fmt.Errorf("sqlstore: the table %s cannot be asked by what %s refers to: that is not kept in a table by itself", p.name, field)
	}
	target := own.tablePlan()
	if target.db != p.db {
		return fmt.Errorf("sqlstore: the table %s cannot be asked by what %s refers to: the table %s is in another database", p.name, field, target.name)
	}
	found, err := p.reached(field)
	if err == nil && (found.name != target.name || found.typ != target.typ) {
		err = fmt.Errorf("sqlstore: %s of the table %s refers to the table %s, and not to %s: say which by References", field, p.name, found.name, target.name)
	}
	return err
}

func (s *Store[T]) itself() any { return s }

// reached returns the table that a field refers to.
func (p *plan) reached(field string) (*plan, error) {
	c := p.find[field].value
	switch {
	case c == nil || c.field.Reference == nil || c.shadow:
		return nil, fmt.Errorf("sqlstore: %s of the table %s does not refer to records of another", field, p.name)
	case c.field.Reference.Many && c.list == nil:
		// Its elements are texts, which no index finds and which need not be those of the other column.
		return nil, fmt.Errorf("sqlstore: %s of the table %s is a list in a column of JSON, which queries cannot go through: "+
			"keep it in a table of its own, as db.Create makes it", field, p.name)
	}
	target := p.target(c)
	if target == nil || target.err != nil {
		return nil, fmt.Errorf("sqlstore: %s of the table %s refers to %s, which no table of the database is known to keep: say which by References",
			field, p.name, c.field.Reference.To)
	}
	return target, nil
}

// through writes that the record which a column refers to fulfills conditions. The names of the inner statement's columns are its
// own, so that none needs the name of its table before it, and a table may refer to itself.
func (p *plan) through(b *builder, condition *store.Condition) string {
	target, err := p.reached(condition.Through)
	if err != nil { // told of before
		return never
	}
	found := " IN (" + selectWhere(target.ids, target.quoted, target.fulfills(b, &store.Condition{Any: condition.Any})) + ")"
	c := p.find[condition.Through].value
	if c.list == nil {
		return tuple(c.whole()) + found
	}
	return p.inList(c, tuple(c.list.target.whole())+found)
}

// orderedBy returns the table that an order is by a column of, through a reference.
func (p *plan) orderedBy(o store.Order) (*plan, error) {
	target, err := p.reached(o.Through)
	if err == nil && p.find[o.Through].value.list != nil {
		err = fmt.Errorf("sqlstore: %s of the table %s refers to several records, none of which an order could be by", o.Through, p.name)
	}
	return target, err
}

// orderThrough makes the i-th of an order one by a column of the table that a field refers to. The conditions without which the
// value is null are taken apart: those about that table are a part of the join, the others remain.
func (p *plan) orderThrough(made *ordering, o store.Order, i int) {
	target, err := p.orderedBy(o)
	if err != nil { // told of before
		return
	}
	of := func(c store.Condition) bool { return c.Through == o.Through }
	made.column, made.value = target.find[o.Field].compared, target.find[o.Field].value
	made.key, made.target = p.find[o.Through].value, target
	made.name, made.nullable = p.dialect.Quote("value "+strconv.Itoa(i)), true
	made.nullUnless = slices.DeleteFunc(slices.Clone(o.NullUnless), of)
	for _, condition := range o.NullUnless {
		if of(condition) {
			made.seen = append(made.seen, store.Condition{Any: condition.Any})
		}
	}
}

// join writes a join of the rows with those that they refer to, for the i-th of an order. No column of a table has a
// space in its name, so that those of both are told apart. Value is the name of the column that has the value.
func (o ordering) join(b *builder, i int, value string) string {
	quote := o.target.dialect.Quote
	columns := []string{o.column.quoted + " AS " + value}
	var on []string
	for n, c := range o.key.whole() {
		key := quote("key " + strconv.Itoa(i) + strings.Repeat("'", n))
		columns, on = append(columns, o.target.ids[n].quoted+" AS "+key), append(on, key+" = "+c.quoted)
	}
	if o.column.keyed {
		columns = append(columns, o.value.quoted+" AS "+quote("shown "+strconv.Itoa(i)))
	}
	from := o.target.quoted
	if len(o.seen) > 0 {
		from += " WHERE " + o.target.all(b, o.seen)
	}
	return " LEFT JOIN (SELECT " + strings.Join(columns, ", ") + " FROM " + from + ") AS " + value + " ON " + strings.Join(on, " AND ")
}

// positions reads the position of each row in an order that goes through a reference, which the record does not tell.
type positions struct {
	names   []string
	readers []columnReader
	fields  []reflect.Value // pointers, nil for null
}

// positions returns what reads them.
func (q *query) positions() *positions {
	read := &positions{}
	for i, o := range q.order[:min(len(q.order), len(q.asked.Order))] {
		t := *o.column.field.Type
		t.Go, t.Nullable = reflect.PointerTo(t.Base()), true
		read.names = append(read.names, q.shown(i))
		read.readers = append(read.readers, q.plan.encode(&t).newReader())
		read.fields = append(read.fields, reflect.New(t.Go).Elem())
	}
	return read
}

// dests appends where a row's position is scanned into.
func (p *positions) dests(to []any) []any {
	for i := range p.readers {
		p.fields[i].SetZero()
		to = append(to, p.readers[i].dest(p.fields[i]))
	}
	return to
}

// done completes the position of a row that was scanned.
func (p *positions) done() (err error) {
	for i := range p.readers {
		if failed := p.readers[i].done(p.fields[i]); failed != nil && err == nil {
			err = failed
		}
	}
	return err
}

// last returns the position that was read last.
func (p *positions) last() []any {
	at := make([]any, len(p.fields))
	for i, field := range p.fields {
		if !field.IsNil() {
			at[i] = field.Elem().Interface()
		}
	}
	return at
}
