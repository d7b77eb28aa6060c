package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trove-api/trove/store"
)

// gate keeps requests that wait for a locked table from holding all connections. Reads and transactions take a place
// before they take a connection; there are as many places as connections. The last ones are lent: if the statement of a
// borrower takes long while requests of other tables wait, it is interrupted, and runs again in another place, as after a
// conflict. A transaction counts for the table whose records it changes, a read for that whose records it returns.
//
// Holders wait for no second place, except for functions in transactions that read outside of these. Such reads get one,
// because one place is never held by a transaction, and reads do not wait for others.
type gate struct {
	db                  *DB
	own, lent, forReads chan struct{} // contain the places that are taken; forReads is the one without transactions
	limit               time.Duration // for a place; 0 means no limit
	waits, waited       atomic.Int64
	plain               place // what all holders of own places share

	mu    sync.Mutex
	loans []*place
	slow  map[string]slowness // in which the requests of a table borrow nothing
}

// slowness is a time after an interruption. It doubles with each interruption that soon follows: one can be due to a busy machine.
type slowness struct {
	until time.Time
	lasts time.Duration
}

const (
	tooLong  = 250 * time.Millisecond // for a statement of a borrower while requests of other tables wait
	minPause = 500 * time.Millisecond // in which the requests of a table borrow nothing after an interruption
	maxPause = 5 * time.Second        // ... after several
)

// errInterrupted is the error of a request that lost its connection to requests of other tables.
var errInterrupted = fmt.Errorf("sqlstore: a statement took long, and others needed its connection: %w", store.ErrUnavailable)

// newGate returns the gate of a database with a limited number of connections, nil for others.
func newGate(db *DB) *gate {
	pooled, ok := db.driver.(interface{ Pool() (int, time.Duration) })
	if !ok {
		return nil
	}
	n, limit := pooled.Pool()
	lent := min(max(2, n/4), n-1)
	g := &gate{db: db, own: make(chan struct{}, n-lent), forReads: make(chan struct{}, min(lent, 1)), limit: limit, slow: map[string]slowness{}}
	g.lent, g.plain = make(chan struct{}, lent-cap(g.forReads)), place{gate: g, taken: g.own}
	return g
}

// place is a place of a gate. Only one that is lent has more than taken, protected by the mutex of the gate.
type place struct {
	gate         *gate
	taken        chan struct{}
	table        string
	began, since time.Time          // the request, and its current statement
	cancel       context.CancelFunc // ends the statement
	interrupted  bool
}

// enter waits for a place. An own one needs no lock and no allocation.
func (g *gate) enter(ctx context.Context, table string, writes bool) (*place, error) {
	select {
	case g.own <- struct{}{}:
		return &g.plain, nil
	default:
	}
	began, look := time.Now(), time.NewTicker(tooLong/5)
	defer func() {
		look.Stop()
		if waited := time.Since(began); waited > time.Millisecond {
			g.waits.Add(1)
			g.waited.Add(int64(waited))
		}
	}()
	for {
		lent, forReads := g.lentTo(table, writes)
		select {
		case g.own <- struct{}{}:
			return &g.plain, nil
		case lent <- struct{}{}:
			return g.lend(lent, table), nil
		case forReads <- struct{}{}:
			return g.lend(forReads, table), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		case now := <-look.C:
			if g.limit > 0 && now.Sub(began) > g.limit {
				return nil, fmt.Errorf("%w: waited %s for a connection; within a transaction, pass the context of its function to Transact",
					store.ErrUnavailable, g.limit)
			}
			if lent != nil {
				g.interruptFor(table, now)
			}
		}
	}
}

// lentTo returns the places that a request may borrow, nil for none.
func (g *gate) lentTo(table string, writes bool) (lent, forReads chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch slow, isSlow := g.slow[table]; {
	case isSlow && time.Now().Before(slow.until):
		return nil, nil
	case writes:
		return g.lent, nil
	}
	return g.lent, g.forReads
}

// lend records who has borrowed a place.
func (g *gate) lend(taken chan struct{}, table string) *place {
	p := &place{gate: g, taken: taken, table: table, began: time.Now(), cancel: func() {}}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.loans = append(g.loans, p)
	return p
}

// interruptFor interrupts borrowers for a request of a table. A transaction that did more before its statement goes on.
func (g *gate) interruptFor(table string, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, p := range g.loans {
		if p.table != table && !p.since.IsZero() && now.Sub(p.since) > max(tooLong, p.since.Sub(p.began)) {
			p.cancel()
			p.interrupted = true
			lasts, before := minPause, g.slow[p.table]
			if now.Before(before.until) {
				continue
			}
			if now.Sub(before.until) < maxPause {
				lasts = min(2*before.lasts, maxPause)
			}
			g.slow[p.table] = slowness{now.Add(lasts), lasts}
		}
	}
}

// statement returns the context of the next statement, and ends that of the last one.
func (p *place) statement(ctx context.Context) context.Context {
	if p == &p.gate.plain {
		return ctx
	}
	p.gate.mu.Lock()
	defer p.gate.mu.Unlock()
	p.cancel()
	ctx, p.cancel = context.WithCancel(ctx)
	p.since = time.Now()
	return ctx
}

// rest ends the statement, so that what the holder does next does not count as slow.
func (p *place) rest() {
	if p != nil && p != &p.gate.plain {
		p.gate.mu.Lock()
		defer p.gate.mu.Unlock()
		p.since = time.Time{}
	}
}

// placedRows are the rows of the current statement of a place.
type placedRows struct {
	Rows

	place *place
}

func (r placedRows) Close() error {
	defer r.place.rest()
	return r.Rows.Close()
}

// leave gives the place back, and reports whether its holder was interrupted.
func (p *place) leave() (interrupted bool) {
	if p != &p.gate.plain {
		p.gate.mu.Lock()
		defer p.gate.mu.Unlock()
		p.cancel()
		p.gate.loans = slices.DeleteFunc(p.gate.loans, func(other *place) bool { return other == p })
	}
	<-p.taken
	return p.interrupted
}

// read runs a function that reads outside of transactions.
func (g *gate) read(ctx context.Context, table string, read func(from querier) error) (err error) {
	at, err := g.enter(ctx, table, false)
	if err != nil {
		return err
	}
	defer func() {
		if at.leave() && err != nil {
			err = errInterrupted
		}
	}()
	return read(at)
}

// Query runs a statement that only reads.
func (p *place) Query(ctx context.Context, statement string, args ...any) (Rows, error) {
	return p.gate.db.query(p.statement(ctx), statement, args)
}

// enter returns the context of the next statement, or an error. Before the first one it waits for a place.
func (t *transaction) enter(ctx context.Context) (_ context.Context, err error) {
	if t.failed != nil || t.db.gate == nil {
		return ctx, t.failed
	}
	if t.place == nil {
		if t.place, err = t.db.gate.enter(ctx, t.table, true); err != nil {
			return nil, err
		}
	}
	return t.place.statement(ctx), nil
}
