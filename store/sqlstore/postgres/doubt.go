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
	// pingTimeout limits how long a server takes to respond to a ping before its connection is closed.
	pingTimeout = 2 * time.Second
	// doubtFor is how long after a ping that failed calls fail without another.
	doubtFor = time.Second
)

// doubt lets calls fail soon while a server does not respond. A pooler accepts connections and
// statements while its server is away, and lets them wait. So after a connection was lost, the
// next call first pings the server. It is safe for use by many goroutines.
type doubt struct {
	lost   atomic.Bool  // a connection was lost since the last ping
	failed atomic.Int64 // when a ping failed, in Unix nanoseconds
}

// watch lets the pool tell of its connections.
func (d *doubt) watch(config *pgxpool.Config) {
	config.PrepareConn, config.BeforeClose = d.check, func(conn *pgx.Conn) {
		if conn.IsClosed() { // not by the pool
			d.lost.Store(true)
		}
	}
}

// check reports whether a connection can stay in the pool, and returns an error if its server does
// not respond.
func (d *doubt) check(ctx context.Context, conn *pgx.Conn) (keep bool, err error) {
	if !d.lost.Load() {
		return true, nil
	}
	if time.Since(time.Unix(0, d.failed.Load())) < doubtFor {
		return true, fmt.Errorf("%w: the server did not respond a moment ago", store.ErrUnavailable)
	}
	limited, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	if err := conn.Ping(limited); err != nil {
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		d.failed.Store(time.Now().UnixNano())
		return false, fmt.Errorf("%w: the server does not respond: %w", store.ErrUnavailable, err)
	}
	d.lost.Store(false)
	return true, nil
}
