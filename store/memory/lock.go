package memory

import (
	"context"
	"sync"
)

// locks are the locks of the records that transactions are busy with, by id, and of the
// answers, by [answerLock]. It has none for the others.
type locks struct {
	mu   sync.Mutex
	byID map[any]lock
}

// lock is held by one of its users; the others wait until free has something for one
// of them. It is made for the first user and dropped with the last.
type lock struct {
	users int
	free  chan struct{} // nil until somebody waits
}

func newLocks() *locks { return &locks{byID: map[any]lock{}} }

// try takes the lock of a record unless another transaction has it or waits for it.
func (l *locks) try(id any) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byID[id].users > 0 {
		return false
	}
	l.byID[id] = lock{users: 1}
	return true
}

// acquire takes the lock of a record, and waits for it until the context is cancelled.
// Those who wait are served in order.
func (l *locks) acquire(ctx context.Context, id any) error {
	free := l.join(id)
	if free == nil {
		return nil
	}
	select {
	case <-free:
		return nil
	case <-ctx.Done():
		l.leave(id)
		return ctx.Err()
	}
}

// join adds a user to a lock. It returns what to wait for, nil for the only user.
func (l *locks) join(id any) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := l.byID[id]
	if k.users++; k.users > 1 && k.free == nil {
		k.free = make(chan struct{}, 1)
	}
	l.byID[id] = k
	return k.free
}

// leave drops a user that waited in vain, without holding the lock.
func (l *locks) leave(id any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drop(id)
}

// release gives the lock to the next who waits.
func (l *locks) release(id any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if k := l.drop(id); k.users > 0 {
		k.free <- struct{}{}
	}
}

// drop takes one user from a lock.
func (l *locks) drop(id any) lock {
	k := l.byID[id]
	if k.users--; k.users == 0 {
		delete(l.byID, id)
	} else {
		l.byID[id] = k
	}
	return k
}
