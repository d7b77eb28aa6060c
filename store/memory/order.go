package memory

import (
	"errors"
	"fmt"
	"slices"

	"github.com/trove-api/trove/store"
)

// order is the total order of a query, compiled.
type order struct {
	columns    []*column
	descending []bool
}

// compile makes the order that a query asks for. It ends with the identifier.
func (o *order) compile(c columns, asked []store.Order) error {
	o.columns, o.descending = o.columns[:0], o.descending[:0]
	for _, each := range asked {
		column, err := c.find(each.Field)
		if err != nil {
			return err
		}
		if !column.ordered() {
			return fmt.Errorf("store/memory: %s has no order", each.Field)
		}
		o.columns, o.descending = append(o.columns, column), append(o.descending, each.Descending)
		if column.tree == 0 {
			return nil
		}
	}
	descending := len(o.descending) > 0 && o.descending[len(o.descending)-1]
	o.columns, o.descending = append(o.columns, c.trees[0]), append(o.descending, descending)
	return nil
}

// isTree reports whether a tree has exactly this order, in one direction or the other.
func (o *order) isTree() bool {
	n := len(o.columns)
	return o.columns[0].tree != noTree && (n == 1 || n == 2 && o.columns[1].tree == 0 && o.descending[0] == o.descending[1])
}

// isTurned reports whether a tree has this order but for rows that are equal in its value,
// whose identifiers go the other way.
func (o *order) isTurned() bool {
	return len(o.columns) == 2 && o.columns[0].tree != noTree && o.columns[1].tree == 0 && o.descending[0] != o.descending[1]
}

// isInTree reports whether a tree can be gone through in this order.
func (o *order) isInTree() bool { return o.isTree() || o.isTurned() }

// place is a row with its values in the order.
type place struct {
	row    *row
	values []ordered // nil where the row keeps them all
}

// placeOf finds the values of a row.
func (o *order) placeOf(r *row) (place, error) {
	if o.kept() {
		return place{row: r}, nil
	}
	p := place{row: r, values: make([]ordered, len(o.columns))}
	for i, column := range o.columns {
		if column.place != notKept {
			p.values[i] = *r.value(column.place)
			continue
		}
		var err error
		if p.values[i], err = column.of(r.record); err != nil {
			return p, err
		}
	}
	return p, nil
}

// kept reports whether rows keep all values of the order.
func (o *order) kept() bool {
	return !slices.ContainsFunc(o.columns, func(c *column) bool { return c.place == notKept })
}

// value returns the ith value of a place in the order.
func (o *order) value(p *place, i int) *ordered {
	if p.values != nil {
		return &p.values[i]
	}
	return p.row.value(o.columns[i].place)
}

func (o *order) compare(a, b *place) int {
	for i := range o.columns {
		if c := o.value(a, i).compare(o.value(b, i)); c != 0 {
			if o.descending[i] {
				return -c
			}
			return c
		}
	}
	return 0
}

// position reads the position that a query begins after; nil for none.
func (o *order) position(query store.Query) (*place, error) {
	if query.After == nil {
		return nil, nil //nolint:nilnil // no position is no mistake
	}
	if len(query.After) != len(query.Order) || len(query.After) != len(o.columns) {
		return nil, errors.New("store/memory: the position of a query has not one value for each field of its order, the last being the identifier")
	}
	at := &place{values: make([]ordered, len(o.columns))}
	for i, column := range o.columns {
		var err error
		if at.values[i], err = column.value(query.After[i]); err != nil {
			return nil, err
		}
	}
	return at, nil
}

// pivot returns a row of the tree of the first column that stands before every row which
// comes after the position, and behind every one whose first value comes before it.
func (o *order) pivot(at *place, backward bool) *row {
	first := o.columns[0].place
	if !o.isInTree() {
		return edge(first, at.values[0], backward)
	}
	r := newRow(instance{}, first+1)
	*r.value(0) = at.values[len(at.values)-1]
	*r.value(first) = at.values[0]
	return r
}
