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

// ordering finds the column of the i-th sort field.
func (p *plan) ordering(o store.Order, i int) ordering {
	field := ordering{descending: o.Descending, nullUnless: o.NullUnless}
	if o.Through != "" {
		p.orderThrough(&field, o, i)
	} else {
		columns := p.byName[o.Field]
		field.column, field.value, field.name, field.nullable = columns.compared, columns.value, columns.compared.quoted, columns.compared.nullable
	}
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
	name := first.name
	rest := func(b *builder) string { return q.behind(b, 0) }
	nulls := func(*builder) string { return name + " IS NULL" }
	values := func(*builder) string { return name + " IS NOT NULL" }
	switch {
	case !first.nullable || len(q.order) == 1:
		return []part{rest}
	case q.requested.Offset > 0: // the offset counts rows of all parts
		return []part{func(b *builder) string { return q.anywhere(b, 0) }}
	case q.after[0] == nil && first.descending:
		return []part{rest}
	case q.after[0] == nil:
		return []part{rest, values}
	case first.descending:
		return []part{rest, nulls}
	}
	return []part{rest}
}

// behind writes which rows are behind the position, among those that equal it in the first n sort columns. If column n
// has a value, null rows are excluded.
func (q *query) behind(b *builder, n int) string {
	o, value := q.order[n], q.after[n]
	name := o.name
	switch {
	case value == nil:
		return and(name+" IS NULL", q.anywhere(b, n+1))
	case q.isUniform(n):
		return q.rowValue(b, n)
	case n == len(q.order)-1:
		return name + o.sign() + b.value(value)
	}
	return and(name+strings.TrimRight(o.sign(), " ")+"= "+b.value(value), or(name+o.sign()+b.value(value), q.anywhere(b, n+1)))
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
		equal, further = name+" = "+b.value(value), name+o.sign()+b.value(value)
	}
	switch {
	case o.nullable && value != nil && o.descending:
		further = or(further, name+" IS NULL")
	case value == nil && !o.descending:
		further = name + " IS NOT NULL"
	}
	return or(further, and(equal, q.anywhere(b, n+1)))
}

// isUniform reports whether the columns from n on have one direction and no nulls, so that they compare as one row
// value.
func (q *query) isUniform(n int) bool {
	for i := n; i < len(q.order); i++ {
		if q.order[i].descending != q.order[n].descending || i > n && q.order[i].nullable {
			return false
		}
	}
	return true
}

// rowValue compares the columns from n on as one row value.
func (q *query) rowValue(b *builder, n int) string {
	var columns, values []string
	for i := n; i < len(q.order); i++ {
		columns, values = append(columns, q.order[i].name), append(values, b.value(q.after[i]))
	}
	return "(" + strings.Join(columns, ", ") + ")" + q.order[n].sign() + "(" + strings.Join(values, ", ") + ")"
}

func (o ordering) sign() string {
	if o.descending {
		return " < "
	}
	return " > "
}

// orderedBy returns the table of a sort field that goes through a reference.
func (p *plan) orderedBy(o store.Order) (*plan, error) {
	target, err := p.reached(o.Through)
	if err == nil && p.byName[o.Through].value.list != nil {
		err = fmt.Errorf("sqlstore: cannot sort through %s of the table %s: it references several records", o.Through, p.name)
	}
	return target, err
}

// orderThrough sets the i-th sort field to a column of a referenced table. Conditions on that table become part of the
// join; the others remain.
func (p *plan) orderThrough(field *ordering, o store.Order, i int) {
	target, err := p.orderedBy(o)
	if err != nil { // reported earlier
		return
	}
	isThrough := func(c store.Condition) bool { return c.Through == o.Through && !c.Not }
	field.column, field.value = target.byName[o.Field].compared, target.byName[o.Field].value
	field.key, field.target = p.byName[o.Through].value, target
	field.name, field.nullable = p.dialect.alias("value", i), true
	field.seen = target.record.Living()
	field.nullUnless = slices.DeleteFunc(slices.Clone(o.NullUnless), isThrough)
	for _, condition := range o.NullUnless {
		if isThrough(condition) {
			field.seen = append(field.seen, store.Condition{Any: condition.Any})
		}
	}
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
		t := *o.column.field.Type
		t.Go, t.Nullable = reflect.PointerTo(t.Base()), true
		read.names = append(read.names, q.shown(i))
		read.readers = append(read.readers, q.plan.encode(&t).newReader())
		read.fields = append(read.fields, reflect.New(t.Go).Elem())
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
