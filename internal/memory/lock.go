package memory

import (
	"context"

	"github.com/trove-api/trove/internal/patience"
)

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

// release gives up the changes that are staged, and their locks.
func (t *table) release(all *staged) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.unlock(all)
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
