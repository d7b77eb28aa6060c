package memory

import "context"

// lock is that of a record, there or not, or of the key of an answer. It is held by one of
// its users; the others wait until free has something for one of them.
type lock struct {
	users int
	free  chan struct{} // nil until somebody waits
}

// locks are those that transactions are busy with, by id and by [answerLock].
type locks struct {
	busy  map[any]*lock
	spare *lock // one to use again, nil for none
}

// try takes the lock of a record unless another transaction has it or waits for it.
func (t *table) try(id any) (taken change, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.locks.of(id)
	if l.users > 0 {
		return change{}, false
	}
	l.users = 1
	return change{id: id, lock: l, saved: t.rows.get(id)}, true
}

// acquire takes the lock of a record, and waits for it until the context is cancelled.
// Those who wait are served in order.
func (t *table) acquire(ctx context.Context, id any) (change, error) {
	taken, free := t.join(id)
	if free == nil {
		return taken, nil
	}
	select {
	case <-free:
		taken.saved = t.get(id)
		return taken, nil
	case <-ctx.Done():
		t.mu.Lock()
		defer t.mu.Unlock()
		t.locks.leave(id, taken.lock)
		return change{}, ctx.Err()
	}
}

// join adds a user to a lock. It returns what to wait for, nil for the only user, who has
// the lock.
func (t *table) join(id any) (joined change, free <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.locks.of(id)
	if l.users++; l.users > 1 && l.free == nil {
		l.free = make(chan struct{}, 1)
	}
	return change{id: id, lock: l, saved: t.rows.get(id)}, l.free
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
		l := all.changes[i].lock
		if t.locks.leave(all.changes[i].id, l); l.users > 0 {
			l.free <- struct{}{}
		}
	}
	*all = staged{}
}

// of returns the lock of a record, which may have no users yet.
func (l *locks) of(id any) *lock {
	found := l.busy[id]
	if found != nil {
		return found
	}
	if found, l.spare = l.spare, nil; found == nil {
		found = &lock{}
	}
	l.busy[id] = found
	return found
}

// leave takes one user from a lock. One without users is forgotten.
func (l *locks) leave(id any, left *lock) {
	if left.users--; left.users > 0 {
		return
	}
	delete(l.busy, id)
	if left.free == nil {
		l.spare = left
	}
}
