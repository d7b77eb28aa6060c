package memory

import (
	"context"
	"slices"

	"github.com/trove-api/trove/store"
)

// list is one query on its way through a table.
type list struct {
	ctx        context.Context //nolint:containedctx // a list is one call
	query      store.Query
	found      []*row // of the window, in order
	order      order
	conditions []condition // that each row must be tried with
	after      []value     // the position that the list begins behind; nil for none

	// Where the rows are: in spans, which have the order of the list (inOrder), or at least
	// that of its first field (led), or none.
	spans        []span
	inOrder, led bool

	total   int
	counted bool // the total is known without trying all rows
	tried   int
	err     error // why it ended early

	// What most lists have no more of. It is used again, like all of a list.
	firstOrder      [3]ordering
	firstSpan       [1]span
	firstConditions [2]condition
}

// usual is how many records most pages have at most.
const usual = 256

// reset makes a list that of nothing. It keeps the memory of what it found, unless that is
// much.
func (l *list) reset() {
	found := l.found[:0]
	if clear(l.found); cap(found) > usual {
		found = nil
	}
	*l = list{found: found}
}

// list answers a query: by what it takes, and its total. It reads the table as it was saved
// last, and holds no lock meanwhile.
func (t *table) list(l *list) error {
	l.query.Limit, l.query.Offset = max(l.query.Limit, 0), max(l.query.Offset, 0)
	var err error
	if l.conditions, err = t.columns.conditions(l.firstConditions[:0], l.query.Where); err != nil {
		return err
	}
	if l.order, err = t.columns.compileOrder(l.firstOrder[:0], l.query.Order); err != nil {
		return err
	}
	if l.after, err = l.order.position(&l.query); err != nil {
		return err
	}
	t.open(l, max(l.order[0].tree(), 0))
	l.choose()
	if len(l.conditions) == 0 && !l.counted {
		l.total, l.counted = l.spans[0].len(), true
	}
	if l.inOrder {
		l.walk()
	} else {
		l.sort()
	}
	return l.err
}

// many is the part of all rows, one in so many, from which on it is faster to go through a
// tree in the order asked for than to sort them.
const many = 16

// choose finds the rows of a list: those that are equal to a value of one condition, the one
// with the fewest, which is then tried no more; or all of them, in the tree of the order.
func (l *list) choose() {
	lead := l.order[0].tree()
	l.led, l.inOrder = lead != noTree, l.order.isTree()
	all := l.spans[0].len()
	best := candidate{rows: all, condition: -1}
	for i := range l.conditions {
		if l.conditions[i].tree == nil {
			continue
		}
		found := l.conditions[i].candidate()
		if len(l.conditions) == 1 {
			l.total, l.counted = found.rows, true
		}
		found.condition, found.inOrder = i, lead == 0 && len(found.spans) == 1
		if found.rows <= best.rows && (found.inOrder || !l.led || found.rows <= all/many) {
			best = found
		}
	}
	if best.condition >= 0 {
		l.spans, l.inOrder, l.led = append(l.firstSpan[:0], best.spans...), best.inOrder, false
		l.conditions = slices.Delete(l.conditions, best.condition, best.condition+1)
	}
}

// candidate are the rows that are equal to a value of one condition.
type candidate struct {
	condition int
	spans     []span
	rows      int
	inOrder   bool
}

func (c *condition) candidate() (found candidate) {
	values := c.values
	if len(values) > 1 { // each once: clients can write many
		values = slices.Clone(values)
		slices.SortFunc(values, func(a, b value) int { return a.compare(&b) })
		values = slices.Compact(values)
	}
	found.spans = c.span[:0]
	for i := range values {
		equal := c.all.equal(c.tree, &values[i])
		found.spans = append(found.spans, equal)
		found.rows += equal.len()
	}
	return found
}

// walk takes the window from one span that has the order of the list.
func (l *list) walk() {
	s, backward := l.spans[0], l.order[len(l.order)-1].descending
	start := 0
	if l.after != nil {
		var at []value
		start = s.search(backward, func(r *row) bool {
			at, l.err = l.order.values(at[:0], r)
			return l.order.compare(at, l.after) > 0
		})
	}
	skipped, first := l.query.Offset, start
	switch {
	case len(l.conditions) == 0:
		first, skipped = start+min(skipped, s.len()), 0
	case l.counting():
		first = 0
	}
	at := first
	s.each(first, backward, func(r *row) bool {
		at++
		switch {
		case !l.matches(r):
			return l.err == nil
		case at <= start:
		case skipped > 0:
			skipped--
		case !l.full():
			l.found = append(l.found, r)
		}
		return !l.full() || l.counting()
	})
}

// sort takes the window from rows in another order.
func (l *list) sort() {
	rows := 0
	for _, s := range l.spans {
		rows += s.len()
	}
	first := newSelection(l.order, &l.query, rows)
	values := make([]value, 0, len(l.order))
	show := func(r *row) bool {
		if !l.matches(r) {
			return l.err == nil
		}
		if values, l.err = l.order.values(values[:0], r); l.err != nil {
			return false
		}
		if l.after != nil && l.order.compare(values, l.after) <= 0 {
			return true
		}
		if l.led && !l.counting() && first.isBehind(values) {
			return false
		}
		first.add(r, values)
		return true
	}
	backward := l.led && l.order[0].descending
	for _, s := range l.spans {
		start := 0
		if l.led && l.after != nil && !l.counting() {
			start = s.search(backward, func(r *row) bool {
				return l.order[:1].compare([]value{*r.value(l.order[0].column.tree)}, l.after) >= 0
			})
		}
		if s.each(start, backward, show); l.err != nil {
			return
		}
	}
	sorted := first.sorted()
	for _, each := range sorted[min(l.query.Offset, len(sorted)):] {
		l.found = append(l.found, each.row)
	}
}

func (l *list) full() bool { return l.query.Limit > 0 && len(l.found) >= l.query.Limit }

// counting reports whether the total is known only when all rows are tried.
func (l *list) counting() bool { return l.query.Count && !l.counted }

// matches reports whether a row fulfils all conditions, and counts it. Where that cannot be
// told, or not in time, it sets the list's error.
func (l *list) matches(r *row) bool {
	const now = 1 << 12
	if l.tried%now == 0 {
		if l.err = l.ctx.Err(); l.err != nil {
			return false
		}
	}
	l.tried++
	for i := range l.conditions {
		if ok, err := l.conditions[i].holds(&l.conditions[i], r); !ok || err != nil {
			l.err = err
			return false
		}
	}
	if !l.counted {
		l.total++
	}
	return true
}
