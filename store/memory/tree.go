package memory

import "github.com/tidwall/btree"

// tree holds the rows of a table in the order of one column, and of the identifier where
// that is the same.
type tree[T any] struct {
	rows *btree.BTreeG[*row[T]] // not embedded: all of its methods would be in every program, for every T
}

// newTrees makes a tree for each column that has one. The table's lock guards them.
func newTrees[T any](columns columns) []tree[T] {
	trees := make([]tree[T], len(columns.trees))
	for i, column := range columns.trees {
		trees[i] = newTree[T](column.place)
	}
	return trees
}

// newTree makes a tree in the order of a value that rows keep.
func newTree[T any](place int) tree[T] {
	less := func(a, b *row[T]) bool {
		x, y := &a.places[place], &b.places[place]
		if x.integer != y.integer && x.present == y.present { // in most comparisons
			return x.integer < y.integer
		}
		return compareIn(place, a, b) < 0
	}
	return tree[T]{btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})}
}

// compareIn compares two rows in a value, then in their identifier.
func compareIn[T any](place int, a, b *row[T]) int {
	if c := a.places[place].compare(&b.places[place]); c != 0 || place == 0 {
		return c
	}
	return a.places[0].compare(&b.places[0])
}

// add is Set, but quick for a row that comes last, as new records do in the order of their
// identifier.
func (t tree[T]) add(r *row[T]) { t.rows.Load(r) }

// Set puts a row into the place of the one that is equal to it in the order.
func (t tree[T]) Set(r *row[T]) { t.rows.Set(r) }

// Get returns the row that is equal in the order.
func (t tree[T]) Get(r *row[T]) (*row[T], bool) { return t.rows.Get(r) }

// Delete takes the row out that is equal in the order.
func (t tree[T]) Delete(r *row[T]) { t.rows.Delete(r) }

// Len returns the number of rows.
func (t tree[T]) Len() int { return t.rows.Len() }

// copied returns a tree that later changes of this one do not change. The caller holds
// the table's lock for writing.
func (t tree[T]) copied() tree[T] { return tree[T]{t.rows.Copy()} }

func (t tree[T]) from(pivot *row[T], backward bool, yield func(*row[T]) bool) {
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

func (t tree[T]) at(n int, backward bool) *row[T] {
	if backward {
		n = t.rows.Len() - 1 - n
	}
	found, _ := t.rows.GetAt(n) // of a negative n, as of one that is too large, it has none
	return found
}
