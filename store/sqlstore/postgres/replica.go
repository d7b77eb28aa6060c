package postgres

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store/sqlstore"
)

// Option is an option of [Open].
type Option func(*options)

type options struct {
	replicas  []string
	staleness time.Duration
}

// staleness is how old the data of a replica can be.
const staleness = 10 * time.Second

// Replicas sets the DSNs of standby servers with streaming replication, from which requests can read. Default: none. Each DSN
// leads to one server, to the same database with the same search_path. A DSN with a pooler needs default_query_exec_mode. An
// invalid DSN is an error of Open; a server that does not respond is not. It is used when it does.
//
// Requests that only read (GET, HEAD, QUERY) read the stores of the database from one replica. Everything else uses the
// primary: transactions, jobs, agents, statements of [sqlstore.DB.Query], and what a request reads after any of these.
// Authentication does too, but not what follows it. If a replica fails, or a read waits there for 250 ms for a connection or a lock,
// the request reads again from the primary. The log of [slog.Default] says once why a replica fails.
//
// The data of a replica is at most 10 seconds old, else it is not used. The response to a write has a position, in the
// header field Trove-Position and in a cookie. A request that sends it back sees the write.
func Replicas(dsn ...string) Option {
	return func(o *options) { o.replicas = append(o.replicas, dsn...) }
}

// replicated is a driver with replicas. Its own statements run on the primary.
type replicated struct {
	*driver

	replicas  []*replica
	identity  string // of the database; replicas have the same
	id        string // the same in positions
	staleness time.Duration
	next      atomic.Uint32 // requests take turns with the replicas
	history   history

	stop    context.CancelFunc // ends the goroutines that watch the servers
	watches sync.WaitGroup
}

// replicate adds replicas to a driver. Their pools connect when they are used.
func replicate(ctx context.Context, d *driver, chosen options) (*replicated, error) {
	r := &replicated{driver: d, staleness: chosen.staleness}
	if err := d.pool.QueryRow(ctx, "SELECT "+identity).Scan(&r.identity); err != nil {
		return nil, err
	}
	r.id = fmt.Sprintf("%08X", crc32.ChecksumIEEE([]byte(r.identity)))
	d.isAlone, d.finish, d.ends = false, r.end, r.endBatch
	ctx, r.stop = context.WithCancel(context.WithoutCancel(ctx))
	for i, dsn := range chosen.replicas {
		config, err := pgxpool.ParseConfig(dsn)
		if err != nil {
			r.closeReplicas()
			return nil, fmt.Errorf("the DSN [%d] cannot be used: %w", i, withoutDSN(err))
		}
		limitConnecting(config, dsn)
		added := &replica{primary: r}
		config.AfterConnect = added.checkServer
		if added.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
			r.closeReplicas()
			return nil, err
		}
		r.replicas = append(r.replicas, added)
		r.watches.Go(func() { watchServer(ctx, config.ConnConfig, added.inspect, added.lose) })
	}
	r.watches.Go(func() { watchServer(ctx, d.pool.Config().ConnConfig, r.sample, func() {}) })
	return r, nil
}

// Close waits until all connections are free, and closes them.
func (d *replicated) Close() error {
	d.closeReplicas()
	return d.driver.Close()
}

func (d *replicated) closeReplicas() {
	d.stop()
	d.watches.Wait()
	for _, r := range d.replicas {
		r.pool.Close()
	}
}

// Replicas returns a driver whose queries run on replicas.
func (d *replicated) Replicas() (sqlstore.Driver, time.Duration) { return reader{d}, d.staleness }

type reader struct{ *replicated }

// Query runs a statement on the replica of the request.
func (r reader) Query(ctx context.Context, statement string, args ...any) (sqlstore.Rows, error) {
	route := txn.RouteOf(ctx)
	if chosen, ok := route.Choose(r.choose).(*replica); ok {
		return chosen.query(ctx, route, statement, args)
	}
	return nil, replicaError{errNoReplica} // it was usable a moment ago
}

// Roams reports whether a replica is usable for the next read of the request.
func (d *replicated) Roams(ctx context.Context) bool {
	return txn.RouteOf(ctx).Choose(d.choose) != nil
}

// choose returns the replica of the last read if it is still usable, for the first read the next one that is, else nil.
func (d *replicated) choose(last any, after string) any {
	first := 0
	if last == nil {
		first = int(d.next.Add(1))
	}
	for i := range d.replicas {
		r := d.replicas[(first+i)%len(d.replicas)]
		if (last == nil || last == any(r)) && r.isUsable(after) {
			return r
		}
	}
	return nil
}

// Exec runs a statement, and notes the position after it.
func (d *replicated) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	route := txn.RouteOf(ctx)
	route.Pin("", true)
	changed, err := d.driver.Exec(ctx, statement, args...)
	if reached := ""; err == nil && route != nil && d.pool.QueryRow(ctx, "SELECT "+position).Scan(&reached) == nil {
		route.Pin(d.id+reached, false)
	}
	return changed, err
}

// Begin begins a transaction.
func (d *replicated) Begin(ctx context.Context) (sqlstore.Transaction, error) {
	txn.RouteOf(ctx).Pin("", false)
	return d.driver.Begin(ctx)
}

// end commits a transaction or rolls it back, and notes the position in the same round trip: that of a read which sees all
// that the transaction wrote or found. In a failed transaction, the position cannot be prepared.
func (d *replicated) end(ctx context.Context, conn *pgxpool.Conn, statement string) (tag pgconn.CommandTag, err error) {
	results, err := conn.Conn().PgConn().Exec(ctx, statement+"; SELECT "+position).ReadAll()
	if err == nil {
		tag = results[0].CommandTag
		txn.RouteOf(ctx).Pin(d.id+string(results[1].Rows[0][0]), false)
	}
	return tag, err
}

// endBatch does the same at the end of a batch.
func (d *replicated) endBatch(ctx context.Context, batch *pgx.Batch) {
	batch.Queue(commit)
	batch.Queue("SELECT " + position).QueryRow(func(row pgx.Row) error {
		var reached string
		err := row.Scan(&reached)
		txn.RouteOf(ctx).Pin(d.id+reached, false)
		return err
	})
}

// Fault classifies an error. After any error of a replica, the request reads again.
func (d *replicated) Fault(err error) sqlstore.Fault {
	if _, ok := errors.AsType[replicaError](err); ok {
		return sqlstore.Fault{Kind: sqlstore.RetryFault}
	}
	return d.driver.Fault(err)
}

// Stats returns the numbers of the pool of the primary, and how many replicas can be used.
func (d *replicated) Stats() sqlstore.Stats {
	stats := d.driver.Stats()
	for _, r := range d.replicas {
		if r.isUsable("") {
			stats.Replicas++
		}
	}
	return stats
}
