package memory

import (
	"iter"
	"slices"
	"sort"

	"github.com/trove-api/trove/internal/filter"
)

// row is a record with its identifier, a response with its key, or a value in an index. It never changes, because readers
// share it.
type row struct {
	key    filter.Value // that trees sort by
	id     filter.Value // in an index, the identifier of the record that has the value, which sorts equal values; else null
	record any          // a pointer; nil in an index
	in     *Store       // of the record
}

// tree is a sorted list of rows, in branches of leaves. A transaction changes a copy of the list, and copies of the blocks
// that it changes: these have the version of its state, and only this transaction can reach them. So the trees of
// different states share all other blocks.
type tree struct {
	branches []*block[*block[*row]]
	count    int
	version  uint64
}

// block is a branch of a tree or a leaf. It has at least one item.
type block[E any] struct {
	version uint64
	count   int
	items   [blockSize]E
}

// blockSize makes a block 256 bytes. For 10,000 rows, the list of branches is smaller than that.
const blockSize = 30

func (b *block[E]) last() E { return b.items[b.count-1] }

// own returns a block that a transaction can change: the block itself, or a copy.
func (b *block[E]) own(version uint64) *block[E] {
	if b.version == version {
		return b
	}
	copied := *b
	copied.version = version
	return &copied
}

// insert adds an item. A full block is split, and its second part returned.
func (b *block[E]) insert(i int, item E) (second *block[E]) {
	if b.count == blockSize {
		half := blockSize / 2
		if i == blockSize { // usually behind the last one of the tree: the block stays full
			half = blockSize
		}
		second = &block[E]{version: b.version, count: blockSize - half}
		copy(second.items[:], b.items[half:])
		clear(b.items[half:])
		b.count = half
		if i >= half {
			second.insert(i-half, item)
			return second
		}
	}
	copy(b.items[i+1:], b.items[i:b.count])
	b.items[i] = item
	b.count++
	return second
}

func (b *block[E]) remove(i int) {
	copy(b.items[i:], b.items[i+1:b.count])
	b.count--
	clear(b.items[b.count:])
}

// place is the position of a row, or between rows.
type place struct{ branch, leaf, row int }

// find returns the place of a row, or the one where it would be.
func (t *tree) find(key, id filter.Value) (p place, found bool) {
	if len(t.branches) == 0 {
		return p, false
	}
	isBefore := func(r *row) bool {
		compared := r.key.Compare(key)
		return compared < 0 || compared == 0 && r.id.Compare(id) < 0
	}
	p.branch = sort.Search(len(t.branches)-1, func(i int) bool { return !isBefore(t.branches[i].last().last()) })
	branch := t.branches[p.branch]
	p.leaf = sort.Search(branch.count-1, func(i int) bool { return !isBefore(branch.items[i].last()) })
	leaf := branch.items[p.leaf]
	p.row = sort.Search(leaf.count, func(i int) bool { return !isBefore(leaf.items[i]) })
	return p, p.row < leaf.count && leaf.items[p.row].key == key && leaf.items[p.row].id == id
}

// get returns the row with a key, or nil.
func (t *tree) get(key filter.Value) *row {
	p, found := t.find(key, filter.Value{})
	if !found {
		return nil
	}
	return t.branches[p.branch].items[p.leaf].items[p.row]
}

// set adds a row, or replaces the one with its key.
func (t *tree) set(r *row, version uint64) {
	p, found := t.find(r.key, r.id)
	branch, leaf := t.own(p, version)
	if found {
		leaf.items[p.row] = r
		return
	}
	t.count++
	if second := leaf.insert(p.row, r); second != nil {
		if second := branch.insert(p.leaf+1, second); second != nil {
			t.branches = slices.Insert(t.branches, p.branch+1, second)
		}
	}
}

// delete removes the row with a key, if there is one.
func (t *tree) delete(key, id filter.Value, version uint64) {
	p, found := t.find(key, id)
	if !found {
		return
	}
	t.count--
	branch, leaf := t.own(p, version)
	if leaf.remove(p.row); leaf.count == 0 {
		if branch.remove(p.leaf); branch.count == 0 {
			t.branches = slices.Delete(t.branches, p.branch, p.branch+1)
		}
	}
}

// own returns the blocks of a place, which the transaction can change.
func (t *tree) own(p place, version uint64) (*block[*block[*row]], *block[*row]) {
	if t.version != version {
		t.branches, t.version = slices.Clone(t.branches), version
	}
	if len(t.branches) == 0 {
		first := &block[*block[*row]]{version: version, count: 1}
		first.items[0] = &block[*row]{version: version}
		t.branches = append(t.branches, first)
	}
	branch := t.branches[p.branch].own(version)
	leaf := branch.items[p.leaf].own(version)
	t.branches[p.branch], branch.items[p.leaf] = branch, leaf
	return branch, leaf
}

// cursor reads the rows of a tree one after the other, in either direction.
type cursor struct {
	in           *tree
	back         bool
	branch, leaf int    // where the rows are
	rows         []*row // of the leaf, that are still to read
}

// all returns a cursor over all rows.
func (t *tree) all(back bool) cursor {
	if back {
		return cursor{in: t, back: true, branch: len(t.branches)}
	}
	return cursor{in: t, leaf: -1}
}

// seek returns a cursor over the rows from a key on, or over those before it if it goes back.
func (t *tree) seek(key filter.Value, back bool) cursor {
	if len(t.branches) == 0 {
		return t.all(back)
	}
	p, _ := t.find(key, filter.Value{})
	leaf := t.branches[p.branch].items[p.leaf]
	c := cursor{in: t, back: back, branch: p.branch, leaf: p.leaf, rows: leaf.items[p.row:leaf.count]}
	if back {
		c.rows = leaf.items[:p.row]
	}
	return c
}

// with returns the identifiers of the records that have a value, in an index.
func (t *tree) with(value filter.Value) iter.Seq[filter.Value] {
	return func(yield func(id filter.Value) bool) {
		all := t.seek(value, false)
		for each := all.next(); each != nil && each.key == value; each = all.next() {
			if !yield(each.id) {
				return
			}
		}
	}
}

// next returns the next row, or nil if there are no more.
func (c *cursor) next() (r *row) {
	for len(c.rows) == 0 {
		if !c.advance() {
			return nil
		}
	}
	if last := len(c.rows) - 1; c.back {
		r, c.rows = c.rows[last], c.rows[:last]
	} else {
		r, c.rows = c.rows[0], c.rows[1:]
	}
	return r
}

// skip leaves out n rows.
func (c *cursor) skip(n int) {
	for n > len(c.rows) {
		n -= len(c.rows)
		if c.rows = nil; !c.advance() {
			return
		}
	}
	if c.back {
		c.rows = c.rows[:len(c.rows)-n]
	} else {
		c.rows = c.rows[n:]
	}
}

// advance goes to the next leaf, and reports whether there is one.
func (c *cursor) advance() bool {
	branches := c.in.branches
	switch {
	case c.back && c.leaf > 0:
		c.leaf--
	case c.back && c.branch > 0:
		c.branch--
		c.leaf = branches[c.branch].count - 1
	case !c.back && c.branch < len(branches) && c.leaf < branches[c.branch].count-1:
		c.leaf++
	case !c.back && c.branch < len(branches)-1:
		c.branch, c.leaf = c.branch+1, 0
	default:
		return false
	}
	leaf := branches[c.branch].items[c.leaf]
	c.rows = leaf.items[:leaf.count]
	return true
}
