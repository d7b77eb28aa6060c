package memory

import "github.com/tidwall/btree"

// tree holds the rows of a table in the order of one column, and of the identifier where
// that is the same.
type tree struct {
	rows *btree.BTreeG[*row] // not embedded: all of its methods would be in every program
}

// newTrees makes a tree for each column that has one. The table's lock guards them.
func newTrees(columns columns) []tree {
	trees := make([]tree, len(columns.trees))
	for i, column := range columns.trees {
		trees[i] = newTree(column.place)
	}
	return trees
}

// newTree makes a tree in the order of a value that rows keep.
func newTree(place int) tree {
	less := func(a, b *row) bool {
		x, y := a.value(place), b.value(place)
		if x.integer != y.integer && x.present == y.present { // in most comparisons
			return x.integer < y.integer
		}
		return compareIn(place, a, b) < 0
	}
	return tree{btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})}
}

// compareIn compares two rows in a value, then in their identifier.
func compareIn(place int, a, b *row) int {
	if c := a.value(place).compare(b.value(place)); c != 0 || place == 0 {
		return c
	}
	return a.value(0).compare(b.value(0))
}

// add is Set, but quick for a row that comes last, as new records do in the order of their
// identifier.
func (t tree) add(r *row) { t.rows.Load(r) }

// Set puts a row into the place of the one that is equal to it in the order.
func (t tree) Set(r *row) { t.rows.Set(r) }

// Get returns the row that is equal in the order.
func (t tree) Get(r *row) (*row, bool) { return t.rows.Get(r) }

// Delete takes the row out that is equal in the order.
func (t tree) Delete(r *row) { t.rows.Delete(r) }

// Len returns the number of rows.
func (t tree) Len() int { return t.rows.Len() }

// copied returns a tree that later changes of this one do not change. The caller holds
// the table's lock for writing.
func (t tree) copied() tree { return tree{t.rows.Copy()} }

func (t tree) from(pivot *row, backward bool, yield func(*row) bool) {
	switch {
	case pivot == nil && backward:
		t.rows.Reverse(yield)
	case pivot == nil:
		t.rows.Scan(yield)
	case backward:
		t.rows.Descend(pivot, yield)
	default:
		t.rows.Ascend(pivot, yield)
	}
}

func (t tree) at(n int, backward bool) *row {
	if backward {
		n = t.rows.Len() - 1 - n
	}
	found, _ := t.rows.GetAt(n) // of a negative n, as of one that is too large, it has none
	return found
}
