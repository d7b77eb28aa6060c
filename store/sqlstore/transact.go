package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store"
)

// transaction is one transaction of a database. It is not safe for concurrent use.
type transaction struct {
	Transaction

	db      *DB
	reading sync.Mutex // lets a function read in several goroutines, one after the other
	failed  error      // the error that prevents the commit, even if the function returns nil
	ended   bool       // by a commit or a rollback
	parts   int        // how many calls that have joined it run
	ending  bool       // the next write of a record is the last thing that it does
	saved   bool       // its last statement has committed it

	table       string // that it is about, "" if it may be about any
	place       *place // of the gate; nil before the first statement, and after the end
	interrupted bool   // by the gate

	responded bool   // has stored responses
	wrote     bool   // has changed a row through a store
	changes   *noted // nil without listeners and logs
	depth     int    // how many parts run, each within the one before it, and can be undone
	// overtaken reports that an insert found a record that an earlier read did not, because another transaction has
	// saved it meanwhile, or that a delete found a new reference whose record another transaction has locked.
	overtaken bool
}

// transactionKey is the context key of the transaction of a database.
type transactionKey struct{ db *DB }

// anyTransactionKey is the context key of the innermost transaction.
type anyTransactionKey struct{}

// Tx returns an executor that runs statements in the transaction of a hook, processor or handler, and reports whether
// there is one. Its changes are saved with the record, or not at all. The hook may run again after a conflict. The
// executor is valid until the hook returns.
func Tx(ctx context.Context) (Executor, bool) {
	t, ok := ctx.Value(anyTransactionKey{}).(*transaction)
	return t, ok
}

// reads runs a function that reads: in the transaction of the context, so that it sees what the transaction wrote, or
// outside of transactions, again after a conflict. A hook may read why a write has failed: its transaction is rolled back
// then, and gives its connection back before the read takes one.
func (p *plan) reads(ctx context.Context, read func(from querier) error) error {
	if p.err != nil {
		return p.err
	}
	db := p.db
	if t, ok := ctx.Value(transactionKey{db}).(*transaction); ok {
		t.reading.Lock()
		defer t.reading.Unlock()
		if t.failed == nil && !t.saved { // after a conflict the transaction runs again
			return read(t.locking(p, txn.LockOf(ctx)))
		}
		if t.depth > 0 {
			if err := t.undo(ctx); err != nil {
				return err
			}
			return read(t.Transaction)
		}
		t.rollback(ctx)
	}
	return db.retried(ctx, func() error {
		switch {
		case db.replicas != nil && db.roams(ctx):
			return read(onReplicas{db})
		case db.gate != nil:
			return db.gate.read(ctx, p.name, read)
		}
		return read(db)
	})
}

// locking returns what reads rows of a table and locks them until the transaction ends. The role may be unable to lock rows
// that it cannot change, so rows of other programs are not shared.
func (t *transaction) locking(p *plan, lock txn.Lock) querier {
	switch facts := &t.db.dialect.facts; {
	case !facts.RowLocks:
	case lock == txn.Exclusive:
		return locking{t, p, t.db.dialect.forChange()}
	case lock == txn.Shared && !p.existing:
		return locking{t, p, " " + facts.ForShare}
	}
	return t
}

// locking locks the rows of a table that it reads.
type locking struct {
	*transaction

	plan *plan
	lock string // the end of a SELECT
}

// Query runs a statement that returns rows. It runs it twice for a table with lists, which one statement would see in their
// state before it waited for the lock.
func (l locking) Query(ctx context.Context, statement string, args ...any) (Rows, error) {
	statement += l.lock
	if l.plan.lists != nil {
		if _, err := l.db.first(ctx, l.transaction, statement, args); err != nil {
			return nil, err
		}
	}
	return l.transaction.Query(ctx, statement, args...)
}

// rollback ends the transaction, unless it has ended, and leaves its place.
func (t *transaction) rollback(ctx context.Context) {
	if !t.ended {
		t.ended = true
		_ = t.Rollback(context.WithoutCancel(ctx)) // a lost connection has rolled back
	}
	if t.place != nil {
		t.interrupted, t.place = t.place.leave(), nil
	}
}

// noted are the changes of a transaction.
type noted struct {
	txn.Changes

	listens bool                // listeners get the changes of all tables
	logs    map[logName]entryOf // of the tables whose changes are logged; never changed
}

// has reports whether changes of a table's records are noted.
func (n *noted) has(p *plan) bool {
	return n != nil && (n.listens || n.logs[logName{p.name, p.typ}] != nil)
}

