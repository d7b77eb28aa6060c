package memory

import (
	"context"
	"math"
	"slices"

	"github.com/trove-api/trove/store"
)

// list is the state of one query.
type list struct {
	ctx        context.Context //nolint:containedctx // a list is one call
	query      store.Query
	within     *joint // the transaction whose changes it sees; or nil
	found      []*row // the rows of the page, in order
	order      order
	conditions []condition
	indexed    *condition // a condition that all rows of the spans match; or nil
	after      []value    // the position after which the list begins; or nil

	in snapshot // the trees it reads
	// The rows are in spans. They have the order of the list (inOrder), that of its first field (led), or neither.
	spans        []span
	inOrder, led bool

	total   int
	counted bool // the total is known without trying all rows
	tried   int
	err     error // the error that ended it early
}

// usual is the size of most pages.
const usual = 256

// many is the fraction of all rows, one in many, above which reading a tree in order is faster than sorting the rows.
const many = 16

// reset clears a list for reuse. It keeps the memory of its slices, unless they have grown large.
func (l *list) reset() {
	clear(l.found)
	clear(l.order)
	clear(l.conditions)
	clear(l.spans)
	clear(l.in.trees)
	found := l.found[:0]
	if cap(found) > usual {
		found = nil
	}
	*l = list{found: found, order: l.order[:0], conditions: l.conditions[:0], spans: l.spans[:0], in: snapshot{trees: l.in.trees[:0]}}
}

// list runs a query: it returns a page and its total. It reads the last saved state of the table, without a lock, with
// the changes of its transaction, if any.
func (t *table) list(l *list) error {
	l.query.Limit, l.query.Offset = max(l.query.Limit, 0), max(l.query.Offset, 0)
	if err := t.prepare(l); err != nil {
		return err
	}
	l.choose()
	if l.inOrder {
		l.walk()
	} else {
		l.sort()
	}
	return l.err
}

// prepare compiles a query and copies the trees it reads.
func (t *table) prepare(l *list) (err error) {
	if goesThrough(&l.query) {
		defer t.columns.links.still()()
	}
	if l.within != nil {
		t = l.within.view(t)
	}
	if len(l.query.Where) > 0 {
		if l.conditions, err = t.columns.conditions(slices.Grow(l.conditions, len(l.query.Where)), l.query.Where); err != nil {
			return err
		}
	}
	if l.order, err = t.columns.compileOrder(slices.Grow(l.order, len(l.query.Order)+1), l.query.Order); err != nil {
		return err
	}
	if l.after, err = l.order.position(&l.query); err != nil {
		return err
	}
	l.in = t.open(l.in.trees, max(l.order[0].tree(), 0), l.conditions)
	return nil
}

// choose selects the rows of a list: those of the condition with the fewest rows in a tree, or all rows, in the tree of
// the sort order.
func (l *list) choose() {
	lead := l.order[0].tree()
	l.led, l.inOrder = lead != noTree, l.order.isTree()
	all := l.in.trees[max(lead, 0)]
	l.spans, l.counted, l.total = append(l.spans[:0], span{in: all, high: all.Len()}), len(l.conditions) == 0, 0
	if l.counted {
		l.total = all.Len()
	}
	fewest := all.Len()
	for i := range l.conditions {
		c := &l.conditions[i]
		if !c.isIndexed() {
			continue
		}
		spans, found := c.find(&l.in, make([]span, 0, max(len(c.parts), len(c.values))))
		if len(l.conditions) == 1 && l.query.Count {
			l.count(c, spans, found)
		}
		inOrder := lead == 0 && len(spans) == 1
		if found <= fewest && (inOrder || lead == noTree || found <= all.Len()/many) {
			fewest, l.indexed, l.spans = found, c, spans
			l.led, l.inOrder = false, inOrder
		}
	}
}

// count sets the total of a list from the spans of its only condition, if that is faster than trying all rows.
func (l *list) count(c *condition, spans []span, rows int) {
	switch {
	case len(spans) == 1 || c.tree != nil && c.tree.elements == nil:
		l.total, l.counted = rows, true
	case c.isUnion && len(spans) < manyValues:
		l.total, l.counted = distinct(spans), true
	}
}

// walk reads the page from one span that has the order of the list.
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
	case len(l.conditions) == 0, len(l.conditions) == 1 && l.indexed != nil: // all rows match
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

