package memory

import (
	"slices"
	"sort"
)

// few is how many rows the smaller keys of a union may have for them to be merged into the
// greatest: they are looked at one by one, and sorted.
const few = 256

// merges makes the rows of a list in the order of the identifier those of the greatest span of
// a union, which has that order, and those that other keys add to them: what is published, and
// one's own drafts. It reports whether it could. The place of a page is found without going
// through the rows before it, and the total without trying more than the others.
func (l *list) merges(c *condition) bool {
	keys := c.union(l.firstUnion[:0])
	if l.order[0].tree() != 0 || len(keys) == 0 || !c.holdsOfAll(keys[0]) {
		return false
	}
	others := keys.len() - keys[0].rows
	isLess := l.query.Limit > 0 && others-l.query.Offset > l.query.Limit // to walk to the window and through it
	if others > few || isLess && !l.query.Count {
		return false
	}
	isPlain := c.isPlainUnion()
	l.spans = append(l.firstSpan[:0], keys[0].spans[0])
	l.eachFrom(keys, 1, func(r *row) bool {
		holds := isPlain
		if !isPlain {
			holds, l.err = c.holds(c, r)
		}
		if holds {
			l.others = append(l.others, r)
		}
		return l.err == nil
	})
	// Those of one value are in the order of the identifier already.
	if len(keys) != 2 || len(keys[1].spans) != 1 {
		slices.SortFunc(l.others, l.compareIDs)
	} else if l.order[0].descending {
		slices.Reverse(l.others)
	}
	l.total, l.counted = l.spans[0].len()+len(l.others), true
	return true
}

// holdsOfAll reports whether a union holds of each row that a key has, all of which are in one
// span.
func (c *condition) holdsOfAll(key *condition) bool {
	for i := range c.parts {
		if key == &c.parts[i] {
			return len(key.spans) == 1
		}
	}
	return false
}

// compareIDs compares two rows in the order of a list, which is that of the identifier.
func (l *list) compareIDs(a, b *row) int {
	if l.order[0].descending {
		a, b = b, a
	}
	return a.value(0).compare(b.value(0))
}

// merge takes the window from a span in the order of the identifier and the others among it.
func (l *list) merge() {
	if l.err != nil {
		return
	}
	s, others, backward := l.spans[0], l.others, l.order[0].descending
	start := 0
	if l.after != nil {
		at := &row{first: [2]value{l.after[0]}}
		isBehind := func(r *row) bool { return l.compareIDs(r, at) > 0 }
		start = s.search(backward, isBehind)
		others = others[sort.Search(len(others), func(n int) bool { return isBehind(others[n]) }):]
	}
	// Of the rows before the window as many as can be are taken from the span. Then each of the
	// others that comes before the last of these takes its place.
	next := start + min(l.query.Offset, s.len()-start)
	others = others[min(l.query.Offset-(next-start), len(others)):]
	// In most windows and before them there is none of the others, which one comparison tells.
	last := min(next+l.query.Limit, s.len()) - 1
	isAmong := len(others) > 0 && (l.query.Limit == 0 || last < next || l.compareIDs(others[0], s.at(last, backward)) < 0)
	if isAmong {
		earlier := sort.Search(min(len(others), next-start), func(n int) bool {
			return l.compareIDs(others[n], s.at(next-1-n, backward)) > 0
		})
		next, others = next-earlier, others[earlier:]
	}
	s.each(next, backward, func(r *row) bool {
		for isAmong && len(others) > 0 && l.compareIDs(others[0], r) < 0 && !l.full() {
			l.found, others = append(l.found, others[0]), others[1:]
		}
		if !l.full() {
			l.found = append(l.found, r)
		}
		return l.try() && !l.full()
	})
	if l.query.Limit > 0 {
		others = others[:min(len(others), l.query.Limit-len(l.found))]
	}
	l.found = append(l.found, others...)
}