// Query runs a statement in the transaction.
func (t *transaction) Query(ctx context.Context, statement string, args ...any) (Rows, error) {
	running, err := t.enter(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := t.Transaction.Query(running, statement, args...)
	if err == nil && t.place != nil && t.place != &t.place.gate.plain {
		return placedRows{rows, t.place}, nil
	}
	t.place.rest()
	return rows, t.db.explain(ctx, err)
}

// Exec runs a statement in the transaction.
func (t *transaction) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	running, err := t.enter(ctx)
	if err != nil {
		return 0, err
	}
	changed, err := t.Transaction.Exec(running, statement, args...)
	t.place.rest()
	return changed, t.db.explain(ctx, err)
}

var (
	errEnded    = errors.New("sqlstore: the transaction has ended")
	errPanicked = errors.New("sqlstore: a function within the transaction panicked")
)

const (
	// attempts is the maximum number of runs of a transaction with conflicts.
	attempts = 10
	// pause is the maximum wait before the second run; it doubles with each further run.
	pause = 4 * time.Millisecond
)

// transact runs fn in the transaction of the context, or in a new one that runs again after a conflict. Table is the name of
// the table that it is about, "" if it may be about any.
func (db *DB) transact(ctx context.Context, table string, fn func(context.Context, *transaction) error) error {
	if outer, ok := ctx.Value(transactionKey{db}).(*transaction); ok {
		return outer.join(ctx, fn)
	}
	db.mu.Lock()
	listeners, logs := db.listeners, db.logs // the elements never change
	db.mu.Unlock()
	changes, err := db.begin(ctx, table, fn, noted{listens: listeners != nil, logs: logs})
	if err != nil || listeners == nil {
		return err
	}
	if all := db.seen(changes); len(all) > 0 {
		for _, listener := range listeners {
			listener.Committed(ctx, all)
		}
	}
	return nil
}

// begin runs fn in a new transaction, which runs again after a conflict. It returns the changes of the tables that
// an empty noted has, nil if it has none.
func (db *DB) begin(ctx context.Context, table string, fn func(context.Context, *transaction) error, empty noted) (*noted, error) {
	guard, err := txn.Enter(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %w", err)
	}
	defer guard.Leave()
	for attempt := 1; ; attempt++ {
		var changes *noted
		if empty.listens || empty.logs != nil {
			changes = new(empty)
		}
		t := &transaction{db: db, table: table, changes: changes}
		err := t.attempt(ctx, fn)
		switch {
		case err == nil:
			return changes, nil
		case t.saved: // so it must not run again
			return nil, err
		case t.overtaken && attempt < attempts:
			db.retries.Add(1)
			continue
		}
		if err = db.again(ctx, attempt, err); err != nil {
			return nil, err
		}
	}
}

// retried runs a function outside of transactions, again after a conflict.
func (db *DB) retried(ctx context.Context, run func() error) error {
	for attempt := 1; ; attempt++ {
		err := run()
		if err == nil {
			return nil
		}
		if err = db.again(ctx, attempt, err); err != nil {
			return err
		}
	}
}

// again waits before the next run and returns nil. It returns err if it is not a conflict, or if this was the last
// attempt.
func (db *DB) again(ctx context.Context, attempt int, err error) error {
	if attempt == attempts || db.driver.Fault(err).Kind != RetryFault && !errors.Is(err, errInterrupted) {
		return err
	}
	if err := sleep(ctx, rand.N(pause<<attempt)); err != nil { //nolint:gosec // spreads attempts; not a secret
		return err
	}
	db.retries.Add(1)
	return nil
}

// sleep waits, unless the context ends.
func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// attempt begins the transaction, runs fn in it, and commits it.
func (t *transaction) attempt(ctx context.Context, fn func(context.Context, *transaction) error) (err error) {
	db := t.db
	if t.Transaction, err = db.runs.Begin(ctx); err != nil {
		return db.explain(ctx, err)
	}
	defer func() {
		t.reading.Lock()
		defer t.reading.Unlock()
		t.failed = errEnded
		t.rollback(ctx)
		if t.interrupted && err != nil && !errors.Is(err, store.ErrUnavailable) { // else it may have been saved
			err = errInterrupted
		}
	}()
	inner := context.WithValue(context.WithValue(ctx, transactionKey{db}, t), anyTransactionKey{}, t)
	if err = fn(inner, t); err == nil && t.changes != nil && t.changes.logs != nil {
		err = t.log(inner)
	}
	switch {
	case err != nil:
		return err
	case t.saved:
		return nil
	case t.failed != nil:
		return t.failed
	case ctx.Err() != nil:
		return ctx.Err()
	}
	ctx = context.WithoutCancel(ctx) // a commit that is cancelled on its way may succeed, and would not be reported
	if err := t.Commit(ctx); err != nil {
		return db.explain(ctx, err)
	}
	t.ended = true
	if t.wrote {
		db.outage.begun.Store(false)
	}
	if t.responded {
		db.responses.sweep(ctx)
	}
	return nil
}

