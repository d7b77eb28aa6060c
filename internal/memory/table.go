package memory

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/tidwall/btree"

	"github.com/trove-api/trove/internal/patience"
	"github.com/trove-api/trove/store"
)

// row is one saved or staged state of a record. It never changes, because readers share it.
type row struct {
	record any      // a pointer to it
	first  [2]value // the first values of columns with trees; most records have no more
	more   []value  // the other values
}

// value returns the row's value in a tree.
func (r *row) value(tree int) *value {
	if tree < len(r.first) {
		return &r.first[tree]
	}
	return &r.more[tree-len(r.first)]
}

// entry returns the row for the tree of a list, with one of the elements as its value in that tree.
func (r *row) entry(tree int, element value) *row {
	made := *r
	if tree >= len(made.first) {
		made.more = slices.Clone(made.more)
	}
	*made.value(tree) = element
	return &made
}

// rows are the saved rows by identifier. Integers, the most common identifiers, have their own map, which is faster and
// has half as much for the garbage collector to scan.
type rows struct {
	byNumber map[int64]*row
	byID     map[any]*row
}

func (r *rows) get(id any) *row {
	if n, ok := id.(int64); ok {
		return r.byNumber[n]
	}
	return r.byID[id]
}

func (r *rows) set(id any, saved *row) {
	if n, ok := id.(int64); ok {
		r.byNumber[n] = saved
		return
	}
	r.byID[id] = saved
}

func (r *rows) delete(id any) {
	if n, ok := id.(int64); ok {
		delete(r.byNumber, n)
		return
	}
	delete(r.byID, id)
}

// table has the saved rows and the locks of records. Its own lock is held only briefly, never while a user's function
// runs or a query reads rows.
type table struct {
	mu      sync.RWMutex
	rows    rows
	locks   map[any]lock // the held locks, by identifier and by [keyLock]
	trees   []tree
	columns columns
	// patience is how long a transaction waits for another; 0 means no limit.
	patience time.Duration
}

func newTable(columns columns) *table {
	t := &table{rows: rows{map[int64]*row{}, map[any]*row{}}, locks: map[any]lock{}, columns: columns, patience: patience.Default}
	for _, column := range columns.trees {
		t.trees = append(t.trees, newTree(column))
	}
	return t
}

// get returns the saved row of the record with that id, or nil.
func (t *table) get(id any) *row {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.rows.get(id)
}

