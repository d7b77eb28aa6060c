package memory

import (
	"context"

	"github.com/trove-api/trove/store"
)

// list is one query on its way through a table.
type list struct {
	ctx        context.Context //nolint:containedctx // a list is one call
	query      store.Query
	found      []*row // of the window, in order
	order      order
	conditions []condition // that each row must be tried with
	answered   *condition  // one of them that need not be tried: all rows that are looked at fulfil it
	after      []value     // the position that the list begins behind; nil for none

	// Where the rows are: in spans, which have the order of the list (inOrder), or at least
	// that of its first field (led), or none.
	spans        []span
	inOrder, led bool
	union        union // in place of spans, of a group; nil for none
	merged       bool  // the only span has the order of the list, and so have the others
	others       []*row
	parts        parts // of the conditions

	total   int
	counted bool // the total is known without trying all rows
	tried   int
	err     error // why it ended early

	// What most lists have no more of. It is used again, like all of a list.
	firstOrder      [3]ordering
	firstSpan       [1]span
	firstConditions [2]condition
	firstUnion      [4]*condition
}

// usual is how many records most pages have at most.
const usual = 256

// reset makes a list that of nothing. It keeps the memory of what it found, unless that is
// much.
func (l *list) reset() {
	found, others, room := l.found[:0], l.others[:0], l.parts[:0]
	if clear(l.found); cap(found) > usual {
		found = nil
	}
	clear(l.others)
	clear(l.parts)
	*l = list{found: found, others: others, parts: room}
}

// list answers a query: by what it takes, and its total. It reads the table as it was saved
// last, and holds no lock meanwhile.
func (t *table) list(l *list) error {
	l.query.Limit, l.query.Offset = max(l.query.Limit, 0), max(l.query.Offset, 0)
	if err := t.prepare(l); err != nil {
		return err
	}
	if len(l.conditions) == 0 {
		l.total, l.counted = l.spans[0].len(), true
	}
	switch l.choose(); {
	case l.merged:
		l.merge()
	case l.inOrder:
		l.walk()
	default:
		l.sort()
	}
	return l.err
}

// prepare compiles a query, and opens the tables that it looks at.
func (t *table) prepare(l *list) (err error) {
	if goesThrough(&l.query) {
		defer t.columns.links.still()()
	}
	if l.conditions, err = t.columns.conditions(l.firstConditions[:0], l.query.Where, &l.parts); err != nil {
		return err
	}
	if l.order, err = t.columns.compileOrder(l.firstOrder[:0], l.query.Order); err != nil {
		return err
	}
	if l.after, err = l.order.position(&l.query); err != nil {
		return err
	}
	t.open(l, max(l.order[0].tree(), 0))
	return nil
}

// many is the part of all rows, one in so many, from which on it is faster to go through a
// tree in the order asked for than to sort them.
const many = 16

// choose finds the rows of a list: those that are equal to a value of one condition, or of one
// group of them, the one with the fewest, or all of them, in the tree of the order.
func (l *list) choose() {
	lead := l.order[0].tree()
	l.led, l.inOrder = lead != noTree, l.order.isTree()
	all := l.spans[0].len()
	fewest, best := all, -1
	for i := range l.conditions {
		c := &l.conditions[i]
		if c.tree == nil && !c.isUnion {
			continue
		}
		if c.isUnion && best >= 0 && fewest <= usual {
			continue // to try these takes less than to find what might be fewer
		}
		rows := c.search()
		if l.merged = c.isUnion && len(l.conditions) == 1 && l.merges(c); l.merged {
			return
		}
		if len(l.conditions) == 1 && l.query.Count {
			l.count(c)
		}
		if inOrder := lead == 0 && len(c.spans) == 1; rows <= fewest && (inOrder || !l.led || rows <= all/many) {
			fewest, best, l.inOrder = rows, i, inOrder
		}
	}
	if best >= 0 {
		l.take(best)
	}
}

// take makes the rows of a list those that a condition has found. They are not tried with it any
// more, unless it is a group whose parts ask more than their keys.
func (l *list) take(best int) {
	c := &l.conditions[best]
	l.led = false
	if c.isUnion {
		l.union, l.spans, l.inOrder = c.union(l.firstUnion[:0]), nil, false
		if !c.isPlainUnion() {
			return
		}
	} else {
		l.spans = append(l.firstSpan[:0], c.spans...)
	}
	l.answered = c
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
	case l.isAnswered():
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
	rows := l.union.len()
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
	l.eachFrom(l.union, 0, show)
	if l.err != nil {
		return
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

// isAnswered reports whether all rows that are looked at are those of the list.
func (l *list) isAnswered() bool {
	return len(l.conditions) == 0 || len(l.conditions) == 1 && l.answered != nil
}

func (l *list) full() bool { return l.query.Limit > 0 && len(l.found) >= l.query.Limit }

// counting reports whether the total is known only when all rows are tried.
func (l *list) counting() bool { return l.query.Count && !l.counted }

// matches reports whether a row fulfils all conditions, and counts it. Where that cannot be
// told, or not in time, it sets the list's error.
func (l *list) matches(r *row) bool {
	if !l.try() {
		return false
	}
	for i := range l.conditions {
		c := &l.conditions[i]
		if c == l.answered {
			continue
		}
		if ok, err := c.holds(c, r); !ok || err != nil {
			l.err = err
			return false
		}
	}
	if !l.counted {
		l.total++
	}
	return true
}

// try counts a row that is looked at, and reports whether there is time for it.
func (l *list) try() bool {
	const now = 1 << 12
	if l.tried%now == 0 {
		l.err = l.ctx.Err()
	}
	l.tried++
	return l.err == nil
}
