package sqlstore

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

// ordering is one column that rows are sorted by.
type ordering struct {
	column     *column
	value      *column // stores the field's value
	name       string  // quoted, of the column or of its expression
	nullable   bool
	descending bool
	nullUnless []store.Condition // unless they hold, the value counts as null

	// Of a column of a referenced table:
	target *plan   // nil if the column is in the table itself
	key    *column // the referencing column of the rows
	seen   []store.Condition
}

// orderBy finds the columns of a sort order, and appends the identifier in the direction of the last one.
func (q *query) orderBy(requested []store.Order) {
	p := q.plan
	left := slices.Clone(p.ids)
	descending := false
	for i, o := range requested {
		field := p.ordering(o, i)
		descending, q.isThrough = o.Descending, q.isThrough || o.Through != ""
		q.order = append(q.order, field)
		if i := slices.Index(left, field.column); i >= 0 && field.target == nil && len(field.nullUnless) == 0 {
			left = slices.Delete(left, i, i+1)
		}
		if len(left) == 0 {
			return
		}
	}
	for _, c := range left {
		q.order = append(q.order, ordering{column: c, value: c, name: c.quoted, descending: descending})
	}
}

// ordering finds the column of the i-th sort field. Conditions on a referenced table become part of the join; the others
// remain.
func (p *plan) ordering(o store.Order, i int) ordering {
	field, columns := ordering{descending: o.Descending, nullUnless: o.NullUnless}, p.byName[o.Field]
	if o.Through == "" {
		field.name, field.nullable = columns.compared.quoted, columns.compared.nullable
	} else {
		target, _ := p.orderedBy(o) // an error is reported earlier
		columns = target.byName[o.Field]
		field.key, field.target = p.byName[o.Through].value, target
		field.name, field.nullable = p.dialect.alias("value", i), true
		field.seen = target.record.Living()
		isThrough := func(c store.Condition) bool { return c.Through == o.Through && !c.Not }
		field.nullUnless = slices.DeleteFunc(slices.Clone(o.NullUnless), isThrough)
		for _, condition := range o.NullUnless {
			if isThrough(condition) {
				field.seen = append(field.seen, store.Condition{Any: condition.Any})
			}
		}
	}
	field.column, field.value = columns.compared, columns.value
	if len(field.nullUnless) > 0 {
		field.name, field.nullable = p.dialect.alias("order", i), true
	}
	return field
}

// table writes the table expression that rows are selected from: the table, with an additional column for each sort
// field that hides values or comes from another table.
func (q *query) table(b *builder) string {
	p := q.plan
	columns, joins := []string{"*"}, strings.Builder{}
	for i, o := range q.order {
		if o.target == nil && len(o.nullUnless) == 0 {
			continue
		}
		value := o.column.quoted
		if o.target != nil {
			value = p.dialect.alias("value", i)
			joins.WriteString(o.join(b, i, value))
		}
		if len(o.nullUnless) > 0 {
			columns = append(columns, "CASE WHEN "+p.where(b).all(o.nullUnless)+" THEN "+value+" END AS "+o.name)
			if o.column.keyed {
				columns = append(columns, "CASE WHEN "+p.where(b).all(o.nullUnless)+" THEN "+q.unhidden(i)+" END AS "+q.shown(i))
			}
		}
	}
	if joins.Len() == 0 && len(columns) == 1 {
		return p.quoted
	}
	return "(SELECT " + strings.Join(columns, ", ") + " FROM " + p.quoted + joins.String() + ") AS " + p.alias
}

// shown returns the quoted name of the column with the value of the i-th sort field. It differs from the sort column if
// that has order keys.
func (q *query) shown(i int) string {
	switch o := &q.order[i]; {
	case !o.column.keyed:
		return o.name
	case len(o.nullUnless) > 0:
		return q.plan.dialect.alias("order shown", i)
	}
	return q.unhidden(i)
}

// unhidden is shown for rows whose value is not hidden.
func (q *query) unhidden(i int) string {
	if q.order[i].target != nil {
		return q.plan.dialect.alias("shown", i)
	}
	return q.order[i].value.quoted
}

// part is a condition for a part of the rows behind a position; nil means all.
type part func(b *builder) string

// parts returns the parts of the rows behind the position of the query, in order. Rows whose first value is null are a
// separate part, because an index finds only one range at a time.
func (q *query) parts() []part {
	first := q.order[0]
	nulls := func(*builder) string { return first.name + " IS NULL" }
	values := func(*builder) string { return first.name + " IS NOT NULL" }
	switch {
	case !first.nullable:
		return []part{q.behind}
	case q.requested.Offset > 0: // the offset counts rows of all parts
		return []part{func(b *builder) string { return q.anywhere(b, 0) }}
	case q.after[0] == nil && !first.descending:
		return []part{q.behind, values}
	case q.after[0] != nil && first.descending:
		return []part{q.behind, nulls}
	}
	return []part{q.behind}
}

// behind writes which rows are behind the position. If the first column has a value there, null rows are excluded.
func (q *query) behind(b *builder) string {
	first := q.order[0]
	if q.after[0] == nil {
		return and(first.name+" IS NULL", q.anywhere(b, 1))
	}
	var columns, values []string
	isUniform := !q.plan.dialect.facts.ScansRowValues // one direction and no nulls, so that the columns compare as one row value
	for i, o := range q.order {
		columns, values = append(columns, o.name), append(values, b.value(q.after[i]))
		isUniform = isUniform && o.descending == first.descending && (i == 0 || !o.nullable)
	}
	if isUniform {
		return "(" + strings.Join(columns, ", ") + ") " + first.sign() + " (" + strings.Join(values, ", ") + ")"
	}
	further := first.name + " " + first.sign() + " " + values[0]
	return and(first.name+" "+first.sign()+"= "+values[0], or(further, q.anywhere(b, 1))) // the first one is for an index
}

// anywhere writes which rows are behind the position, among those that equal it in the first n sort columns, including
// null.
func (q *query) anywhere(b *builder, n int) string {
	if n == len(q.order) {
		return never
	}
	o, value := q.order[n], q.after[n]
	name := o.name
	equal, further := name+" IS NULL", never
	if value != nil {
		equal, further = name+" = "+b.value(value), name+" "+o.sign()+" "+b.value(value)
	}
	switch {
	case o.nullable && value != nil && o.descending:
		further = or(further, name+" IS NULL")
	case value == nil && !o.descending:
		further = name + " IS NOT NULL"
	}
	return or(further, and(equal, q.anywhere(b, n+1)))
}

// sign returns the comparison that holds for values which come later.
func (o ordering) sign() string {
	if o.descending {
		return "<"
	}
	return ">"
}

// orderedBy returns the table of a sort field that goes through a reference.
func (p *plan) orderedBy(o store.Order) (*plan, error) {
	target, err := p.reached(o.Through)
	if err == nil && p.byName[o.Through].value.list != nil {
		err = fmt.Errorf("sqlstore: cannot sort through %s of the table %s: it references several records", o.Through, p.name)
	}
	return target, err
}

// join writes a join with the referenced table for the i-th sort field. Value is the name of the column with the sort
// value.
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
		reader, field := q.plan.nullable(o.column.field.Type)
		read.names, read.readers, read.fields = append(read.names, q.shown(i)), append(read.readers, reader), append(read.fields, field)
	}
	return read
}

// last returns the last position that was read.
func (p *positions) last() []any {
	values := make([]any, len(p.fields))
	for i, field := range p.fields {
		if !field.IsNil() {
			values[i] = field.Elem().Interface()
		}
	}
	return values
}
