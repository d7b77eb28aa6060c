// Package patience waits for what others hold, and not for ever.
package patience

import (
	"context"
	"fmt"
	"time"

	"github.com/trove-api/trove/store"
)

// Default is how long stores wait by default.
const Default = 10 * time.Second

// Take puts something into a channel that has a place for each who may go on: the place is
// the caller's until something is taken out of it again. Its error is that of the context,
// or [store.ErrUnavailable] where the limit is over; a limit of 0 is none.
func Take(ctx context.Context, places chan<- struct{}, limit time.Duration) error {
	select {
	case places <- struct{}{}: // nearly always: no timer is needed
		return nil
	default:
	}
	late, stop := after(limit)
	defer stop()
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-late:
		return tooLate(limit)
	}
}

// Await waits for a channel to have something, and takes it. Its errors are those of [Take].
func Await(ctx context.Context, free <-chan struct{}, limit time.Duration) error {
	late, stop := after(limit)
	defer stop()
	select {
	case <-free:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-late:
		return tooLate(limit)
	}
}

// after returns what tells that a limit is over, and what ends the waiting for it.
func after(limit time.Duration) (late <-chan time.Time, stop func() bool) {
	if limit <= 0 {
		return nil, func() bool { return false }
	}
	timer := time.NewTimer(limit)
	return timer.C, timer.Stop
}

// tooLate names the mistake that is the likeliest cause, for a request's own is found at
// once but a job's or a handler's outside of Trove cannot be.
func tooLate(limit time.Duration) error {
	return fmt.Errorf("%w: waited %s for another transaction to end; if that is one around this one, "+
		"call Transact with the context that its function was given, so that this one joins in", store.ErrUnavailable, limit)
}