// open returns copies of the trees that a list reads: the numbered one, and those of its conditions. It uses the given
// slice if it has the capacity.
func (t *table) open(in []*btree.BTreeG[*row], tree int, conditions []condition) snapshot {
	copies := snapshot{trees: slices.Grow(in[:0], len(t.trees))[:len(t.trees)]}
	read := func(n int) bool {
		copies.trees[n] = t.trees[n].saved
		return copies.trees[n] != nil
	}
	t.mu.RLock()
	isCopied := read(tree) && eachTree(conditions, read)
	t.mu.RUnlock()
	if isCopied {
		return copies
	}
	copied := func(n int) bool {
		copies.trees[n] = t.trees[n].copied()
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	copied(tree)
	eachTree(conditions, copied)
	return copies
}

// eachTree visits the numbers of the trees that conditions use, until yield returns false.
func eachTree(conditions []condition, yield func(tree int) bool) bool {
	for i := range conditions {
		c := &conditions[i]
		if c.isUnion && !eachTree(c.parts, yield) || c.tree != nil && !yield(c.tree.tree) {
			return false
		}
	}
	return true
}

// owner returns the saved row with the same value in a unique column as another row, or nil.
func (t *table) owner(of *column, r *row) *row {
	if !r.value(of.tree).present {
		return nil
	}
	found, _ := t.trees[of.tree].rows.Get(r)
	return found
}

// commit saves the staged changes, all or none. If unlock is true, it then releases the locks.
func (t *table) commit(staged *staged, unlock bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.conflict(staged); err != nil {
		return err
	}
	t.apply(staged)
	if unlock {
		t.unlock(staged)
	}
	return nil
}

// conflict returns an error if staged changes cannot be saved, because a record that the transaction does not change
// has one of their unique values. Staged values are already unique among each other. The caller must hold the table's
// lock.
func (t *table) conflict(staged *staged) error {
	for i := range staged.changes {
		c := &staged.changes[i]
		if c.now == nil || c.now == c.saved {
			continue
		}
		for _, column := range t.columns.uniques {
			if owner := t.owner(column, c.now); owner != nil && owner != c.saved && !staged.replaces(owner) {
				return store.UniqueError{Field: column.name}
			}
		}
	}
	return nil
}

// apply saves the staged changes. The caller must hold the table's lock.
func (t *table) apply(staged *staged) {
	for i := range staged.changes { // first, so that records can swap unique values
		t.remove(&staged.changes[i])
	}
	for i := range staged.changes {
		t.save(&staged.changes[i])
	}
}

// remove removes the saved row of a change from the trees where the new row does not replace it.
func (t *table) remove(c *change) {
	if c.saved == nil || c.now == c.saved {
		return
	}
	if c.now == nil {
		t.rows.delete(c.id)
	}
	for i := range t.trees {
		switch {
		case t.columns.trees[i].elements != nil:
			t.removeElements(i, c)
		case c.now == nil || *c.now.value(i) != *c.saved.value(i):
			t.trees[i].delete(c.saved)
		}
	}
}

// save adds the new row of a change to the table.
func (t *table) save(c *change) {
	if c.now == nil || c.now == c.saved {
		return
	}
	t.rows.set(c.id, c.now)
	if c.saved == nil {
		t.trees[0].add(c.now)
	} else {
		t.trees[0].set(c.now)
	}
	for i := range t.trees[1:] {
		if t.columns.trees[1+i].elements != nil {
			t.saveElements(1+i, c.now)
		} else {
			t.trees[1+i].set(c.now)
		}
	}
}

// removeElements removes elements from a tree that the new row of a change does not have.
func (t *table) removeElements(tree int, c *change) {
	list := t.columns.trees[tree]
	var kept []value
	if c.now != nil {
		kept, _ = list.elementsOf(c.now.record) // reading it succeeded when the row was made
	}
	gone, _ := list.elementsOf(c.saved.record)
	for _, element := range gone {
		if !slices.Contains(kept, element) {
			t.trees[tree].delete(c.saved.entry(tree, element))
		}
	}
}

// saveElements adds the elements of a row to a tree. It also replaces existing ones, because each entry leads to the
// current record.
func (t *table) saveElements(tree int, now *row) {
	all, _ := t.columns.trees[tree].elementsOf(now.record) // see above
	for _, element := range all {
		t.trees[tree].set(now.entry(tree, element))
	}
}

// lock is the lock of a record, existing or not, or of a response's key. One user holds it; the others wait for free.
type lock struct {
	users int
	free  chan struct{} // nil until a user waits
}

// try takes a lock, unless another transaction holds it or waits for it. It returns the saved row, which stays while
// the lock is held.
func (t *table) try(id any) (saved *row, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.locks[id].users > 0 {
		return nil, false
	}
	t.locks[id] = lock{users: 1}
	return t.rows.get(id), true
}

// acquire takes a lock. It waits until the context is cancelled or the table's patience is over; waiting users are
// served in order. It returns the saved row, as try does.
func (t *table) acquire(ctx context.Context, id any) (*row, error) {
	saved, free := t.join(id)
	if free == nil {
		return saved, nil
	}
	if err := patience.Await(ctx, free, t.patience); err != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.leave(id)
		return nil, lockError(err)
	}
	return t.get(id), nil
}

// join adds a user to a lock. It returns the saved row for the only user, or a channel to wait on.
func (t *table) join(id any) (*row, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.locks[id]
	if l.users++; l.users > 1 && l.free == nil {
		l.free = make(chan struct{}, 1)
	}
	t.locks[id] = l
	if l.users > 1 {
		return nil, l.free
	}
	return t.rows.get(id), nil
}

// unlock passes the locks of changes to the next waiting users, and forgets the changes. The caller must hold the
// table's lock.
func (t *table) unlock(all *staged) {
	for i := range all.changes {
		if left := t.leave(all.changes[i].id); left.users > 0 {
			left.free <- struct{}{}
		}
	}
	*all = staged{columns: all.columns}
}

// leave removes one user from a lock, and deletes a lock without users. The caller must hold the table's lock.
func (t *table) leave(id any) lock {
	left := t.locks[id]
	if left.users--; left.users == 0 {
		delete(t.locks, id)
	} else {
		t.locks[id] = left
	}
	return left
}
