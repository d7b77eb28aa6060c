package memory

import "context"

// slot is the place of the record with one identifier, and its lock. A table has slots of
// its records, and of identifiers and keys that transactions are busy with.
type slot struct {
	row *row // what is saved; nil for nothing

	// The lock is held by one of its users; the others wait until free has something for
	// one of them.
	users int
	free  chan struct{} // nil until somebody waits
}

// try takes the lock of a slot unless another transaction has it or waits for it.
func (t *table) try(id any) (taken *slot, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.slot(id)
	if s.users > 0 {
		return nil, false
	}
	s.users = 1
	return s, true
}

// acquire takes the lock of a slot, and waits for it until the context is cancelled. Those
// who wait are served in order.
func (t *table) acquire(ctx context.Context, id any) (*slot, error) {
	s, free := t.join(id)
	if free == nil {
		return s, nil
	}
	select {
	case <-free:
		return s, nil
	case <-ctx.Done():
		t.mu.Lock()
		defer t.mu.Unlock()
		t.leave(id, s)
		return nil, ctx.Err()
	}
}

// join adds a user to a lock. It returns what to wait for, nil for the only user.
func (t *table) join(id any) (*slot, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.slot(id)
	if s.users++; s.users > 1 && s.free == nil {
		s.free = make(chan struct{}, 1)
	}
	return s, s.free
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
		if t.leave(c.id, c.slot); c.slot.users > 0 {
			c.slot.free <- struct{}{}
		}
	}
	*all = staged{}
}

// slot returns the slot of an identifier or of a key. The caller holds the table's lock.
func (t *table) slot(id any) *slot {
	s := t.slots.get(id)
	if s == nil {
		s = &slot{}
		t.slots.set(id, s)
	}
	return s
}

// leave takes one user from a lock. The caller holds the table's lock.
func (t *table) leave(id any, s *slot) {
	if s.users--; s.users > 0 {
		return
	}
	s.free = nil
	if s.row == nil {
		t.slots.remove(id)
	}
}
