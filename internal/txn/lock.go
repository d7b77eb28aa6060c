package txn

import "context"

// Lock is how reads of a transaction lock the records that they find, until it ends. Stores whose transactions run one
// after the other ignore it.
type Lock int

const (
	// Shared keeps others from changing the records, because a write depends on them.
	Shared Lock = iota + 1
	// Exclusive also keeps others from locking them, because they are about to change.
	Exclusive
)

// WithLock returns a context whose reads lock the records that they find.
func WithLock(ctx context.Context, lock Lock) context.Context {
	return context.WithValue(ctx, lockKey{}, lock)
}

// LockOf returns the lock of a context, 0 for none.
func LockOf(ctx context.Context) Lock {
	lock, _ := ctx.Value(lockKey{}).(Lock)
	return lock
}

// lockKey is the context key of the lock.
type lockKey struct{}
