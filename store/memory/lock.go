package memory

import (
	"context"

	"github.com/trove-api/trove/internal/patience"
)

// lock is that of a slot. It is held by one of its users; the others wait until free has
// something for one of them.
type lock struct {
	users int
	free  chan struct{} // nil until somebody waits
}

// try takes the lock of a slot unless another transaction has it or waits for it.
func (t *table) try(id any) (taken *slot, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.slots.reserve(id)
	if s.lock != nil {
		return nil, false
	}
	t.use(s)
	return s, true
}

// acquire takes the lock of a slot, and waits for it until the context is cancelled or the
// table's patience is over. Those who wait are served in order.
func (t *table) acquire(ctx context.Context, id any) (*slot, error) {
	s, free := t.join(id)
	if free == nil {
		return s, nil
	}
	if err := patience.Await(ctx, free, t.patience); err != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.leave(id, s)
		return nil, lockError(err)
	}
	return s, nil
}

// join adds a user to a lock. It returns what to wait for, nil for the only user.
func (t *table) join(id any) (*slot, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.slots.reserve(id)
	t.use(s)
	if s.lock.users > 1 && s.lock.free == nil {
		s.lock.free = make(chan struct{}, 1)
	}
	return s, s.lock.free
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
		c := &all.changes[i]
		if t.leave(c.id, c.slot); c.slot.lock != nil {
			c.slot.lock.free <- struct{}{}
		}
	}
	*all = staged{}
}

// use adds a user to the lock of a slot. The caller holds the table's lock.
func (t *table) use(s *slot) {
	if s.lock == nil {
		if s.lock, t.spare = t.spare, nil; s.lock == nil {
			s.lock = &lock{}
		}
	}
	s.lock.users++
}

// leave takes one user from the lock of a slot, and forgets what is not needed then. The
// caller holds the table's lock.
func (t *table) leave(id any, s *slot) {
	left := s.lock
	if left.users--; left.users > 0 {
		return
	}
	if s.lock = nil; s.row == nil {
		t.slots.forget(id)
	}
	if left.free == nil {
		t.spare = left
	}
}
