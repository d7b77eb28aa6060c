package memory

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/trove-api/trove/store"
)

// Through returns nil if queries can go through a field to the records that another store keeps,
// as [store.Query] says: one in memory that [Refer] has been told of. Else its error says why not.
func (s *Store) Through(field string, other any) error {
	if by := s.linked.of(field); by != nil && by.to.itself == other { // a wrapper may answer otherwise
		return nil
	}
	return fmt.Errorf("store/memory: records cannot be asked for by what %s refers to: that is not kept in a store in memory by itself", field)
}

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
	saving := &all[0].from.domain.root().saving
	saving.Lock()
	return saving.Unlock
}

// reach leads from a row to the saved row of another table that it refers to. All rows that it finds
// are of one state of that table.
type reach struct {
	by    *relation
	table *table
	rows  snapshot // of the tree of the identifiers at least
	probe *row
}

// reachBy opens the reach of a field.
func (c *columns) reachBy(field string) (*reach, error) {
	by := c.links.of(field)
	if by == nil {
		return nil, fmt.Errorf("store/memory: a query goes through %q, which refers to no records that the store knows of", field)
	}
	table := by.to.table
	return &reach{by: by, table: table, probe: probe(len(table.trees), 0, value{})}, nil
}

// find returns the row with an identifier, nil if there is none.
func (r *reach) find(key value) *row {
	*r.probe.value(0) = key
	found, _ := r.rows.trees[0].Get(r.probe)
	return found
}

// row returns the row that another row refers to, nil for none.
func (r *reach) row(from *row) *row {
	key := from.value(r.by.column.tree)
	if !key.present {
		return nil
	}
	return r.find(*key)
}

// fewKeys is how many records a condition may find for the records that refer to them to be looked up
// in the tree of the reference. If there are more, each row is tried.
const fewKeys = 1 << 10

// through compiles a condition on what records refer to. If a tree has few records that may match,
// the condition becomes one on their identifiers, so that the records that refer to them are found
// by the tree of the reference.
func (c *columns) through(made *condition, asked *store.Condition) error {
	reach, err := c.reachBy(asked.Through)
	if err != nil {
		return err
	}
	group := []store.Condition{{Any: append([][]store.Condition{}, asked.Any...)}}
	if made.parts, err = reach.table.columns.conditions(nil, group); err != nil {
		return err
	}
	reach.rows = reach.table.open(nil, 0, made.parts)
	made.holds, made.reach, made.column = reachHolds, reach, reach.by.column
	fewest, spans := fewKeys, []span(nil)
	if made.column.elements != nil {
		fewest = manyValues - 1 // see condition.choose
	}
	for i := range made.parts {
		if !made.parts[i].isIndexed() {
			continue
		}
		if found, rows := made.parts[i].find(&reach.rows, nil); rows <= fewest {
			fewest, spans, made.tree = rows, found, made.column
		}
	}
	for _, s := range spans {
		s.each(0, false, func(r *row) bool {
			var ok bool
			if ok, err = allOf(made.parts, r); ok {
				made.values = append(made.values, *r.value(0))
			}
			return err == nil
		})
	}
	return err
}

func reachHolds(c *condition, r *row) (bool, error) {
	if c.reach.by.column.elements != nil {
		return c.reach.any(r, c.parts)
	}
	found := c.reach.row(r)
	if found == nil {
		return false, nil
	}
	return allOf(c.parts, found)
}

// any reports whether all conditions hold for one of the rows that the list of another row refers to.
func (r *reach) any(from *row, conditions []condition) (holds bool, err error) {
	failed := r.by.column.eachElement(from.record, func(key value) bool {
		if found := r.find(key); found != nil {
			holds, err = allOf(conditions, found)
		}
		return !holds && err == nil
	})
	return holds, cmp.Or(failed, err)
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
	made.reach.rows = made.reach.table.open(nil, 0, nil)
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
