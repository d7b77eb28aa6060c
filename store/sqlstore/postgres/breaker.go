package postgres

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/trove-api/trove/store"
)

const (
	// pingTimeout is how long a ping waits for the server.
	pingTimeout = 2 * time.Second
	// pingPause is the pause between pings of a server that does not respond.
	pingPause = time.Second
)

// breaker makes calls fail quickly while a server does not respond. A pooler accepts statements while its server is down
// and keeps them waiting; so does a network that drops packets. So after a connection was lost, calls first ping the
// server. If a ping gets no response, one call at a time pings again, and the others fail. It is safe for concurrent
// use.
type breaker struct {
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

// watch makes the pool report lost connections.
func (b *breaker) watch(config *pgxpool.Config) {
	config.BeforeClose = func(conn *pgx.Conn) {
		if conn.IsClosed() { // not closed by the pool
			b.state.CompareAndSwap(responds, suspected)
		}
	}
}

// check returns an error if the server does not respond. It does nothing if no connection was lost.
func (b *breaker) check(ctx context.Context, pool *pgxpool.Pool) error {
	switch b.state.Load() {
	case responds:
		return nil
	case isDown:
		if time.Since(time.Unix(0, b.pinged.Load())) < pingPause || !b.busy.CompareAndSwap(false, true) {
			return fmt.Errorf("the server is not responding: %w", store.ErrUnavailable)
		}
		defer b.busy.Store(false)
		return b.ping(ctx, pool, pingTimeout)
	}
	return b.ping(ctx, pool, 0)
}

// ping pings the server. It waits for a free connection for at most patience; 0 means no limit.
func (b *breaker) ping(ctx context.Context, pool *pgxpool.Pool, patience time.Duration) error {
	waits, stop := ctx, context.CancelFunc(func() {})
	if patience > 0 {
		waits, stop = context.WithTimeout(ctx, patience)
	}
	defer stop()
	conn, err := pool.Acquire(waits)
	if err == nil {
		defer conn.Release()
		limited, cancel := context.WithTimeout(waits, pingTimeout)
		defer cancel()
		waits, err = limited, conn.Ping(limited)
	}
	switch {
	case err == nil:
		b.state.Store(responds)
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case waits.Err() != nil:
		b.pinged.Store(time.Now().UnixNano())
		b.state.Store(isDown)
	}
	return fmt.Errorf("the server does not respond: %w: %w", store.ErrUnavailable, err)
}