// write runs the statement of a write, and reports whether it has returned a row, which scan reads. By commits with it, nil
// for a statement that is not the last one.
func (t *transaction) write(ctx context.Context, by Finisher, statement string, args []any, scan func(rows Rows) error) (found bool, err error) {
	running, err := t.enter(ctx)
	if err != nil {
		return false, err
	}
	defer t.place.rest()
	var rows Rows
	if by == nil {
		rows, err = t.Transaction.Query(running, statement, args...)
	} else {
		rows, err = by.Last(running, statement, args...)
		ctx = context.WithoutCancel(ctx) // what has happened counts
	}
	if err != nil {
		return false, t.db.explain(ctx, err)
	}
	if found = rows.Next(); found {
		t.wrote = true
		err = scan(rows)
	}
	if err = t.db.finish(ctx, rows, err); err == nil && by != nil {
		t.saved, t.ended = true, true
		t.db.outage.begun.Store(false)
	}
	return found, err
}

// join runs fn as part of the transaction, which fails if fn fails.
func (t *transaction) join(ctx context.Context, fn func(context.Context, *transaction) error) error {
	if t.failed != nil {
		return t.failed
	}
	err := errPanicked
	t.parts++
	defer func() {
		t.parts--
		if err != nil && t.failed == nil {
			t.failed = err
		}
	}()
	if late := ctx.Err(); late != nil {
		err = late
	} else if err = fn(ctx, t); err == nil {
		err = t.failed
	}
	return err
}

// Nest runs a part of the context's transaction, and undoes it if run returns false.
func (r records) Nest(ctx context.Context, run func() (keeps bool)) error {
	t, ok := ctx.Value(transactionKey{r.db}).(*transaction)
	if !ok {
		return errors.New("sqlstore: there is no transaction to nest in")
	}
	if _, err := t.Exec(ctx, "SAVEPOINT "+savepoint(t.depth+1)); err != nil {
		return err
	}
	changes := t.changes
	if t.depth++; changes != nil {
		t.changes = &noted{listens: changes.listens, logs: changes.logs}
	}
	keeps := run()
	part := t.changes
	t.changes = changes
	defer func() { t.depth-- }()
	switch {
	case t.failed != nil && (keeps || t.isOver()):
		return t.failed
	case ctx.Err() != nil:
		return ctx.Err()
	case !keeps:
		t.failed = nil
		if err := t.undo(ctx); err != nil {
			return err
		}
	case changes != nil:
		changes.NoteAll(&part.Changes)
	}
	_, err := t.Exec(ctx, "RELEASE SAVEPOINT "+savepoint(t.depth))
	return err
}

// undo undoes what has happened since the innermost part began.
func (t *transaction) undo(ctx context.Context) error {
	_, err := t.Transaction.Exec(ctx, "ROLLBACK TO SAVEPOINT "+savepoint(t.depth))
	return t.db.explain(ctx, err)
}

// savepoint returns the name of the beginning of a part. In some databases a second one with the name replaces the first.
func savepoint(part int) string { return "trove_part_" + strconv.Itoa(part) }

// isOver reports whether the transaction cannot continue after its error, but may run again.
func (t *transaction) isOver() bool {
	switch t.db.driver.Fault(t.failed).Kind {
	case RetryFault, UnavailableFault, UnwritableFault:
		return true
	}
	return t.ended || t.overtaken
}

// Transact runs fn in a transaction. If ctx carries one of this database, fn joins it. Everything that stores of the
// database do with the context passed to fn is saved together, or not at all. After a conflict with another transaction
// fn runs again, as in [Store.Transact].
func (db *DB) Transact(ctx context.Context, fn func(ctx context.Context) error) error {
	if err := db.ready(); err != nil {
		return err
	}
	return db.transact(ctx, "", func(ctx context.Context, _ *transaction) error { return fn(ctx) })
}
