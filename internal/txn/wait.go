// Package txn has what the transactions of all stores need: waiting for places and locks up to a limit, and rejecting a
// transaction that would wait for the one around it.
package txn

import (
	"context"
	"fmt"
	"time"

	"github.com/trove-api/trove/store"
)

// Default is the default limit of stores.
const Default = 10 * time.Second

const (
	// CommitPatience is how long a commit on a server may take. It is long, because afterwards it is unknown whether the changes
	// were saved.
	CommitPatience = 30 * time.Second
	// RollbackPatience is how long a rollback may take. After that its connection is closed, which also rolls back.
	RollbackPatience = 5 * time.Second
)

// Unconfirmed returns the error of a commit whose result is unknown.
func Unconfirmed(err error) error {
	return fmt.Errorf("the server has not confirmed the commit in time: %w: %w", store.ErrUnavailable, err)
}

// ErrReadOnly is the error of a check whether a server can write.
var ErrReadOnly = fmt.Errorf("the server is read-only: %w", store.ErrUnavailable)

// Take sends a value into a channel that has one place per permitted user. The place belongs to the caller until a
// value is received from the channel. The error is that of the context, or [store.ErrUnavailable] after the limit; a
// limit of 0 means no limit.
func Take(ctx context.Context, places chan<- struct{}, limit time.Duration) error {
	select {
	case places <- struct{}{}: // the usual case needs no timer
		return nil
	default:
	}
	var late <-chan time.Time
	if limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-late:
		// This is the most likely cause. Enter finds it immediately within requests, but not in jobs and other code.
		return fmt.Errorf("%w: waited %s for another transaction; if this one runs within that one, "+
			"pass the context of its function to Transact, so that this one joins it", store.ErrUnavailable, limit)
	}
}
