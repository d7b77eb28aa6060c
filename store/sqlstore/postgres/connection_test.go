package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/trove-api/trove/store/sqlstore"
)

// terminate ends the connection of a transaction or a query, as a restarting server does.
func terminate(ctx context.Context, t *testing.T, pid int32) {
	t.Helper()
	if !one[bool](ctx, t, connectTo(t, server(t)), "SELECT pg_terminate_backend($1, 5000)", pid) {
		t.Fatal("there was no connection to end")
	}
}

func TestAPoolRecoversFromALostConnection(t *testing.T) {
	t.Parallel()
	direct(t)
	ctx, d := impatient(t), connected(t)
	pid := one[int32](ctx, t, d, "SELECT pg_backend_pid()")
	terminate(ctx, t, pid)
	_, err := d.Exec(ctx, "SELECT 1")
	if err == nil || d.Fault(err).Kind != sqlstore.UnavailableFault {
		t.Errorf("on the lost connection: %v", err)
	}
	if again := one[int32](ctx, t, d, "SELECT pg_backend_pid()"); again == pid {
		t.Error("the connection was not lost")
	}
}

func TestATransactionThatLosesItsConnectionSavesNothing(t *testing.T) {
	t.Parallel()
	ctx, d := impatient(t), connected(t, counters)
	tx := begin(ctx, t, d)
	exec(ctx, t, tx, "INSERT INTO counters VALUES (1, 10)")
	terminate(ctx, t, one[int32](ctx, t, tx, "SELECT pg_backend_pid()"))
	_, first := tx.Exec(ctx, "INSERT INTO counters VALUES (2, 20)")
	_, second := ask[int64](ctx, tx, "SELECT n FROM counters")
	for i, err := range []error{first, second, tx.Commit(ctx)} {
		if err == nil || d.Fault(err).Kind != sqlstore.UnavailableFault {
			t.Errorf("error %d: %v", i+1, err)
		}
	}
	if err := tx.Rollback(ctx); err != nil {
		t.Errorf("Rollback: %v", err)
	}
	if n := one[int64](ctx, t, d, "SELECT count(*) FROM counters"); n != 0 {
		t.Errorf("%d rows are saved", n)
	}
}

func TestACommitWithoutAConnectionIsUnavailable(t *testing.T) {
	t.Parallel()
	ctx, d := impatient(t), connected(t, counters)
	tx := begin(ctx, t, d)
	exec(ctx, t, tx, "INSERT INTO counters VALUES (1, 10)")
	terminate(ctx, t, one[int32](ctx, t, tx, "SELECT pg_backend_pid()"))
	if err := tx.Commit(ctx); err == nil || d.Fault(err).Kind != sqlstore.UnavailableFault {
		t.Errorf("Commit: %v", err)
	}
}

func TestARollbackWithoutAConnectionHasHappened(t *testing.T) {
	t.Parallel()
	ctx, d := impatient(t), connected(t)
	tx := begin(ctx, t, d)
	terminate(ctx, t, one[int32](ctx, t, tx, "SELECT pg_backend_pid()"))
	if err := tx.Rollback(ctx); err != nil {
		t.Errorf("Rollback: %v", err)
	}
}

func TestAConnectionThatIsLostAmidRows(t *testing.T) {
	t.Parallel()
	ctx, d := impatient(t), connected(t)
	rows, err := d.Query(ctx, "SELECT pg_backend_pid(), g, repeat('x', 1000) FROM generate_series(1, 1000000) g")
	if err != nil || !rows.Next() {
		t.Fatalf("no rows: %v", err)
	}
	var pid, n int32
	var text string
	if err := rows.Scan(&pid, &n, &text); err != nil || n != 1 {
		t.Fatalf("row %d: %v", n, err)
	}
	terminate(ctx, t, pid)
	for rows.Next() {
		n++
	}
	for _, err := range []error{rows.Err(), rows.Close()} {
		if err == nil || d.Fault(err).Kind != sqlstore.UnavailableFault {
			t.Errorf("after %d rows: %v", n, err)
		}
	}
	one[int32](ctx, t, d, "SELECT pg_backend_pid()")
}

func TestCancellingACallIsNoLostConnection(t *testing.T) {
	t.Parallel()
	ctx, d := impatient(t), connected(t)
	cancelled, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	_, err := ask[bool](cancelled, d, "SELECT true FROM pg_sleep(20)")
	if !errors.Is(err, context.DeadlineExceeded) || d.Fault(err) != (sqlstore.Fault{}) {
		t.Errorf("the error %v is %+v", err, d.Fault(err))
	}
	for name, call := range map[string]func() error{
		"Query": func() error { _, err := d.Query(cancelled, "SELECT 1"); return err },
		"Exec":  func() error { _, err := d.Exec(cancelled, "SELECT 1"); return err },
		"Begin": func() error { _, err := d.Begin(cancelled); return err },
	} {
		if err := call(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	one[int32](ctx, t, d, "SELECT pg_backend_pid()")
}

func TestATransactionThatIdledTooLongIsUnavailable(t *testing.T) {
	t.Parallel()
	ctx, d := impatient(t), connected(t)
	tx := begin(ctx, t, d)
	pid := one[int32](ctx, t, tx, "SELECT pg_backend_pid()")
	exec(ctx, t, tx, "SET LOCAL idle_in_transaction_session_timeout = '1ms'")
	for one[bool](ctx, t, d, "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1)", pid) {
		time.Sleep(time.Millisecond)
	}
	if _, err := tx.Exec(ctx, "SELECT 1"); err == nil || d.Fault(err).Kind != sqlstore.UnavailableFault {
		t.Errorf("Exec: %v", err)
	}
}
