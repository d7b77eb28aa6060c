package memory

import (
	"context"
	"reflect"
	"slices"

	"github.com/trove-api/trove/store"
)

// list is one query on its way through a table.
type list[T any] struct {
	ctx      context.Context //nolint:containedctx // a list is one call
	query    store.Query
	order    order[T]
	matchers []matcher
	after    *place[T] // nil once a record behind it was met
	counting bool      // goes on to the last row to count those that match

	items   []*T
	matched int
	passed  int        // rows in the window's order that its offset passed over
	equal   []place[T] // rows that are equal in the first field and wait for others
	err     error      // what ended a walk
	seen    int
}

// list answers a query.
func (t *table[T]) list(ctx context.Context, query store.Query) (page store.Page[T], err error) {
	query.Limit, query.Offset = max(query.Limit, 0), max(query.Offset, 0)
	l := &list[T]{ctx: ctx, query: query, counting: query.Count}
	l.items = make([]*T, 0, min(query.Limit, pageAtOnce))
	if l.matchers, err = t.columns.matchers(query.Where); err != nil {
		return page, err
	}
	if l.order, err = orderOf[T](t.columns, query.Order); err != nil {
		return page, err
	}
	if l.after, err = l.order.position(query); err != nil {
		return page, err
	}
	rows, done := t.reading(l)
	defer done()
	if query.Count && l.matchers == nil {
		page.Total, l.counting = rows.Len(), false
	}
	if err := l.run(rows); err != nil {
		return page, err
	}
	if l.counting {
		page.Total = l.matched
	}
	page.Items = l.items
	return page, nil
}

// pageAtOnce is the longest page, and the most rows to pass over before it, that are read
// under the table's lock.
const pageAtOnce = 1000

// reading returns the tree to go through, and what to do afterwards. What is over soon
// reads under the table's lock; a scan goes through a copy, so that nobody waits for it.
func (t *table[T]) reading(l *list[T]) (rows tree[T], done func()) {
	n := max(l.order.columns[0].tree, 0)
	if l.isShort() {
		t.mu.RLock()
		return t.trees[n], t.mu.RUnlock
	}
	return t.snapshot(n), func() {}
}

// isShort reports whether few rows are gone through, however large the table is.
func (l *list[T]) isShort() bool {
	if l.matchers != nil || !l.order.isInTree() || l.query.Limit == 0 || l.query.Limit > pageAtOnce {
		return false
	}
	return l.query.Offset <= pageAtOnce || l.begins()
}

// begins reports whether the window begins at a row whose number is known.
func (l *list[T]) begins() bool { return l.after == nil && l.matchers == nil && l.order.isTree() }

// run goes through the rows, from as near to the window as can be told.
func (l *list[T]) run(rows tree[T]) error {
	first, backward := l.order.columns[0], l.order.descending[0]
	switch {
	case first.tree == noTree:
		return l.sort(rows)
	case l.after != nil && !l.counting:
		return l.walkFrom(rows, l.order.pivot(l.after, backward))
	case l.begins() && l.query.Offset > 0:
		start := rows.at(l.query.Offset, backward)
		if start == nil {
			return nil
		}
		l.query.Offset = 0
		return l.walkFrom(rows, start)
	}
	return l.walkFrom(rows, nil)
}

// walkFrom takes the window from the rows of a tree in the order, or at least in that of its
// first field, from the first row that is not before the pivot.
func (l *list[T]) walkFrom(rows tree[T], pivot *row[T]) error {
	if l.order.isTurned() {
		for r := range rows.turned(pivot, l.order.descending[0]) {
			if !l.visit(r) {
				break
			}
		}
	} else {
		for r := range rows.from(pivot, l.order.descending[0]) {
			if !l.visit(r) {
				break
			}
		}
	}
	if l.err == nil && !l.done() {
		l.keep(l.equal)
	}
	return l.err
}

// visit takes a row into the window, or lets it wait until all that are equal in the first
// field are there to be sorted by the others. It reports whether to go on.
func (l *list[T]) visit(r *row[T]) bool {
	var matched bool
	if matched, l.err = l.matches(r); l.err != nil || !matched {
		return l.err == nil
	}
	if l.order.isInTree() && l.after == nil {
		l.take(r)
	} else {
		l.err = l.queue(r)
	}
	return l.err == nil && !l.done()
}

// queue adds a row to those that wait until all that are equal in the first field are
// there; those that are keeps.
func (l *list[T]) queue(r *row[T]) error {
	at, err := l.order.placeOf(r)
	if err != nil {
		return err
	}
	if l.order.isInTree() {
		l.keep([]place[T]{at})
		return nil
	}
	if len(l.equal) > 0 && l.equal[0].values[0].compare(&at.values[0]) != 0 {
		l.equal = l.keep(l.equal)
	}
	l.equal = append(l.equal, at)
	return nil
}

// sort gathers all rows, and puts them in order.
func (l *list[T]) sort(rows tree[T]) error {
	var found []place[T]
	for r := range rows.from(nil, false) {
		ok, err := l.matches(r)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		at, err := l.order.placeOf(r)
		if err != nil {
			return err
		}
		found = append(found, at)
	}
	l.keep(found)
	return nil
}

// keep takes rows into the window, as far as they are in it, and returns the emptied
// slice.
func (l *list[T]) keep(found []place[T]) []place[T] {
	if len(found) > 1 {
		slices.SortFunc(found, l.order.compare)
	}
	for _, at := range found {
		if l.after != nil {
			if l.order.compare(at, *l.after) <= 0 {
				l.matched++
				continue
			}
			l.after = nil
		}
		l.take(at.row)
	}
	return found[:0]
}

// take takes the next row into the window, unless its offset passes over it or it is full.
func (l *list[T]) take(r *row[T]) {
	l.matched++
	switch {
	case l.passed < l.query.Offset:
		l.passed++
	case !l.full():
		l.items = append(l.items, r.record)
	}
}

func (l *list[T]) full() bool { return l.query.Limit > 0 && len(l.items) >= l.query.Limit }

func (l *list[T]) done() bool { return l.full() && !l.counting }

// matches reports whether a row fulfils all conditions.
func (l *list[T]) matches(r *row[T]) (bool, error) {
	const now = 1 << 12
	if l.seen++; l.seen%now == 0 && l.ctx.Err() != nil {
		return false, l.ctx.Err()
	}
	if l.matchers == nil {
		return true, nil
	}
	v := reflect.ValueOf(r.record).Elem()
	for _, m := range l.matchers {
		if ok, err := m(v); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}
