package memory

import (
	"context"
	"math"
	"slices"

	"github.com/trove-api/trove/store"
)

// list is one query on its way through a table. It is used again for the next one.
type list struct {
	ctx      context.Context //nolint:containedctx // a list is one call
	query    store.Query
	order    order
	matchers []matcher // of the conditions; those of lookups are made when the rows are known
	lookups  []lookup
	postings []*posting // that the lookups name
	after    *place     // nil once a record behind it was met
	counting bool       // goes on to the last row to count those that match
	sorting  bool       // the rows are not in the order of the list's first field
	straight bool       // they are in the order of all fields

	found   []*row  // in the window
	waiting []place // rows that match and are not in order yet
	err     error   // why it ended early
	total   int     // how many match, if that is known without counting
	matched int
	passed  int // rows in the window's order that its offset passed over
	seen    int

	visit func(*row) bool // [list.meet], made once
}

// list answers the query of a list: by what it has found, and its total.
func (t *table) list(l *list) error {
	if err := l.prepare(t.columns); err != nil {
		return err
	}
	rows, held := t.reading(l)
	if held {
		defer t.mu.RUnlock()
	}
	if l.err != nil {
		return l.err
	}
	if err := l.run(rows); err != nil {
		return err
	}
	if l.counting {
		l.total = l.matched
	}
	return nil
}

// prepare compiles the query.
func (l *list) prepare(c columns) (err error) {
	if err = l.match(c); err != nil {
		return err
	}
	if err = l.order.compile(c, l.query.Order); err != nil {
		return err
	}
	l.after, err = l.order.position(l.query)
	return err
}

// run goes through the rows, from as near to the window as can be told.
func (l *list) run(rows series) error {
	backward := l.order.descending[0]
	switch {
	case l.sorting:
		return l.sort(rows)
	case l.after != nil && !l.counting:
		return l.walk(rows, l.order.pivot(l.after, backward), backward)
	case l.query.Offset > 0 && len(l.matchers) == 0 && l.begins():
		start := rows.at(l.query.Offset, backward)
		if start == nil {
			return nil
		}
		l.query.Offset = 0
		return l.walk(rows, start, backward)
	}
	return l.walk(rows, nil, backward)
}

// begins reports whether the number of the window's first row is that in its tree, where
// all rows match.
func (l *list) begins() bool { return l.after == nil && l.order.isTree() }

// walk takes the window from rows that are in the order, or at least in that of its first
// field: then those that are equal in it are sorted by the other fields.
func (l *list) walk(rows series, pivot *row, backward bool) error {
	l.straight = l.order.isInTree()
	rows.from(pivot, backward, l.visit)
	if l.err == nil && !l.done() {
		l.keep()
	}
	return l.err
}

// meet looks at the next row of a walk, and reports whether there is to be more.
func (l *list) meet(r *row) bool {
	switch {
	case !l.matches(r):
		return l.err == nil
	case l.straight && l.after == nil:
		l.take(r)
	default:
		l.queue(r)
	}
	return l.err == nil && !l.done()
}

// queue adds a row to those that wait until all that are equal in the first field are
// there; those that are keeps.
func (l *list) queue(r *row) {
	if n := len(l.waiting); n > 0 && !l.straight {
		if at := l.placeOf(r); l.order.value(&l.waiting[0], 0).compare(l.order.value(&at, 0)) != 0 {
			l.keep()
		}
	}
	if l.waiting = append(l.waiting, l.placeOf(r)); l.straight {
		l.keep()
	}
}

// sort gathers all rows that match, and puts them in order.
func (l *list) sort(rows series) error {
	l.waiting = slices.Grow(l.waiting, min(rows.Len(), pageAtOnce))
	rows.from(nil, false, func(r *row) bool {
		if l.matches(r) {
			l.waiting = append(l.waiting, l.placeOf(r))
		}
		return l.err == nil
	})
	l.keep()
	return l.err
}

// placeOf finds a row's values in the order.
func (l *list) placeOf(r *row) place {
	at, err := l.order.placeOf(r)
	if err != nil {
		l.err = err
	}
	return at
}

// keep takes the rows that wait into the window, as far as they are in it.
func (l *list) keep() {
	waiting := l.waiting
	if l.after != nil {
		waiting = l.behind(waiting)
	}
	if len(waiting) > 1 {
		l.order.sortFirst(waiting, l.wanted())
	}
	for i := range waiting {
		l.take(waiting[i].row)
	}
	clear(l.waiting)
	l.waiting = l.waiting[:0]
}

// behind returns the rows that come after the position that the list begins at.
func (l *list) behind(waiting []place) []place {
	found := waiting[:0]
	for i := range waiting {
		if l.order.compare(&waiting[i], l.after) > 0 {
			found = append(found, waiting[i])
		}
	}
	l.matched += len(waiting) - len(found)
	if len(found) > 0 {
		l.after = nil
	}
	return found
}

// wanted is how many of the next rows in the order decide what is in the window.
func (l *list) wanted() int {
	if l.query.Limit == 0 {
		return math.MaxInt
	}
	return l.query.Offset - l.passed + l.query.Limit - len(l.found)
}

// take takes the next row into the window, unless its offset passes over it or it is full.
func (l *list) take(r *row) {
	l.matched++
	switch {
	case l.passed < l.query.Offset:
		l.passed++
	case !l.full():
		l.found = append(l.found, r)
	}
}

func (l *list) full() bool { return l.query.Limit > 0 && len(l.found) >= l.query.Limit }

func (l *list) done() bool { return l.full() && !l.counting }

// matches reports whether a row fulfils all conditions. Where that cannot be told, or not
// in time, it sets the list's error.
func (l *list) matches(r *row) bool {
	const now = 1 << 12
	if l.seen++; l.seen%now == 0 && l.ctx.Err() != nil {
		l.err = l.ctx.Err()
		return false
	}
	for _, m := range l.matchers {
		if ok, err := m(r.record); !ok || err != nil {
			l.err = err
			return false
		}
	}
	return true
}
