package txn

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/trove-api/trove/store"
)

const (
	// PingTimeout is how long a ping waits for the server.
	PingTimeout = 2 * time.Second
	// pingPause is the pause between pings of a server that does not respond.
	pingPause = time.Second
)

// Breaker makes the calls of a driver fail quickly while its server does not respond. A pooler accepts statements while its
// server is down and keeps them waiting; so does a network that drops packets. So after a connection was lost, calls first
// ping the server. If a ping gets no response, one call at a time pings again, and the others fail. The zero value is for a
// server that responds. It is safe for concurrent use.
type Breaker struct {
	state  atomic.Int32
	pinged atomic.Int64 // when the last failed ping ended, in Unix nanoseconds
	busy   atomic.Bool  // a call is pinging a server that did not respond
}

// These are the known states of a server.
const (
	responds int32 = iota
	suspected
	isDown
)

// Conn is a connection from a pool.
type Conn interface {
	// Ping returns an error if the server does not respond.
	Ping(ctx context.Context) error
	// Release returns the connection to the pool.
	Release()
}

// Suspect reports a lost connection.
func (b *Breaker) Suspect() { b.state.CompareAndSwap(responds, suspected) }

// Doubts reports whether a connection was lost and no ping has succeeded since.
func (b *Breaker) Doubts() bool { return b.state.Load() != responds }

// Check returns an error if the server does not respond. It does nothing if no connection was lost. Acquire waits for a
// free connection of the pool.
func (b *Breaker) Check(ctx context.Context, acquire func(ctx context.Context) (Conn, error)) error {
	switch b.state.Load() {
	case responds:
		return nil
	case isDown:
		if time.Since(time.Unix(0, b.pinged.Load())) < pingPause || !b.busy.CompareAndSwap(false, true) {
			return fmt.Errorf("the server is not responding: %w", store.ErrUnavailable)
		}
		defer b.busy.Store(false)
		return b.ping(ctx, acquire, PingTimeout)
	}
	return b.ping(ctx, acquire, 0)
}

// ping pings the server. It waits for a free connection for at most patience; 0 means no limit.
func (b *Breaker) ping(ctx context.Context, acquire func(ctx context.Context) (Conn, error), patience time.Duration) error {
	waits, stop, began := ctx, context.CancelFunc(func() {}), time.Now()
	if patience > 0 {
		waits, stop = context.WithTimeout(ctx, patience)
	}
	defer stop()
	conn, err := acquire(waits)
	if err == nil {
		defer conn.Release()
		limited, cancel := context.WithTimeout(waits, PingTimeout)
		defer cancel()
		waits, err = limited, conn.Ping(limited)
	}
	switch {
	case err == nil:
		b.state.Store(responds)
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case waits.Err() != nil, time.Since(began) >= PingTimeout: // also to connect
		b.pinged.Store(time.Now().UnixNano())
		b.state.Store(isDown)
	}
	return fmt.Errorf("the server does not respond: %w: %w", store.ErrUnavailable, err)
}
