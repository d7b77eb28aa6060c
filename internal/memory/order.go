package memory

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/trove-api/trove/store"
)

// order is the total order of a query, compiled. It ends with the identifier.
type order []ordering

// ordering is one of the columns of an order.
type ordering struct {
	column     *column
	descending bool
	nullUnless []condition // without all of which the value is null
	reach      *reach      // to the rows that have the column; nil for those that are ordered
}

// tree returns the number of the tree that has the order of the column, noTree for none.
func (o *ordering) tree() int {
	if o.nullUnless != nil || o.reach != nil {
		return noTree
	}
	return o.column.tree
}

// of returns the value that a row is ordered by.
func (o *ordering) of(r *row) (value, error) {
	if o.nullUnless != nil || o.reach != nil {
		var err error
		if r, err = o.row(r); r == nil {
			return value{}, err
		}
	}
	return o.column.of(r)
}

// row returns the row that has the value which a row is ordered by, nil where that is null.
func (o *ordering) row(r *row) (*row, error) {
	if ok, err := allOf(o.nullUnless, r); !ok {
		return nil, err
	}
	if o.reach != nil {
		return o.reach.row(r), nil
	}
	return r, nil
}

// given appends what a row is ordered by, as queries have it: one value, or those of all parts of
// an identifier.
func (o *ordering) given(to []any, r *row) []any {
	if o.column.parts == nil {
		if r, _ = o.row(r); r == nil {
			return append(to, nil)
		}
	}
	field, ok := o.column.at(reflect.ValueOf(r.record).Elem())
	if o.column.parts == nil || !ok {
		return append(to, givenBy(field, ok))
	}
	for _, part := range o.column.parts {
		to = append(to, givenBy(part.at(field)))
	}
	return to
}

// givenBy returns the value of a field as queries have it, nil for null.
func givenBy(field reflect.Value, ok bool) any {
	if !ok {
		return nil
	}
	return field.Interface()
}

// compileOrder appends the order that a query asks for.
func (c *columns) compileOrder(to order, asked []store.Order) (order, error) {
	descending := false
	for i, each := range asked {
		if c.isKey(asked[i:]) {
			return append(to, ordering{column: c.trees[0], descending: each.Descending}), nil
		}
		made, err := c.ordering(&each)
		if err != nil {
			return nil, err
		}
		if !made.column.ordered() {
			return nil, fmt.Errorf("store/memory: %s has no order", each.Field)
		}
		if made.nullUnless, err = c.conditions(nil, each.NullUnless); err != nil {
			return nil, err
		}
		descending = each.Descending
		to = append(to, made)
		if made.column.tree == 0 && made.reach == nil && len(each.NullUnless) == 0 || c.isTotal(to) {
			return to, nil
		}
	}
	return append(to, ordering{column: c.trees[0], descending: descending}), nil
}

// ordering finds the column of an order.
func (c *columns) ordering(asked *store.Order) (made ordering, err error) {
	made.descending = asked.Descending
	if asked.Through != "" {
		err = c.reachThrough(&made, asked)
	} else {
		made.column, err = c.find(asked.Field)
	}
	return made, err
}

// isTree reports whether a tree has exactly this order, in one direction or the other.
func (o order) isTree() bool {
	return o[0].tree() != noTree && (len(o) == 1 || len(o) == 2 && o[0].descending == o[1].descending && o[1].tree() == 0)
}

// values appends the values of a row.
func (o order) values(to []value, r *row) ([]value, error) {
	for i := range o {
		found, err := o[i].of(r)
		if err != nil {
			return nil, err
		}
		to = append(to, found)
	}
	return to, nil
}

// compare compares the values of two rows, of which both have one for each column.
func (o order) compare(a, b []value) int {
	for i := range o {
		if c := a[i].compare(&b[i]); c != 0 { //nolint:gosec // see above
			if o[i].descending {
				return -c
			}
			return c
		}
	}
	return 0
}

// position reads the position that a query begins after; nil for none.
func (o order) position(query *store.Query) ([]value, error) {
	if query.After == nil {
		return nil, nil
	}
	if last := o[len(o)-1].column; len(query.After) != len(query.Order) || len(query.After) != len(o)-1+last.width() {
		return nil, errors.New("store/memory: the position of a query has not one value for each field of its order, the last being the identifier")
	}
	at := make([]value, len(o))
	for i := range o {
		var err error
		if o[i].column.parts != nil {
			at[i], err = o[i].column.position(query.After[i:])
		} else {
			at[i], err = o[i].column.value(query.After[i])
		}
		if err != nil {
			return nil, err
		}
	}
	return at, nil
}
