package memory

import (
	"errors"
	"fmt"

	"github.com/trove-api/trove/store"
)

// order is the total order of a query, compiled. It ends with the identifier.
type order []ordering

// ordering is one of the columns of an order.
type ordering struct {
	column     *column
	descending bool
	nullUnless []condition // without all of which the value is null
}

// tree returns the number of the tree that has the order of the column, noTree for none.
func (o *ordering) tree() int {
	if o.nullUnless != nil {
		return noTree
	}
	return o.column.tree
}

// of returns the value that a row is ordered by.
func (o *ordering) of(r *row) (value, error) {
	if o.nullUnless != nil {
		if ok, err := allOf(o.nullUnless, r); !ok {
			return value{}, err
		}
	}
	return o.column.of(r)
}

// compileOrder appends the order that a query asks for.
func (c *columns) compileOrder(to order, asked []store.Order) (order, error) {
	descending := false
	for i, each := range asked {
		if c.isKey(asked[i:]) {
			return append(to, ordering{column: c.trees[0], descending: each.Descending}), nil
		}
		column, err := c.find(each.Field)
		if err != nil {
			return nil, err
		}
		if !column.ordered() {
			return nil, fmt.Errorf("store/memory: %s has no order", each.Field)
		}
		made := ordering{column: column, descending: each.Descending}
		if made.nullUnless, err = c.conditions(nil, each.NullUnless); err != nil {
			return nil, err
		}
		descending = each.Descending
		if to = append(to, made); column.tree == 0 && len(each.NullUnless) == 0 || c.isTotal(to) {
			return to, nil
		}
	}
	return append(to, ordering{column: c.trees[0], descending: descending}), nil
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
