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
	// pingTimeout limits how long a server takes to respond to a ping.
	pingTimeout = 2 * time.Second
	// pingPause is the time between two pings of a server that does not respond.
	pingPause = time.Second
)

// doubt lets calls fail soon while a server does not respond. A pooler takes statements while its server is away, and lets them
// wait; so does a network that drops packets. So once a connection was lost, calls first ping the server, and when a ping had no
// response, one call after the other does while the rest fail. It is safe for use by many goroutines.
type doubt struct {
	state  atomic.Int32
	pinged atomic.Int64 // when the last ping without a response ended, in Unix nanoseconds
	busy   atomic.Bool  // a call pings a server that did not respond
}

// The states of a server, as far as it is known.
const (
	responds int32 = iota
	mayBeAway
	isAway
)

// watch lets the pool report lost connections.
func (d *doubt) watch(config *pgxpool.Config) {
	config.BeforeClose = func(conn *pgx.Conn) {
		if conn.IsClosed() { // not by the pool
			d.state.CompareAndSwap(responds, mayBeAway)
		}
	}
}

// check returns an error if the server does not respond. It costs nothing while no connection is lost.
func (d *doubt) check(ctx context.Context, pool *pgxpool.Pool) error {
	switch d.state.Load() {
	case responds:
		return nil
	case isAway:
		if time.Since(time.Unix(0, d.pinged.Load())) < pingPause || !d.busy.CompareAndSwap(false, true) {
			return fmt.Errorf("the server did not respond a moment ago: %w", store.ErrUnavailable)
		}
		defer d.busy.Store(false)
		return d.ping(ctx, pool, pingTimeout)
	}
	return d.ping(ctx, pool, 0)
}

// ping pings the server, and waits for a free connection as long as patience says; 0 is no limit.
func (d *doubt) ping(ctx context.Context, pool *pgxpool.Pool, patience time.Duration) error {
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
		d.state.Store(responds)
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case waits.Err() != nil:
		d.pinged.Store(time.Now().UnixNano())
		d.state.Store(isAway)
	}
	return fmt.Errorf("the server does not respond: %w: %w", store.ErrUnavailable, err)
}
