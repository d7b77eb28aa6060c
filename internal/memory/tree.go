package memory

import (
	"math"
	"slices"
	"sort"

	"github.com/tidwall/btree"
)

// tree holds the rows of a table in the order of one column, and of the identifier where
// that is the same. The table's lock guards it.
type tree struct {
	rows *btree.BTreeG[*row] // not embedded: all of its methods would be in every program
	// saved is a copy of rows as they are, which no change touches; nil until a list reads the tree
	// after a change. Making it costs nothing: the next change copies the nodes on its way.
	saved *btree.BTreeG[*row]
}

func newTree(of *column) tree {
	less := byIdentifier
	if column, unique := of.tree, of.unique; column != 0 {
		less = func(a, b *row) bool {
			x, y := a.value(column), b.value(column)
			if x.integer != y.integer && x.present == y.present { // in most comparisons
				return x.integer < y.integer
			}
			if c := x.compare(y); c != 0 || unique && x.present {
				return c < 0 // so that a row is found by its unique value, whatever its identifier
			}
			return byIdentifier(a, b)
		}
	}
	return tree{rows: btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})}
}

// byIdentifier is the order of the first tree, and of rows that share a value in another one.
func byIdentifier(a, b *row) bool {
	x, y := &a.first[0], &b.first[0]
	if x.integer != y.integer { // no identifier is null
		return x.integer < y.integer
	}
	return x.compare(y) < 0
}

// set puts a row into the place of the one that is equal to it in the order.
func (t *tree) set(r *row) {
	t.rows.Set(r)
	t.saved = nil
}

// add is set, but quick for a row that comes last, as new records do in the order of their
// identifier.
func (t *tree) add(r *row) {
	t.rows.Load(r)
	t.saved = nil
}

// delete takes the row out that is equal in the order.
func (t *tree) delete(r *row) {
	t.rows.Delete(r)
	t.saved = nil
}

// copied returns the copy of the rows, made now if there is none.
func (t *tree) copied() *btree.BTreeG[*row] {
	if t.saved == nil {
		t.saved = t.rows.Copy()
	}
	return t.saved
}

// snapshot has copies of trees, all of one state of their table, by their number; nil for trees that
// are not read. It is for one goroutine.
type snapshot struct {
	trees []*btree.BTreeG[*row]
	probe *row // that values are looked up with; nil at first
}

// fewRows is how many rows of a value are collected from the tree: bisecting for where they begin and
// end takes longer.
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

// distinct returns how many rows spans have together. It looks at all of them but those of the largest.
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

// span is a range of consecutive rows: of a tree, from the number low up to, and without, high, or of a
// few rows that were collected.
type span struct {
	in        *btree.BTreeG[*row]
	low, high int
	rows      []*row
	tree      int   // whose rows have the value: for spans that [snapshot.equal] finds
	value     value // that all rows have in the tree
}

func (s span) len() int { return s.high - s.low }

// at returns the nth row, from the end if it is to go backward.
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

// search returns the number of the first row for which reached is true, as it is for all
// after it; the number of rows if there is none.
func (s span) search(backward bool, reached func(*row) bool) int {
	return sort.Search(s.len(), func(n int) bool { return reached(s.at(n, backward)) })
}

// each goes through the rows from the nth on, until yield returns false.
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
