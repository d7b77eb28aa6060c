package postgres

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store/sqlstore"
)

// These are expressions.
const (
	// position is that of the primary, in the order of strings: the timeline, which a promotion increments, and the clock.
	// Clients do not get a position in the log, because it would show how much others write.
	position = "left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || " +
		"upper(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint), 16, '0'))"
	// identity is equal on a primary and its standbys, if statements find the same tables.
	identity = "(SELECT system_identifier FROM pg_control_system()) || ' ' || current_database() || ' ' || current_setting('search_path')"
	// started differs between servers, and changes with a restart.
	started = "extract(epoch FROM pg_postmaster_start_time())::text"
)

// idLength is the length of what begins a position and is equal until a promotion: the id of the database and the timeline.
const idLength = 16

// history has what the primary had written at some times, the oldest first. It is safe for concurrent use.
type history struct {
	mu    sync.Mutex
	list  []sample
	era   int         // counts after what no earlier sample counts
	write atomic.Bool // before the next sample, so that replicas have something to replay
}

// sample is what the primary had written at a time.
type sample struct {
	at       time.Time // before the others
	position string
	end      int64 // of the log
}

// add adds a sample, and removes old ones. After a promotion, or if the clock was set back, it removes all.
func (h *history) add(s sample, keep time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n := len(h.list); n > 0 && (h.list[n-1].position > s.position || h.list[n-1].position[:idLength] != s.position[:idLength]) {
		h.list, h.era = nil, h.era+1
	}
	for len(h.list) > 0 && s.at.Sub(h.list[0].at) > keep {
		h.list = h.list[1:]
	}
	h.list = append(h.list, s)
}

// replayed returns the current era, and the last sample of an era whose end is between base and end; nil for none.
func (h *history) replayed(era int, base, end int64) (last *sample, now int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.list {
		if s := h.list[i]; era == h.era && s.end > base && s.end <= end {
			last = &s
		}
	}
	return last, h.era
}

// watchEvery is how often servers are examined.
const watchEvery = 250 * time.Millisecond

