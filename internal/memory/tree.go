package memory

import (
	"math"
	"slices"
	"sort"

	"github.com/tidwall/btree"
)

// tree has the rows of a table in the order of one column, with the identifier as tie-breaker. The table's lock guards
// it.
type tree struct {
	rows *btree.BTreeG[*row] // not embedded, because all its methods would be linked into every program
	// saved is an immutable copy of rows; nil until a list reads the tree after a change. It costs nothing to make,
	// because the next change copies the nodes that it touches.
	saved *btree.BTreeG[*row]
}

func newTree(of *column) tree {
	less := byIdentifier
	if column, unique := of.tree, of.unique; column != 0 {
		less = func(a, b *row) bool {
			x, y := a.value(column), b.value(column)
			if x.integer != y.integer && x.present == y.present { // decides most comparisons
				return x.integer < y.integer
			}
			if c := x.compare(y); c != 0 || unique && x.present {
				return c < 0 // so that a row is found by its unique value alone
			}
			return byIdentifier(a, b)
		}
	}
	return tree{rows: btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})}
}

// byIdentifier is the order of the first tree, and of rows with equal values in other trees.
func byIdentifier(a, b *row) bool {
	x, y := &a.first[0], &b.first[0]
	if x.integer != y.integer { // no identifier is null
		return x.integer < y.integer
	}
	return x.compare(y) < 0
}

// set adds a row, or replaces the one that is equal in the order.
func (t *tree) set(r *row) {
	t.rows.Set(r)
	t.saved = nil
}

// add is set with a fast path for a row that comes last, as new records do in the identifier's order.
func (t *tree) add(r *row) {
	t.rows.Load(r)
	t.saved = nil
}

// delete removes the row that is equal in the order.
func (t *tree) delete(r *row) {
	t.rows.Delete(r)
	t.saved = nil
}

// copied returns the copy of the rows, which it makes if necessary.
func (t *tree) copied() *btree.BTreeG[*row] {
	if t.saved == nil {
		t.saved = t.rows.Copy()
	}
	return t.saved
}

// snapshot has copies of trees from one state of their table, by number; nil for trees that are not read. It is not
// safe for concurrent use.
type snapshot struct {
	trees []*btree.BTreeG[*row]
	probe *row // used to look up values; nil at first
}

// fewRows is how many rows of a value are collected from the tree, because finding their range by bisection takes
// longer.
const fewRows = 8

// equal returns the rows with a value, in the order of the identifier.
func (s *snapshot) equal(tree int, to *value) span {
	if s.probe == nil {
		s.probe = probe(len(s.trees), tree, *to)
	}
	s.probe.first[0].integer = math.MinInt64 // see probe
	*s.probe.value(tree) = *to
	var few [fewRows]*row
	n := 0
	s.trees[tree].Ascend(s.probe, func(r *row) bool {
		if *r.value(tree) != *to {
			return false
		}
		if n < fewRows {
			few[n] = r
		}
		n++
		return n <= fewRows
	})
	if n <= fewRows {
		return span{rows: slices.Clone(few[:n]), high: n, tree: tree, value: *to}
	}
	found := span{in: s.trees[tree], high: s.trees[tree].Len(), tree: tree, value: *to}
	found.low = found.search(false, func(r *row) bool { return r.value(tree).compare(to) >= 0 })
	found.high = found.low + found.search(false, func(r *row) bool { return r.value(tree).compare(to) > 0 })
	return found
}

// distinct returns the number of different rows in all spans. It reads every span except the largest.
func distinct(spans []span) int {
	slices.SortFunc(spans, func(a, b span) int { return b.len() - a.len() })
	total := 0
	for i, s := range spans {
		if i == 0 {
			total = s.len()
			continue
		}
		s.each(0, false, func(r *row) bool {
			if !slices.ContainsFunc(spans[:i], func(before span) bool { return *r.value(before.tree) == before.value }) {
				total++
			}
			return true
		})
	}
	return total
}

// span is a range of consecutive rows, from low up to but without high: of a tree, or of a few collected rows.
type span struct {
	in        *btree.BTreeG[*row]
	low, high int
	rows      []*row
	tree      int   // the tree with the value, in spans from [snapshot.equal]
	value     value // the value of all rows in the tree
}

func (s span) len() int { return s.high - s.low }

// at returns the nth row, counted from the end if backward.
func (s span) at(n int, backward bool) *row {
	if backward {
		n = s.len() - 1 - n
	}
	if s.in == nil {
		return s.rows[n]
	}
	found, _ := s.in.GetAt(s.low + n)
	return found
}

// search returns the number of the first row for which reached is true; it must be true for all later ones. It returns
// the number of rows if reached is false for all.
func (s span) search(backward bool, reached func(*row) bool) int {
	return sort.Search(s.len(), func(n int) bool { return reached(s.at(n, backward)) })
}

// each visits the rows from the nth on, until yield returns false.
func (s span) each(n int, backward bool, yield func(*row) bool) {
	left := s.len() - n
	next := func(r *row) bool {
		left--
		return yield(r) && left > 0
	}
	switch {
	case left <= 0:
	case s.in == nil:
		for next(s.at(s.len()-left, backward)) {
		}
	case backward:
		s.in.Descend(s.at(n, true), next)
	default:
		s.in.Ascend(s.at(n, false), next)
	}
}
