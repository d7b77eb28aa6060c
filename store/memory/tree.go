package memory

import (
	"sort"
	"sync"

	"github.com/tidwall/btree"
)

// tree holds the rows of a table in the order of one column, and of the identifier where
// that is the same. The table's lock guards it.
type tree struct {
	rows *btree.BTreeG[*row] // not embedded: all of its methods would be in every program
	// saved is a copy of rows as they are, which no change touches; nil until somebody reads
	// after a change. To make it costs nothing: the next change copies the nodes on its way.
	saved *copied
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

// copy keeps a copy of the rows. The caller holds the table's lock for writing.
func (t *tree) copy() {
	if t.saved == nil {
		t.saved = &copied{rows: t.rows.Copy()}
	}
}

// span returns all rows of the copy, if there is one.
func (t *tree) span() (all span, ok bool) {
	if t.saved == nil {
		return span{}, false
	}
	return span{in: t.saved, high: t.saved.rows.Len()}, true
}

// copied are the rows of a tree, of which none comes or goes any more. It is safe for use by
// many goroutines.
type copied struct {
	rows *btree.BTreeG[*row]

	mu     sync.Mutex
	ranges map[value]span // of values that were looked for, and that rows have; nil for none yet
}

// How many ranges a copy remembers, and how many rows a range has at most whose rows it remembers, too:
// to find the few records of one's own takes one more way down the tree.
const (
	remembered     = 1 << 10
	rememberedRows = 1 << 5
)

// equal returns the rows with a value, which have the order of the identifier. To find where they
// begin and end takes some thirty steps down the tree, which is most of what a page by a filter
// or a rule takes; so it is remembered until rows change.
func (c *copied) equal(of *column, to *value) span {
	c.mu.Lock()
	found, known := c.ranges[*to]
	c.mu.Unlock()
	if known {
		return found
	}
	all := span{in: c, high: c.rows.Len()}
	low := all.search(false, func(r *row) bool { return r.value(of.tree).compare(to) >= 0 })
	rest := span{in: c, low: low, high: all.high}
	found = span{in: c, low: low, high: low + rest.search(false, func(r *row) bool { return r.value(of.tree).compare(to) > 0 })}
	if found.len() == 0 { // clients can ask for any number of these
		return found
	}
	if found.len() <= rememberedRows {
		rows := make([]*row, 0, found.len())
		found.each(0, false, func(r *row) bool {
			rows = append(rows, r)
			return true
		})
		found.rows = rows
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ranges == nil {
		c.ranges = map[value]span{}
	}
	if len(c.ranges) < remembered {
		c.ranges[*found.at(0, false).value(of.tree)] = found
	}
	return found
}

// span are rows that follow on one another in a tree: those from the number low up to, and
// without, high.
type span struct {
	in        *copied
	low, high int
	rows      []*row // all of them, where they are remembered; else nil
}

func (s span) len() int { return s.high - s.low }

// at returns the nth row, from the end if it is to go backward.
func (s span) at(n int, backward bool) *row {
	if backward {
		n = s.len() - 1 - n
	}
	if s.rows != nil {
		return s.rows[n]
	}
	found, _ := s.in.rows.GetAt(s.low + n)
	return found
}

// search returns the number of the first row for which reached is true, as it is for all
// behind it; that behind the last for none.
func (s span) search(backward bool, reached func(*row) bool) int {
	return sort.Search(s.len(), func(n int) bool { return reached(s.at(n, backward)) })
}

// each goes through the rows from the nth on, until yield returns false.
func (s span) each(n int, backward bool, yield func(*row) bool) {
	left := s.len() - n
	if left <= 0 {
		return
	}
	if s.rows != nil {
		for left > 0 && yield(s.at(s.len()-left, backward)) {
			left--
		}
		return
	}
	next := func(r *row) bool {
		left--
		return yield(r) && left > 0
	}
	if backward {
		s.in.rows.Descend(s.at(n, true), next)
	} else {
		s.in.rows.Ascend(s.at(n, false), next)
	}
}
