package memory

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/trove-api/trove/store"
)

// order is the compiled total order of a query. It ends with the identifier.
type order []ordering

// ordering is one column of an order.
type ordering struct {
	column     *column
	descending bool
	nullUnless []condition // unless all hold, the value is null
	reach      *reach      // to the rows that have the column; nil for the sorted rows themselves
}

// tree returns the number of the tree in the order of the column, or noTree.
func (o *ordering) tree() int {
	if o.nullUnless != nil || o.reach != nil {
		return noTree
	}
	return o.column.tree
}

// of returns the value that a row is sorted by.
func (o *ordering) of(r *row) (value, error) {
	if o.nullUnless != nil || o.reach != nil {
		var err error
		if r, err = o.row(r); r == nil {
			return value{}, err
		}
	}
	return o.column.of(r)
}

// row returns the row with the value that a row is sorted by, nil if it is null.
func (o *ordering) row(r *row) (*row, error) {
	if ok, err := allOf(o.nullUnless, r); !ok {
		return nil, err
	}
	if o.reach != nil {
		return o.reach.row(r), nil
	}
	return r, nil
}

// given appends the value that a row is sorted by, as queries have it: one value, or all parts of an identifier.
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

// compileOrder appends the sort order of a query.
func (c *columns) compileOrder(to order, requested []store.Order) (order, error) {
	descending := false
	for i, each := range requested {
		if c.isKey(requested[i:]) {
			return append(to, ordering{column: c.trees[0], descending: each.Descending}), nil
		}
		made, err := c.ordering(&each)
		if err != nil {
			return nil, err
		}
		if !made.column.ordered() {
			return nil, fmt.Errorf("store/memory: %s cannot be sorted by", each.Field)
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

// ordering finds the column of a sort field.
func (c *columns) ordering(requested *store.Order) (made ordering, err error) {
	made.descending = requested.Descending
	if requested.Through == "" {
		made.column, err = c.find(requested.Field)
		return made, err
	}
	if made.reach, err = c.reachBy(requested.Through); err != nil {
		return made, err
	}
	if made.reach.by.column.elements != nil {
		return made, fmt.Errorf("store/memory: cannot sort through %q: it references several records", requested.Through)
	}
	made.reach.rows = made.reach.table.open(nil, 0, nil)
	made.column, err = made.reach.table.columns.find(requested.Field)
	return made, err
}

// isTree reports whether a tree has exactly this order, in either direction.
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

// compare compares the values of two rows.
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

// position returns the position after which a query begins; or nil.
func (o order) position(query *store.Query) ([]value, error) {
	if query.After == nil {
		return nil, nil
	}
	if last := o[len(o)-1].column; len(query.After) != len(query.Order) || len(query.After) != len(o)-1+last.width() {
		return nil, errors.New("store/memory: the position of a query must have one value for each sort field, and the last sort field must be the identifier")
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

// Through returns nil if queries can filter and sort through a reference field to the records of another store, which
// must be linked to this one by [Store.Refer]. Otherwise the error says why not.
func (s *Store) Through(field string, other any) error {
	if by := s.linked.of(field); by != nil && by.to.itself == other { // a wrapper may return other results
		return nil
	}
	return fmt.Errorf("store/memory: cannot query through %s: the store of the referenced records is not in memory, or is wrapped", field)
}

// of returns the relation of a reference field, or nil.
func (l *links) of(field string) *relation {
	all := l.from()
	if i := slices.IndexFunc(all, func(r *relation) bool { return r.field.Name == field }); i >= 0 {
		return all[i]
	}
	return nil
}

// still blocks commits of transactions over several stores until the returned function is called, so that a query reads
// all tables in one state.
func (l *links) still() (let func()) {
	all := l.from()
	if len(all) == 0 {
		return func() {}
	}
	saving := &all[0].from.domain.root().saving
	saving.Lock()
	return saving.Unlock
}

// reach leads from a row to the saved row of another table that it references. All rows come from one state of that
// table.
type reach struct {
	by    *relation
	table *table
	rows  snapshot // of at least the tree of the identifiers
	probe *row
}

// reachBy returns the reach of a field.
func (c *columns) reachBy(field string) (*reach, error) {
	by := c.links.of(field)
	if by == nil {
		return nil, fmt.Errorf("store/memory: a query goes through %q, which does not reference records of a known store", field)
	}
	table := by.to.table
	if c.within != nil {
		table = c.within.view(table)
	}
	return &reach{by: by, table: table, probe: probe(len(table.trees), 0, value{})}, nil
}

// find returns the row with an identifier, or nil.
func (r *reach) find(key value) *row {
	*r.probe.value(0) = key
	found, _ := r.rows.trees[0].Get(r.probe)
	return found
}

// row returns the row that another row references, or nil.
func (r *reach) row(from *row) *row {
	key := from.value(r.by.column.tree)
	if !key.present {
		return nil
	}
	return r.find(*key)
}

// fewKeys is the maximum number of referenced records to be looked up in the tree of the reference. With more, each row
// is tried.
const fewKeys = 1 << 10

// through compiles a condition on referenced records. If a tree yields few matching records, it becomes a condition on
// their identifiers, so that the tree of the reference finds the rows.
func (c *columns) through(made *condition, requested *store.Condition) error {
	reach, err := c.reachBy(requested.Through)
	if err != nil {
		return err
	}
	group := []store.Condition{{Any: append([][]store.Condition{}, requested.Any...)}}
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

// any reports whether all conditions hold for one of the rows that a row's list references.
func (r *reach) any(from *row, conditions []condition) (holds bool, err error) {
	failed := r.by.column.eachElement(from.record, func(key value) bool {
		if found := r.find(key); found != nil {
			holds, err = allOf(conditions, found)
		}
		return !holds && err == nil
	})
	return holds, cmp.Or(failed, err)
}

// goesThrough reports whether a query reads referenced records.
func goesThrough(query *store.Query) bool {
	return anyThrough(query.Where) || slices.ContainsFunc(query.Order, func(o store.Order) bool { return o.Through != "" || anyThrough(o.NullUnless) })
}

func anyThrough(conditions []store.Condition) bool {
	for i := range conditions { // avoids copying large values
		if conditions[i].Through != "" || slices.ContainsFunc(conditions[i].Any, anyThrough) {
			return true
		}
	}
	return false
}

// positions returns the position of each row in the page.
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