// sort reads the page from rows in another order.
func (l *list) sort() {
	rows := 0
	for _, s := range l.spans {
		rows += s.len()
	}
	rows = min(rows, usual)
	first := selection{order: l.order, wanted: math.MaxInt, kept: make([]sortKey, 0, rows), arena: make([]value, 0, rows*len(l.order))}
	if l.query.Limit > 0 {
		first.wanted = int(min(uint64(l.query.Offset)+uint64(l.query.Limit), math.MaxInt)) //nolint:gosec // neither is negative
	}
	values := make([]value, 0, len(l.order))
	show := func(r *row) bool {
		if !l.matches(r) {
			return l.err == nil
		}
		if values, l.err = l.order.values(values[:0], r); l.err != nil || l.after != nil && l.order.compare(values, l.after) <= 0 {
			return l.err == nil
		}
		if l.led && !l.counting() && first.isBehind(values) {
			return false
		}
		first.add(r, values)
		return true
	}
	if c := l.indexed; c != nil && (c.isUnion || c.tree.elements != nil) && len(l.spans) > 1 {
		show = once(show)
	}
	backward := l.led && l.order[0].descending
	for _, s := range l.spans {
		if s.each(l.start(s, backward), backward, show); l.err != nil {
			return
		}
	}
	sorted := first.sorted()
	for _, each := range sorted[min(l.query.Offset, len(sorted)):] {
		l.found = append(l.found, each.row)
	}
}

// start returns the number of the first row of a span that can be behind the position.
func (l *list) start(s span, backward bool) int {
	if !l.led || l.after == nil || l.counting() {
		return 0
	}
	return s.search(backward, func(r *row) bool {
		return l.order[:1].compare([]value{*r.value(l.order[0].column.tree)}, l.after) >= 0
	})
}

// once skips rows whose record came before, because a record may be in several spans of a union, and in a list's tree
// once per element.
func once(yield func(*row) bool) func(*row) bool {
	known := map[value]struct{}{}
	return func(r *row) bool {
		before := len(known)
		known[*r.value(0)] = struct{}{}
		return len(known) == before || yield(r)
	}
}

func (l *list) full() bool { return l.query.Limit > 0 && len(l.found) >= l.query.Limit }

// counting reports whether the total is known only after trying all rows.
func (l *list) counting() bool { return l.query.Count && !l.counted }

// matches reports whether all conditions hold for a row, and counts it. If that fails or the context ends, it sets the
// list's error.
func (l *list) matches(r *row) bool {
	const now = 1 << 12
	if l.tried%now == 0 {
		l.err = l.ctx.Err()
	}
	l.tried++
	for i := 0; i < len(l.conditions) && l.err == nil; i++ {
		c := &l.conditions[i]
		if c == l.indexed {
			continue
		}
		var ok bool
		if ok, l.err = c.holds(c, r); !ok {
			return false
		}
	}
	if l.err == nil && !l.counted {
		l.total++
	}
	return l.err == nil
}

// selection keeps the first rows of a sort order: a page of thirty out of many rows only needs thirty to be sorted.
type selection struct {
	order  order
	wanted int // the number of rows up to the end of the page
	kept   []sortKey
	arena  []value // the memory of the keys
	cut    bool    // rows were dropped; kept begins with the wanted ones, in order
}

// sortKey is a row with its values in the sort order.
type sortKey struct {
	row    *row
	values []value
}

// add keeps a row unless enough rows come before it.
func (s *selection) add(r *row, values []value) {
	if s.cut && s.order.compare(values, s.kept[s.wanted-1].values) >= 0 {
		return
	}
	s.arena = append(s.arena, values...)
	s.kept = append(s.kept, sortKey{r, s.arena[len(s.arena)-len(values):]})
	if len(s.kept)/2 > s.wanted {
		s.kept, s.cut = s.sorted(), true
	}
}

// isBehind reports whether a row, and all rows after it, come after the wanted ones. The rows must come in the order of
// the first field.
func (s *selection) isBehind(values []value) bool {
	n := len(s.kept)
	return n >= s.wanted && values[0] != s.kept[n-1].values[0]
}

// sorted returns the wanted rows, in order.
func (s *selection) sorted() []sortKey {
	slices.SortFunc(s.kept, func(a, b sortKey) int { return s.order.compare(a.values, b.values) })
	return s.kept[:min(s.wanted, len(s.kept))]
}
