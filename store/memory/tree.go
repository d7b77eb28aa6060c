package memory

import (
	"iter"

	"github.com/tidwall/btree"
)

// tree holds the rows of a table in the order of one column, and of the identifier where
// that is the same.
type tree[T any] struct {
	*btree.BTreeG[*row[T]]
	column int
}

// newTrees makes a tree for each column that has one. The table's lock guards them.
func newTrees[T any](columns int) []tree[T] {
	trees := make([]tree[T], columns)
	for i := range trees {
		less := func(a, b *row[T]) bool { return compareIn(i, a, b) < 0 }
		trees[i] = tree[T]{btree.NewBTreeGOptions(less, btree.Options{NoLocks: true}), i}
	}
	return trees
}

// compareIn compares two rows in a column, then in their identifier.
func compareIn[T any](column int, a, b *row[T]) int {
	if c := a.places[column].compare(&b.places[column]); c != 0 || column == 0 {
		return c
	}
	return a.places[0].compare(&b.places[0])
}

// copied returns a tree that later changes of this one do not change. The caller holds
// the table's lock for writing.
func (t tree[T]) copied() tree[T] { return tree[T]{t.Copy(), t.column} }

// from goes through the rows from the first one that is not before the pivot, or from the
// beginning without one; from the end, if it is to go backward.
func (t tree[T]) from(pivot *row[T], backward bool) iter.Seq[*row[T]] {
	return func(yield func(*row[T]) bool) {
		switch {
		case pivot == nil && backward:
			t.Reverse(yield)
		case pivot == nil:
			t.Scan(yield)
		case backward:
			t.Descend(pivot, yield)
		default:
			t.Ascend(pivot, yield)
		}
	}
}

// at returns the nth row, counted from the end if it is to go backward; nil behind the
// last.
func (t tree[T]) at(n int, backward bool) *row[T] {
	if backward {
		n = t.Len() - 1 - n
	}
	found, _ := t.GetAt(n) // of a negative n, as of one that is too large, it has none
	return found
}
