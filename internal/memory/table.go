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

// row is one saved state of a record, or one that a transaction has staged. Nothing in it
// changes, for readers share it.
type row struct {
	record any      // a pointer to it
	first  [2]value // of its values in the columns that have trees: most have no more
	more   []value  // the others
}

// value returns one of the values.
func (r *row) value(tree int) *value {
	if tree < len(r.first) {
		return &r.first[tree]
	}
	return &r.more[tree-len(r.first)]
}

// entry returns the row as it stands in the tree of a list: with one of the elements for the
// value, and all else as the row itself has it.
func (r *row) entry(tree int, element value) *row {
	made := *r
	if tree >= len(made.first) {
		made.more = slices.Clone(made.more)
	}
	*made.value(tree) = element
	return &made
}

// rows are saved rows by identifier. Integers, which most identifiers are, are found faster
// than as any value, and then the collector has half as much to look at.
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

// table holds what is saved, and the locks of records. Its own lock is held for steps in
// memory only, never while a user's function runs or a query goes through rows.
type table struct {
	mu      sync.RWMutex
	rows    rows
	locks   map[any]lock // those that are held, by identifier and by [answerLock]
	trees   []tree
	columns columns
	// patience is how long a transaction waits for another; 0 is without a limit.
	patience time.Duration
}

func newTable(columns columns) *table {
	t := &table{rows: rows{map[int64]*row{}, map[any]*row{}}, locks: map[any]lock{}, columns: columns, patience: patience.Default}
	for _, column := range columns.trees {
		t.trees = append(t.trees, newTree(column))
	}
	return t
}

// get returns the saved row of the record with that id, nil if there is none.
func (t *table) get(id any) *row {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.rows.get(id)
}

// open returns copies of the trees that a list reads: the numbered one, and those of its conditions. They
// are in the slice, if that has room.
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

// eachTree goes through the numbers of the trees that conditions are found in, until yield returns false.
func eachTree(conditions []condition, yield func(tree int) bool) bool {
	for i := range conditions {
		c := &conditions[i]
		if c.isUnion && !eachTree(c.parts, yield) || c.tree != nil && !yield(c.tree.tree) {
			return false
		}
	}
	return true
}

// owner returns the saved row that has the value of another row in a unique column, nil for
// none.
func (t *table) owner(of *column, r *row) *row {
	if !r.value(of.tree).present {
		return nil
	}
	found, _ := t.trees[of.tree].rows.Get(r)
	return found
}

// commit saves what is staged, all or none, and keeps it. Once it is saved it gives up the
// locks, too, if it is to.
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

// conflict returns the error of what is staged that cannot be saved: a change to a unique value
// that a record has which the transaction does not change. Within staged, values are unique
// already. The caller holds the table's lock.
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

// apply saves what is staged. The caller holds the table's lock.
func (t *table) apply(staged *staged) {
	for i := range staged.changes { // first, so that records can swap unique values
		t.remove(&staged.changes[i])
	}
	for i := range staged.changes {
		t.save(&staged.changes[i])
	}
}

// remove takes the saved row of a change out of wherever the new one will not take its
// place.
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

// save puts the new row of a change into the table.
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

// removeElements takes the elements out of a tree that the new row of a change does not have.
func (t *table) removeElements(tree int, c *change) {
	list := t.columns.trees[tree]
	var kept []value
	if c.now != nil {
		kept, _ = list.elementsOf(c.now.record) // it was read when the row was made, without an error
	}
	gone, _ := list.elementsOf(c.saved.record)
	for _, element := range gone {
		if !slices.Contains(kept, element) {
			t.trees[tree].delete(c.saved.entry(tree, element))
		}
	}
}

// saveElements puts the elements of a row into a tree, also those that were there: each of them
// leads to the record as it is now.
func (t *table) saveElements(tree int, now *row) {
	all, _ := t.columns.trees[tree].elementsOf(now.record) // see above
	for _, element := range all {
		t.trees[tree].set(now.entry(tree, element))
	}
}

// lock is that of a record, there or not, or of an answer. It is held by one of its users;
// the others wait until free has something for one of them.
type lock struct {
	users int
	free  chan struct{} // nil until somebody waits
}

// try takes a lock unless another transaction has it or waits for it. It returns the row that
// is saved, which stays while the lock is held.
func (t *table) try(id any) (saved *row, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.locks[id].users > 0 {
		return nil, false
	}
	t.locks[id] = lock{users: 1}
	return t.rows.get(id), true
}

// acquire takes a lock, and waits for it until the context is cancelled or the table's
// patience is over. Those who wait are served in order. It returns what try does.
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

// join adds a user to a lock. It returns what to wait for, and nil with what is saved for the
// only user.
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

// unlock gives the locks of changes to the next who wait, and forgets the changes. The
// caller holds the table's lock.
func (t *table) unlock(all *staged) {
	for i := range all.changes {
		if left := t.leave(all.changes[i].id); left.users > 0 {
			left.free <- struct{}{}
		}
	}
	*all = staged{columns: all.columns}
}

// leave takes one user from a lock, and forgets it without users. The caller holds the
// table's lock.
func (t *table) leave(id any) lock {
	left := t.locks[id]
	if left.users--; left.users == 0 {
		delete(t.locks, id)
	} else {
		t.locks[id] = left
	}
	return left
}
