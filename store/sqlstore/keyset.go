package sqlstore

import (
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/store"
)

// ordering is one column that rows are ordered by.
type ordering struct {
	column     *column
	value      *column // that has the field's value itself
	name       string  // quoted, of the column or of what stands for it
	nullable   bool
	descending bool
	nullUnless []store.Condition // without which the value counts as null

	// Of a column of the table that the rows refer to:
	target *plan   // nil for none
	key    *column // of the rows, that refers to it
	seen   []store.Condition
}

// orderBy finds the columns of an order, and ends it with the identifier in the direction of the last one.
func (q *query) orderBy(asked []store.Order) {
	p := q.plan
	left := slices.Clone(p.ids)
	descending := false
	for i, o := range asked {
		made := ordering{descending: o.Descending, nullUnless: o.NullUnless}
		descending = o.Descending
		if o.Through != "" {
			p.orderThrough(&made, o, i)
			q.isThrough = true
		} else {
			at := p.find[o.Field]
			made.column, made.value, made.name, made.nullable = at.compared, at.value, at.compared.quoted, at.compared.nullable
		}
		hides := len(made.nullUnless) > 0
		if hides { // no column has a space in its name
			made.name, made.nullable = p.dialect.Quote("order "+strconv.Itoa(i)), true
		}
		q.order = append(q.order, made)
		if at := slices.Index(left, made.column); at >= 0 && made.target == nil && !hides {
			left = slices.Delete(left, at, at+1)
		}
		if len(left) == 0 {
			return
		}
	}
	for _, c := range left {
		q.order = append(q.order, ordering{column: c, value: c, name: c.quoted, descending: descending})
	}
}

// table writes what rows are selected from: the table, with a column more for each of the
// order that hides values, or that is one of another table.
func (q *query) table(b *builder) string {
	p := q.plan
	columns, joins := []string{"*"}, strings.Builder{}
	for i, o := range q.order {
		if o.target == nil && len(o.nullUnless) == 0 {
			continue
		}
		value := o.column.quoted
		if o.target != nil {
			value = p.dialect.Quote("value " + strconv.Itoa(i))
			joins.WriteString(o.join(b, i, value))
		}
		if len(o.nullUnless) > 0 {
			columns = append(columns, "CASE WHEN "+p.all(b, o.nullUnless)+" THEN "+value+" END AS "+o.name)
			if o.column.keyed {
				columns = append(columns, "CASE WHEN "+p.all(b, o.nullUnless)+" THEN "+q.unhidden(i)+" END AS "+q.shown(i))
			}
		}
	}
	if joins.Len() == 0 && len(columns) == 1 {
		return p.quoted
	}
	return "(SELECT " + strings.Join(columns, ", ") + " FROM " + p.quoted + joins.String() + ") AS " + p.quoted
}

// shown returns the quoted name of the column that has the value which rows are ordered by, for the
// i-th of an order: another one than that of the order where it is of keys.
func (q *query) shown(i int) string {
	switch o := &q.order[i]; {
	case !o.column.keyed:
		return o.name
	case len(o.nullUnless) > 0:
		return q.plan.dialect.Quote("order shown " + strconv.Itoa(i))
	}
	return q.unhidden(i)
}

// unhidden is the same for rows that may see the value.
func (q *query) unhidden(i int) string {
	if q.order[i].target != nil {
		return q.plan.dialect.Quote("shown " + strconv.Itoa(i))
	}
	return q.order[i].value.quoted
}

// part is a condition that cuts out a part of what comes after a position; nil is no condition.
type part func(b *builder) string

// parts lists the parts of what comes after the position of the query, in order. Rows whose first value
// is null are a part of their own, for an index finds one range at a time.
func (q *query) parts() []part {
	first := q.order[0]
	name := first.name
	rest := func(b *builder) string { return q.behind(b, 0) }
	nulls := func(*builder) string { return name + " IS NULL" }
	values := func(*builder) string { return name + " IS NOT NULL" }
	switch {
	case !first.nullable || len(q.order) == 1:
		return []part{rest}
	case q.asked.Offset > 0: // it passes over rows of all parts together
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

// behind writes what comes after the position among rows that are equal in the first n
// columns of the order; where column n has a value, among those that have one.
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
	return and(name+o.signOrEqual()+b.value(value), or(name+o.sign()+b.value(value), q.anywhere(b, n+1)))
}

// anywhere writes what comes after the position among rows that are equal in the first n columns, null or not.
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

// isUniform reports whether columns from n on go in one direction and have no null, so that they compare as one.
func (q *query) isUniform(n int) bool {
	for i := n; i < len(q.order); i++ {
		if q.order[i].descending != q.order[n].descending || i > n && q.order[i].nullable {
			return false
		}
	}
	return true
}

// rowValue compares the columns from n on as one.
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

func (o ordering) signOrEqual() string {
	if o.descending {
		return " <= "
	}
	return " >= "
}
