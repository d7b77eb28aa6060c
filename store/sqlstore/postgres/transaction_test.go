package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

const counters = "CREATE TABLE counters (id bigint PRIMARY KEY, n bigint NOT NULL)"

func TestCommitSavesAndRollbackDrops(t *testing.T) {
	t.Parallel()
	ctx, d := impatient(t), connected(t, counters)
	saved := begin(ctx, t, d)
	exec(ctx, t, saved, "INSERT INTO counters VALUES (1, 10)")
	if n := one[int64](ctx, t, d, "SELECT count(*) FROM counters"); n != 0 {
		t.Errorf("%d rows are seen before the commit", n)
	}
	if err := errors.Join(saved.Commit(ctx), saved.Rollback(ctx)); err != nil {
		t.Error(err)
	}
	dropped := begin(ctx, t, d)
	exec(ctx, t, dropped, "INSERT INTO counters VALUES (2, 20)")
	if err := errors.Join(dropped.Rollback(ctx), dropped.Rollback(ctx)); err != nil {
		t.Error(err)
	}
	if n := one[int64](ctx, t, d, "SELECT sum(n)::bigint FROM counters"); n != 10 {
		t.Errorf("the sum is %d, want 10", n)
	}
}

func TestARollbackNeedsNoLivingContext(t *testing.T) {
	t.Parallel()
	ctx, d := impatient(t), connected(t, counters, "INSERT INTO counters VALUES (1, 10)")
	cancelled, cancel := context.WithCancel(ctx)
	tx := begin(ctx, t, d)
	pid := one[int32](ctx, t, tx, "SELECT pg_backend_pid()")
	exec(ctx, t, tx, "UPDATE counters SET n = 11")
	cancel()
	if err := tx.Rollback(cancelled); err != nil {
		t.Error(err)
	}
	if again := one[int32](ctx, t, d, "SELECT pg_backend_pid()"); again != pid {
		t.Error("the connection was given up")
	}
	if n := exec(ctx, t, d, "UPDATE counters SET n = n + 1"); n != 1 {
		t.Errorf("%d rows changed", n)
	}
}

func TestAfterAnErrorATransactionGoesOnSayingIt(t *testing.T) {
	t.Parallel()
	ctx, d := impatient(t), connected(t, counters)
	tx := begin(ctx, t, d)
	exec(ctx, t, tx, "INSERT INTO counters VALUES (1, 10)")
	_, first := ask[int64](ctx, tx, "INSERT INTO counters VALUES (1, 20) RETURNING id")
	_, second := tx.Exec(ctx, "INSERT INTO counters VALUES (2, 20)")
	_, third := ask[int64](ctx, tx, "SELECT n FROM counters")
	for i, err := range []error{first, second, third, tx.Commit(ctx)} {
		if got := d.Fault(err); got.Kind != sqlstore.UniqueFault || got.Constraint != "counters_pkey" {
			t.Errorf("error %d, %v: %+v", i+1, err, got)
		}
	}
	if n := one[int64](ctx, t, d, "SELECT count(*) FROM counters"); n != 0 {
		t.Errorf("%d rows are saved", n)
	}
}

func TestASavepointEndsAnError(t *testing.T) {
	t.Parallel()
	ctx, d := impatient(t), connected(t, counters)
	tx := begin(ctx, t, d)
	exec(ctx, t, tx, "SAVEPOINT before")
	if _, err := tx.Exec(ctx, "INSERT INTO counters VALUES ('one', 1)"); d.Fault(err).Kind != sqlstore.CheckFault {
		t.Errorf("the first error: %v", err)
	}
	exec(ctx, t, tx, "ROLLBACK TO before")
	exec(ctx, t, tx, "INSERT INTO counters VALUES (1, 10)")
	_, duplicate := tx.Exec(ctx, "INSERT INTO counters VALUES (1, 20)")
	_, after := tx.Exec(ctx, "SELECT 1")
	for _, err := range []error{duplicate, after, tx.Commit(ctx)} {
		if d.Fault(err).Kind != sqlstore.UniqueFault {
			t.Errorf("the second error: %v", err)
		}
	}
}

