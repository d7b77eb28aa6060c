package memory

import (
	"fmt"
	"slices"

	"github.com/trove-api/trove/store"
)

// Through returns nil if queries can go through a field to the records that another store keeps,
// as [store.Query] says: one in memory that [Refer] has been told of. Else its error says why not.
func (s *Store[T]) Through(field string, other any) error {
	if by := s.linked.of(field); by != nil && by.to.itself() == other { // a wrapper may answer otherwise
		return nil
	}
	return fmt.Errorf("store/memory: records cannot be asked for by what %s refers to: that is not kept in a store in memory by itself", field)
}

func (s *Store[T]) itself() any { return s }

// of returns the relation of a field that refers to one record or to several, nil for none.
func (l *links) of(field string) *relation {
	all := l.from()
	if i := slices.IndexFunc(all, func(r *relation) bool { return r.field.Name == field }); i >= 0 {
		return all[i]
	}
	return nil
}

// still keeps transactions over several stores from being saved until what it returns is called, so
// that a query finds all tables in one state.
func (l *links) still() (let func()) {
	all := l.from()
	if len(all) == 0 {
		return func() {}
	}
	saving := &all[0].from.joins().root().saving
	saving.Lock()
	return saving.Unlock
}

// reach is the way of a list from a row to the saved one of another table that it refers to. All
// that it finds is of one state of that table.
type reach struct {
	by    *relation
	table *table
	rows  span // by their identifiers
	probe *row
}

// reachBy opens the way through a field.
func (c *columns) reachBy(field string) (*reach, error) {
	by := c.links.of(field)
	if by == nil {
		return nil, fmt.Errorf("store/memory: a query goes through %q, which refers to no records that the store knows of", field)
	}
	r := &reach{by: by, table: by.to.rowsOf()}
	r.probe = r.table.probe(0, value{})
	return r, nil
}

// row returns the row that another one refers to, nil for none.
func (r *reach) row(from *row) *row {
	key := from.value(r.by.column.tree)
	if !key.present {
		return nil
	}
	*r.probe.value(0) = *key
	found, _ := r.rows.in.rows.Get(r.probe)
	return found
}

// through compiles a condition about what records refer to, and looks at once for how many of
// those fulfil it: where they are few, the records that refer to them are found by the tree of
// the reference.
func (c *columns) through(made *condition, asked *store.Condition) error {
	var err error
	if made.reach, err = c.reachBy(asked.Through); err != nil {
		return err
	}
	targets := made.reach.table
	lists := append([][]store.Condition{}, asked.Any...)
	if made.parts, err = targets.columns.conditions(nil, []store.Condition{{Any: lists}}, nil); err != nil {
		return err
	}
	inner := &list{conditions: made.parts}
	targets.open(inner, 0)
	made.reach.rows, made.holds = inner.spans[0], reachHolds
	best, fewest := -1, fewKeys
	if made.reach.by.column.elements != nil {
		fewest = manyValues - 1 // of more values the rows of a list are not found by its tree
	}
	for i := range made.parts {
		part := &made.parts[i]
		if part.tree == nil && !part.isUnion {
			continue
		}
		if rows := part.search(); rows <= fewest {
			fewest, best = rows, i
		}
	}
	if best < 0 {
		return nil
	}
	err = made.parts[best].eachFound(func(r *row) error {
		ok, err := allOf(made.parts, r)
		if ok {
			made.values = append(made.values, *r.value(0))
		}
		return err
	})
	if made.column = made.reach.by.column; made.column.elements != nil {
		made.compileList()
	} else {
		made.tree = made.column
	}
	return err
}

// fewKeys is how many records a condition may find for those that refer to them to be looked for
// one by one. Where there are more, each row is asked what it refers to.
const fewKeys = 1 << 10

// eachFound goes through the rows that are in the spans of a condition, or of its keys.
func (c *condition) eachFound(yield func(*row) error) (err error) {
	for key := range c.keys {
		for _, s := range key.spans {
			s.each(0, false, func(r *row) bool {
				err = yield(r)
				return err == nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func reachHolds(c *condition, r *row) (bool, error) {
	if list := c.reach.by.column.elements; list != nil {
		return c.reach.any(list, r, c.parts)
	}
	found := c.reach.row(r)
	if found == nil {
		return false, nil
	}
	return allOf(c.parts, found)
}

// any reports whether one of the rows that the list of another one refers to fulfils all of some
// conditions.
func (r *reach) any(list *elements, from *row, conditions []condition) (bool, error) {
	keys, err := list.of(from.record)
	for i := 0; i < len(keys) && err == nil; i++ {
		*r.probe.value(0) = keys[i]
		found, there := r.rows.in.rows.Get(r.probe)
		if !there {
			continue
		}
		var holds bool
		if holds, err = allOf(conditions, found); holds {
			return true, err
		}
	}
	return false, err
}

// reachThrough makes an ordering one by a column of what records refer to.
func (c *columns) reachThrough(made *ordering, asked *store.Order) error {
	var err error
	if made.reach, err = c.reachBy(asked.Through); err != nil {
		return err
	}
	if made.reach.by.column.elements != nil {
		return fmt.Errorf("store/memory: an order goes through %q, which refers to several records", asked.Through)
	}
	inner := &list{}
	made.reach.table.open(inner, 0)
	made.reach.rows = inner.spans[0]
	made.column, err = made.reach.table.columns.find(asked.Field)
	return err
}

// goesThrough reports whether a query looks at what records refer to.
func goesThrough(query *store.Query) bool {
	return anyThrough(query.Where) || slices.ContainsFunc(query.Order, func(o store.Order) bool { return o.Through != "" || anyThrough(o.NullUnless) })
}

func anyThrough(conditions []store.Condition) bool {
	for i := range conditions { // each is large, and not to be copied
		if conditions[i].Through != "" || slices.ContainsFunc(conditions[i].Any, anyThrough) {
			return true
		}
	}
	return false
}

// positions returns the position of each row that a list has found.
func (l *list) positions() [][]any {
	all := make([][]any, len(l.found))
	for i, r := range l.found {
		at := make([]any, 0, len(l.order))
		for n := range l.order[:min(len(l.order), len(l.query.Order))] {
			at = l.order[n].given(at, r)
		}
		all[i] = at
	}
	return all
}
