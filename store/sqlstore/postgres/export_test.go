package postgres

import (
	"context"
	"time"

	"github.com/trove-api/trove/store/sqlstore"
)

// Connect returns the driver of what [Open] opens.
func Connect(ctx context.Context, dsn string) (sqlstore.Driver, error) {
	d, err := connect(ctx, dsn)
	if err != nil {
		return nil, err
	}
	return d, nil
}

// FaultOf classifies an error.
func FaultOf(err error) sqlstore.Fault { return faultOf(err) }

// Doubts reports whether a driver knows of a lost connection.
func Doubts(d sqlstore.Driver) bool {
	own, ok := d.(*driver)
	return ok && own.breaker.Doubts()
}

// Probe is what [sqlstore.Store.PingWrites] runs in doubt.
const Probe = probe

// Staleness sets how old the data of replicas can be.
func Staleness(most time.Duration) Option { return func(o *options) { o.staleness = most } }