func TestACommitCanBeTheOneToFail(t *testing.T) {
	t.Parallel()
	ctx, d := impatient(t), connected(t, "CREATE TABLE seats (id bigint, CONSTRAINT one_each UNIQUE (id) DEFERRABLE INITIALLY DEFERRED)")
	tx := begin(ctx, t, d)
	exec(ctx, t, tx, "INSERT INTO seats VALUES (1), (1)")
	err := tx.Commit(ctx)
	if got := d.Fault(err); got != (sqlstore.Fault{Kind: sqlstore.UniqueFault, Constraint: "one_each"}) {
		t.Errorf("Commit: %v is %+v", err, got)
	}
	if n := one[int64](ctx, t, d, "SELECT count(*) FROM seats"); n != 0 {
		t.Errorf("%d rows are saved", n)
	}
}

func TestSerializableTransactionsThatConflictAreRunAgain(t *testing.T) {
	t.Parallel()
	dsn := schema(t)
	administer(t, dsn, counters, "INSERT INTO counters VALUES (1, 10), (2, 20)")
	ctx, d := impatient(t), connectTo(t, set(t, dsn, "default_transaction_isolation", "serializable"))
	one, two := begin(ctx, t, d), begin(ctx, t, d)
	for tx, change := range map[sqlstore.Transaction]string{
		one: "INSERT INTO counters SELECT 3, sum(n) FROM counters",
		two: "INSERT INTO counters SELECT 4, sum(n) FROM counters",
	} {
		exec(ctx, t, tx, change)
	}
	if err := one.Commit(ctx); err != nil {
		t.Error(err)
	}
	if err := two.Commit(ctx); d.Fault(err).Kind != sqlstore.RetryFault {
		t.Errorf("Commit: %v", err)
	}
}

func TestADeadlockIsRunAgain(t *testing.T) {
	t.Parallel()
	ctx, d := impatient(t), connected(t, counters, "INSERT INTO counters VALUES (1, 10), (2, 20)")
	update := func(tx sqlstore.Transaction, id int64) error {
		_, err := tx.Exec(ctx, "UPDATE counters SET n = n + 1 WHERE id = $1", id)
		return err
	}
	one, two := begin(ctx, t, d), begin(ctx, t, d)
	if err := errors.Join(update(one, 1), update(two, 2)); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		err := update(one, 2)
		ended <- errors.Join(err, one.Rollback(ctx))
	}()
	err := update(two, 1)
	for _, err := range []error{err, two.Rollback(ctx), <-ended} {
		if err != nil && d.Fault(err).Kind != sqlstore.RetryFault {
			t.Errorf("neither a success nor a deadlock: %v", err)
		}
	}
}

func TestWaitingForARowEndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, d := impatient(t), connected(t, counters, "INSERT INTO counters VALUES (1, 10)")
	holder, waiter := begin(ctx, t, d), begin(ctx, t, d)
	exec(ctx, t, holder, "UPDATE counters SET n = 11")
	short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	_, err := ask[int64](short, waiter, "SELECT n FROM counters FOR UPDATE")
	_, after := waiter.Exec(ctx, "SELECT 1")
	for _, err := range []error{err, after, waiter.Commit(ctx)} {
		if !errors.Is(err, context.DeadlineExceeded) || d.Fault(err) != (sqlstore.Fault{}) {
			t.Errorf("the error %v is %+v", err, d.Fault(err))
		}
	}
	if err := errors.Join(waiter.Rollback(short), holder.Commit(ctx)); err != nil {
		t.Error(err)
	}
	if n := one[int64](ctx, t, d, "SELECT n FROM counters"); n != 11 {
		t.Errorf("n is %d, want 11", n)
	}
}

// modes are the modes in which pgx sends statements.
var modes = []string{"cache_statement", "cache_describe", "describe_exec", "exec", "simple_protocol"}

func TestABrokenStatementIsNoFaultToRunAgain(t *testing.T) {
	t.Parallel()
	for _, mode := range modes {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			ctx, d := impatient(t), connectTo(t, with(server(t), "default_query_exec_mode", mode))
			_, err := d.Exec(ctx, "SELEKT 1")
			if refused, ok := errors.AsType[*pgconn.PgError](err); !ok || refused.Code != "42601" || d.Fault(err) != (sqlstore.Fault{}) {
				t.Errorf("Exec: %v is %+v", err, d.Fault(err))
			}
			_, err = ask[int64](ctx, d, "SELECT nothing FROM nowhere") // some modes return the error with the rows
			if refused, ok := errors.AsType[*pgconn.PgError](err); !ok || refused.Code != "42P01" || d.Fault(err) != (sqlstore.Fault{}) {
				t.Errorf("Query: %v is %+v", err, d.Fault(err))
			}
		})
	}
}