// watchServer examines a server with a connection of its own until ctx ends. It calls lose after an error, and logs the first one.
func watchServer(ctx context.Context, config *pgx.ConnConfig, examine func(context.Context, *pgx.Conn) error, lose func()) {
	lost := false
	for conn := (*pgx.Conn)(nil); ctx.Err() == nil || conn != nil; {
		pause, err := watchEvery, error(nil)
		if conn == nil {
			conn, err = pgx.ConnectConfig(ctx, config) // limited by connect_timeout
		}
		limited, cancel := context.WithTimeout(ctx, txn.PingTimeout)
		if err == nil {
			err = examine(limited, conn)
		}
		if err != nil && ctx.Err() == nil && !lost {
			slog.WarnContext(ctx, "a replica or its primary fails", "host", config.Host, "port", config.Port, "error", err.Error())
		}
		if lost = err != nil; lost {
			pause = 4 * watchEvery
			if lose(); conn != nil {
				_ = conn.Close(limited)
				conn = nil
			}
		}
		cancel()
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// sample adds a sample of the primary. The columns are computed in their order.
func (d *replicated) sample(ctx context.Context, conn *pgx.Conn) error {
	if d.history.write.Swap(false) {
		if _, err := conn.Exec(ctx, "SELECT txid_current()"); err != nil {
			d.history.write.Store(true)
			return err
		}
	}
	s := sample{at: time.Now()}
	err := conn.QueryRow(ctx, "SELECT $1 || "+position+", (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint", d.id).Scan(&s.position, &s.end)
	if err == nil {
		d.history.add(s, d.staleness)
	}
	return err
}

// replica is a server that requests can read from.
type replica struct {
	primary *replicated
	pool    *pgxpool.Pool
	state   atomic.Pointer[state] // nil if it is not usable

	// Only the goroutine that watches it uses these.
	conn  *pgx.Conn // of the last inspection; nil if that failed
	era   int
	base  int64           // what it had received of the log when it was found, in the era
	lives context.Context //nolint:containedctx // of the statements that run there
	kill  context.CancelFunc
}

// state is what a replica has replayed. It never changes.
type state struct {
	*sample

	started string
	lives   context.Context //nolint:containedctx // ends with the connection of its inspections
}

// isUsable reports whether the replica is not too old, and has reached a position, "" for any. No replica reaches a position
// of another database, or any other text.
func (r *replica) isUsable(after string) bool {
	s := r.state.Load()
	return s != nil && time.Since(s.at) < r.primary.staleness &&
		(after == "" || after <= s.position && strings.HasPrefix(after, r.primary.id))
}

// inspect finds out what the replica has replayed. A standby may have more of the old log than the one that was promoted: its
// position in the log is then ahead, but never moves again. So only what it replays after it was found counts.
func (r *replica) inspect(ctx context.Context, conn *pgx.Conn) error {
	const question = "SELECT pg_is_in_recovery(), " + started + ", " + identity + ", coalesce((pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint, 0), " +
		"coalesce((greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'::pg_lsn)::bigint, 0)"
	var isStandby bool
	var began, found string
	var end, received int64
	if err := conn.QueryRow(ctx, question).Scan(&isStandby, &began, &found, &end, &received); err != nil {
		return err
	}
	if !isStandby || found != r.primary.identity {
		return errNoReplica
	}
	last, era := r.primary.history.replayed(r.era, r.base, end)
	switch {
	case conn != r.conn:
		r.lives, r.kill = context.WithCancel(context.Background())
		fallthrough
	case era != r.era:
		r.state.Store(nil)
		r.conn, r.era, r.base = conn, era, received
		r.primary.history.write.Store(true)
	case last != nil:
		r.state.Store(&state{last, began, r.lives})
	}
	return nil
}

// lose ends the use of the replica, also by statements that run there.
func (r *replica) lose() {
	if r.state.Store(nil); r.conn != nil {
		r.kill()
		r.conn = nil
	}
}

// patience is how long a read waits for a connection or a lock of a replica, before it reads from the primary.
const patience = 250 * time.Millisecond

// checkServer rejects a new connection to another server than the one that is inspected. It limits the wait for locks, unless
// a pooler would give the session to other programs.
func (r *replica) checkServer(ctx context.Context, conn *pgx.Conn) error {
	const question = "SELECT " + started + ", CASE WHEN pg_backend_pid() = $1 THEN set_config('lock_timeout', $2, false) END"
	var found string
	err := conn.QueryRow(ctx, question, int64(conn.PgConn().PID()), patience.String()).Scan(&found, nil)
	if s := r.state.Load(); err == nil && (s == nil || s.started != found) {
		err = errNoReplica
	}
	return err
}

var errNoReplica = errors.New("the server is not a standby of the primary with the same database and search_path, or has restarted")

// query runs a statement of a request.
func (r *replica) query(ctx context.Context, route *txn.Route, statement string, args []any) (sqlstore.Rows, error) {
	s := r.state.Load()
	if s == nil {
		return nil, replicaError{errNoReplica}
	}
	running, cancel := context.WithCancel(ctx)
	q := &replicaRows{rows: new(rows), ctx: ctx, replica: r, state: s, route: route, cancel: cancel, keep: context.AfterFunc(s.lives, cancel)}
	waiting, stop := context.WithTimeout(running, patience)
	defer stop()
	var err error
	if q.conn, err = r.pool.Acquire(waiting); err == nil {
		q.Rows, err = q.conn.Query(running, statement, args...)
	}
	if err != nil {
		q.end()
		return nil, q.explain(err)
	}
	return q, nil
}

// replicaRows are the rows of a statement that runs on a replica.
type replicaRows struct {
	*rows

	conn    *pgxpool.Conn
	ctx     context.Context //nolint:containedctx // of the statement, until its rows are closed
	replica *replica
	state   *state // when the statement began
	route   *txn.Route
	cancel  func()
	keep    func() bool // keeps the end of the replica from cancelling
}

func (r *replicaRows) Err() error { return r.explain(r.rows.Err()) }

func (r *replicaRows) Close() error {
	err := r.rows.Close()
	r.end()
	return r.explain(err)
}

func (r *replicaRows) end() {
	r.keep()
	if r.cancel(); r.conn != nil {
		r.conn.Release()
	}
}

// explain makes an error one of the replica, so that the request reads again from the primary.
func (r *replicaRows) explain(err error) error {
	if err == nil || r.ctx.Err() != nil {
		return err
	}
	r.route.Pin("", false)
	if isLost(err) || errors.Is(err, errNoReplica) {
		r.replica.state.CompareAndSwap(r.state, nil) // until the next inspection
	}
	return replicaError{err}
}

// replicaError is an error of a replica.
type replicaError struct{ error }

func (e replicaError) Unwrap() error { return e.error }
