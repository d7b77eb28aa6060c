package sqlstore

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/huandu/go-sqlbuilder"

	"github.com/trove-api/trove/store"
)

// ordering is one column that rows are ordered by.
type ordering struct {
	column     *column
	value      *column // that has the field's value itself
	name       string  // quoted, of the column or of what stands for it
	nullable   bool
	descending bool
	nullUnless []store.Condition

	// Of a column of the table that the rows refer to:
	target *plan   // nil for none
	key    *column // of the rows, that refers to it
	seen   []store.Condition
}

// ordered finds the columns of an order, and ends it with the identifier in the direction of
// the last one.
func (p *plan) ordered(asked []store.Order) []ordering {
	var order []ordering
	left := slices.Clone(p.ids)
	for i, o := range asked {
		made := ordering{descending: o.Descending, nullUnless: o.NullUnless}
		if o.Through != "" {
			p.orderThrough(&made, o, i)
		} else {
			made.column, made.value = p.find[o.Field].compared(), p.find[o.Field].value
			made.name, made.nullable = quote(made.column.name), made.column.nullable
		}
		if made.hides() { // no column has a space in its name
			made.name, made.nullable = quote("order "+strconv.Itoa(i)), true
		}
		order = append(order, made)
		if at := slices.Index(left, made.column); at >= 0 && made.target == nil && !made.hides() {
			left = slices.Delete(left, at, at+1)
		}
		if len(left) == 0 {
			return order
		}
	}
	descending := len(order) > 0 && order[len(order)-1].descending
	for _, c := range left {
		order = append(order, ordering{column: c, value: c, name: quote(c.name), descending: descending})
	}
	return order
}

// hides reports whether the column's value counts as null in some rows.
func (o ordering) hides() bool { return len(o.nullUnless) > 0 }

// table writes what rows are selected from: the table, with a column more for each of the
// order that hides values, or that is one of another table.
func (q *query) table(b *sqlbuilder.SelectBuilder) string {
	columns, isPlain := []string{"*"}, true
	inner := q.plan.dialect.Flavor.NewSelectBuilder().From(quote(q.plan.name))
	for i, o := range q.order {
		value := quote(o.column.name)
		if o.target != nil {
			isPlain, value = false, o.join(inner, i)
		}
		if o.hides() {
			isPlain = false
			columns = append(columns, "CASE WHEN "+q.plan.all(inner, o.nullUnless)+" THEN "+value+" END AS "+o.name)
		}
		if o.hides() && o.column.keyed {
			columns = append(columns, "CASE WHEN "+q.plan.all(inner, o.nullUnless)+" THEN "+o.unhidden(i)+" END AS "+o.shown(i))
		}
	}
	if isPlain {
		return quote(q.plan.name)
	}
	return b.BuilderAs(inner.Select(columns...), quote(q.plan.name))
}

// shown returns the quoted name of the column that has the value which rows are ordered by, for the
// i-th of an order: another one than that of the order where it is of keys.
func (o ordering) shown(i int) string {
	switch {
	case !o.column.keyed:
		return o.name
	case o.hides():
		return quote("order shown " + strconv.Itoa(i))
	}
	return o.unhidden(i)
}

// unhidden is the same for rows that may see the value.
func (o ordering) unhidden(i int) string {
	if o.target != nil {
		return quote("shown " + strconv.Itoa(i))
	}
	return quote(o.value.name)
}

// text writes the column of an order. Null comes before every value.
func (o ordering) text(dialect Dialect) string {
	text := o.name
	if o.descending {
		text += " DESC"
	}
	switch {
	case !o.nullable || !dialect.NullsLast:
		return text
	case o.descending:
		return text + " NULLS LAST"
	}
	return text + " NULLS FIRST"
}

// position reads the position that the query begins after.
func (q *query) position() error {
	if q.asked.After == nil {
		return nil
	}
	if len(q.asked.After) != len(q.asked.Order) || len(q.asked.After) != len(q.order) {
		return errors.New("sqlstore: the position of a query has not one value for each field of its order, the last being the identifier")
	}
	for i, o := range q.order {
		given := q.asked.After[i]
		if given == nil {
			q.after = append(q.after, nil)
			continue
		}
		if want, got := o.column.field.Type.Base(), reflect.TypeOf(given); got != want {
			return fmt.Errorf("sqlstore: the position of a query in %s is of the type %v, not %s", o.column.path.Name, got, want)
		}
		q.after = append(q.after, o.column.given(given))
	}
	return nil
}

// part is a condition that cuts out a part of what comes after a position; nil is no
// condition.
type part func(b *sqlbuilder.SelectBuilder) string

// parts lists the parts of what comes after the position, in order. Rows whose first value
// is null are a part of their own, for an index finds one range at a time.
func (q *query) parts() []part {
	if q.after == nil {
		return []part{nil}
	}
	first := q.order[0]
	name := first.name
	rest := func(b *sqlbuilder.SelectBuilder) string { return q.behind(b, 0) }
	nulls := func(b *sqlbuilder.SelectBuilder) string { return b.IsNull(name) }
	values := func(b *sqlbuilder.SelectBuilder) string { return b.IsNotNull(name) }
	switch {
	case !first.nullable || len(q.order) == 1:
		return []part{rest}
	case q.asked.Offset > 0: // it passes over rows of all parts together
		return []part{func(b *sqlbuilder.SelectBuilder) string { return q.anywhere(b, 0) }}
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
func (q *query) behind(b *sqlbuilder.SelectBuilder, n int) string {
	o, value := q.order[n], q.after[n]
	name := o.name
	switch {
	case value == nil:
		return b.And(b.IsNull(name), q.anywhere(b, n+1))
	case q.isUniform(n):
		return q.rowValue(b, n)
	case n == len(q.order)-1:
		return name + o.sign() + b.Var(value)
	}
	return b.And(name+o.signOrEqual()+b.Var(value), b.Or(name+o.sign()+b.Var(value), q.anywhere(b, n+1)))
}

// anywhere writes what comes after the position among rows that are equal in the first n
// columns, null or not.
func (q *query) anywhere(b *sqlbuilder.SelectBuilder, n int) string {
	if n == len(q.order) {
		return never
	}
	o, value := q.order[n], q.after[n]
	name := o.name
	equal, further := b.IsNull(name), never
	if value != nil {
		equal, further = b.Equal(name, value), name+o.sign()+b.Var(value)
	}
	switch {
	case o.nullable && value != nil && o.descending:
		further = b.Or(further, b.IsNull(name))
	case value == nil && !o.descending:
		further = b.IsNotNull(name)
	}
	return b.Or(further, b.And(equal, q.anywhere(b, n+1)))
}

// isUniform reports whether columns from n on go in one direction and have no null, so
// that they compare as one.
func (q *query) isUniform(n int) bool {
	for i := n; i < len(q.order); i++ {
		if q.order[i].descending != q.order[n].descending || i > n && q.order[i].nullable {
			return false
		}
	}
	return true
}

// rowValue compares the columns from n on as one.
func (q *query) rowValue(b *sqlbuilder.SelectBuilder, n int) string {
	var columns, values []string
	for i := n; i < len(q.order); i++ {
		columns, values = append(columns, q.order[i].name), append(values, b.Var(q.after[i]))
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