func TestATransactionWithoutAStatementNeedsNoConnection(t *testing.T) {
	t.Parallel()
	ctx, d := impatient(t), connectTo(t, with(server(t), "pool_max_conns", "1"))
	held := begin(ctx, t, d)
	exec(ctx, t, held, "SELECT 1")
	for _, end := range []func(sqlstore.Transaction) error{
		func(tx sqlstore.Transaction) error { return tx.Commit(ctx) },
		func(tx sqlstore.Transaction) error { return tx.Rollback(ctx) },
	} {
		if err := end(begin(ctx, t, d)); err != nil {
			t.Error(err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	tx := begin(ctx, t, d)
	cancel()
	if err := tx.Commit(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("Commit: %v", err)
	}
}

func TestAFirstStatementThatFailsGivesItsConnectionBack(t *testing.T) {
	t.Parallel()
	dsn := schema(t)
	administer(t, dsn, counters, "INSERT INTO counters VALUES (1, 10)")
	for _, mode := range modes {
		t.Run(mode, func(t *testing.T) {
			failFirst(impatient(t), t, connectTo(t, with(with(dsn, "pool_max_conns", "1"), "default_query_exec_mode", mode)))
		})
	}
}

// failFirst runs transactions whose first statement fails, on the only connection.
func failFirst(ctx context.Context, t *testing.T, d sqlstore.Driver) {
	t.Helper()
	for statement, want := range map[string]sqlstore.FaultKind{
		"INSERT INTO counters VALUES (1, 20) RETURNING n": sqlstore.UniqueFault,
		"SELECT 1 / (n - 10) FROM counters":               0,
		"SELECT n FROM nowhere":                           0,
		"SELEKT n":                                        0,
	} {
		for _, run := range []func(sqlstore.Transaction) error{
			func(tx sqlstore.Transaction) error { _, err := tx.Exec(ctx, statement); return err },
			func(tx sqlstore.Transaction) error { _, err := ask[int64](ctx, tx, statement); return err },
		} {
			tx := begin(ctx, t, d)
			first := run(tx)
			_, second := tx.Exec(ctx, "SELECT 1")
			for i, err := range []error{first, second, tx.Commit(ctx)} {
				if d.Fault(err).Kind != want || !errors.Is(err, first) || err == nil {
					t.Errorf("%s: error %d: %v", statement, i+1, err)
				}
			}
			if err := tx.Rollback(ctx); err != nil {
				t.Errorf("%s: Rollback: %v", statement, err)
			}
			if n := one[int64](ctx, t, d, "SELECT n FROM counters"); n != 10 {
				t.Errorf("%s: n is %d", statement, n)
			}
		}
	}
}

func TestTheFirstStatementIsOfTheTransaction(t *testing.T) {
	t.Parallel()
	ctx, d := impatient(t), connected(t, counters)
	tx := begin(ctx, t, d)
	if n := one[int64](ctx, t, tx, "INSERT INTO counters VALUES (1, 10) RETURNING n"); n != 10 {
		t.Errorf("n is %d", n)
	}
	if n := one[int64](ctx, t, tx, "SELECT n FROM counters"); n != 10 {
		t.Errorf("n is %d", n)
	}
	if err := tx.Rollback(ctx); err != nil {
		t.Error(err)
	}
	if n := one[int64](ctx, t, d, "SELECT count(*) FROM counters"); n != 0 {
		t.Errorf("%d rows are saved", n)
	}
}

// waitingCommits makes each commit of an insert into counters wait while the caller holds the returned advisory lock.
func waitingCommits(t *testing.T, dsn string) (lock string) {
	t.Helper()
	lock = fmt.Sprintf("%d, %d", rand.Int32(), rand.Int32())
	administer(t, dsn,
		"CREATE FUNCTION waits() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock("+lock+"); RETURN NULL; END'",
		"CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON counters DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION waits()")
	return lock
}

func TestAChangeIsReportedThoughItsClientLeavesDuringTheCommit(t *testing.T) {
	t.Parallel()
	dsn := schema(t)
	ctx, db := impatient(t), open(t, dsn)
	s := table[counter](t, db)
	lock := waitingCommits(t, dsn)
	reports := 0
	s.Report(&store.Listener{Committed: func(context.Context, []store.Change) { reports++ }})

	holder := begin(ctx, t, connectTo(t, dsn))
	exec(ctx, t, holder, "SELECT pg_advisory_xact_lock("+lock+")")
	leaving, leave := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- s.Transact(leaving, inserting(&counter{})) }()
	awaitLock(ctx, t, db, lock)
	leave()
	if err := holder.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	err := <-ended
	if n := one[int64](ctx, t, db, "SELECT count(*) FROM counters"); err != nil || n != 1 || reports != 1 {
		t.Errorf("the client left during the commit: %d records are saved, %d reported, and Transact returns %v", n, reports, err)
	}
}

// awaitLock waits until a transaction waits for an advisory lock.
func awaitLock(ctx context.Context, t *testing.T, db *sqlstore.DB, lock string) {
	t.Helper()
	for waiting := false; !waiting; time.Sleep(time.Millisecond) {
		waiting = one[bool](ctx, t, db, "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"+
			" AND (classid, objid) = ("+lock+"))")
	}
}

// noted returns a function that inserts a counter, and a note with its own statement.
func noted(t *testing.T, ending error) func(context.Context, store.Tx[counter]) error {
	t.Helper()
	return func(ctx context.Context, tx store.Tx[counter]) error {
		record := &counter{}
		if err := tx.Insert(ctx, record); err != nil {
			return err
		}
		executor, ok := sqlstore.Tx(ctx)
		if !ok {
			t.Error("no transaction in the context")
			return ending
		}
		exec(ctx, t, executor, "INSERT INTO notes SELECT max(id) FROM counters")
		return ending
	}
}

func TestStatementsOfAHookAreSavedWithTheRecord(t *testing.T) {
	t.Parallel()
	dsn := schema(t)
	administer(t, dsn, "CREATE TABLE notes (counter bigint)")
	ctx, db := impatient(t), open(t, dsn)
	s := table[counter](t, db)
	refused := errors.New("refused")
	if err := s.Transact(ctx, noted(t, refused)); !errors.Is(err, refused) {
		t.Errorf("Transact: %v", err)
	}
	if n := one[int64](ctx, t, db, "SELECT (SELECT count(*) FROM notes) + (SELECT count(*) FROM counters)"); n != 0 {
		t.Errorf("%d rows are saved", n)
	}
	if err := s.Transact(ctx, noted(t, nil)); err != nil {
		t.Error(err)
	}
	if n := one[int64](ctx, t, db, "SELECT count(*) FROM notes JOIN counters ON counter = id"); n != 1 {
		t.Errorf("%d notes are saved with their record", n)
	}
}

func TestAHookRunsAgainAfterAConflict(t *testing.T) {
	t.Parallel()
	ctx, db := impatient(t), open(t, set(t, schema(t), "default_transaction_isolation", "serializable"))
	s := table[counter](t, db)
	runs := 0
	err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[counter]) error {
		runs++
		executor, _ := sqlstore.Tx(ctx)
		n := one[int64](ctx, t, executor, "SELECT count(*) FROM counters")
		if runs == 1 { // another transaction decides on the same rows first
			if err := s.Transact(impatient(t), countingIn); err != nil {
				return err
			}
		}
		return tx.Insert(ctx, &counter{N: int(n)})
	})
	if err != nil || runs != 2 {
		t.Fatalf("after %d runs: %v", runs, err)
	}
	page, err := s.List(ctx, store.Query{Order: []store.Order{{Field: "n"}}})
	if err != nil || len(page.Items) != 2 || page.Items[0].N != 0 || page.Items[1].N != 1 {
		t.Errorf("%+v, %v: both counted the same", page.Items, err)
	}
}

// countingIn inserts a record with the number of existing ones.
func countingIn(ctx context.Context, tx store.Tx[counter]) error {
	executor, _ := sqlstore.Tx(ctx)
	n, err := ask[int64](ctx, executor, "SELECT count(*) FROM counters")
	if err != nil {
		return err
	}
	return tx.Insert(ctx, &counter{N: int(n)})
}

func TestAHookThatHidesAnErrorOfTheDatabaseSavesNothing(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), table[counter](t, open(t, schema(t)))
	err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[counter]) error {
		first := tx.Insert(ctx, &counter{Name: new("a")})
		second := tx.Insert(ctx, &counter{Name: new("a")})
		if first != nil || !errors.Is(second, store.UniqueError{Field: "name"}) {
			t.Errorf("Insert: %v, %v", first, second)
		}
		return nil
	})
	if !errors.Is(err, store.ErrConflict) {
		t.Errorf("Transact: %v", err)
	}
	if page, err := s.List(ctx, store.Query{}); err != nil || len(page.Items) != 0 {
		t.Errorf("%d records, %v", len(page.Items), err)
	}
}
