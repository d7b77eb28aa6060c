package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
)

func TestErrorsOfTheServerAreFaults(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]sqlstore.FaultKind{
		"23505": sqlstore.UniqueFault,
		"23P01": sqlstore.UniqueFault, // exclusion violation
		"23503": sqlstore.ForeignKeyFault,
		"23001": sqlstore.ForeignKeyFault, // restrict violation
		"23514": sqlstore.CheckFault,
		"23502": 0,                   // not null violation: no client causes it
		"22001": sqlstore.CheckFault, // a text that is too long for its column
		"22003": sqlstore.CheckFault, // a number that is too large for it
		"22007": sqlstore.CheckFault, // no time
		"22008": sqlstore.CheckFault, // a time that is too late
		"22021": sqlstore.CheckFault, // NUL
		"22P02": sqlstore.CheckFault, // no value of an enumeration
		"22012": 0,                   // division by zero
		"40001": sqlstore.RetryFault,
		"40P01": sqlstore.RetryFault,
		"42P07": sqlstore.RetryFault,       // duplicate table
		"42710": sqlstore.RetryFault,       // duplicate object
		"08000": sqlstore.UnavailableFault, // connection exception
		"08006": sqlstore.UnavailableFault, // connection failure
		"08P01": sqlstore.UnavailableFault, // protocol violation, which PgBouncer sends for lost servers
		"53300": sqlstore.UnavailableFault, // too many connections
		"55P03": sqlstore.UnavailableFault, // lock not available
		"57P01": sqlstore.UnavailableFault, // admin shutdown
		"57P02": sqlstore.UnavailableFault, // crash shutdown
		"57P03": sqlstore.UnavailableFault, // cannot connect now
		"57014": sqlstore.UnavailableFault, // query canceled, by statement_timeout too
		"25006": sqlstore.UnwritableFault,  // read only transaction
		"53100": sqlstore.UnwritableFault,  // disk full
		"53200": sqlstore.UnwritableFault,  // out of memory
		"58030": sqlstore.UnwritableFault,  // input or output error
		"0A000": 0,                         // feature not supported
		"42P01": 0,                         // undefined table
		"40003": 0,                         // statement completion unknown: it may have been saved
		"25P02": 0,                         // in failed transaction
		"":      0,
	} {
		err := fmt.Errorf("a statement: %w", &pgconn.PgError{Severity: "ERROR", SeverityUnlocalized: "ERROR", Code: code})
		if got := postgres.FaultOf(err); got != (sqlstore.Fault{Kind: want}) {
			t.Errorf("%s: %+v, want the kind %d", code, got, want)
		}
	}
}

func TestAStatementIsPreparedAgainWhenTheColumnsOfItsTableHaveChanged(t *testing.T) {
	t.Parallel()
	ctx, dsn := impatient(t), schema(t)
	administer(t, dsn, "CREATE TABLE things (n bigint)", "INSERT INTO things VALUES (1)")
	d := connectTo(t, dsn)
	read := func() error { _, err := ask[int64](ctx, d, "SELECT n FROM things WHERE n < $1", 7); return err }
	if err := read(); err != nil {
		t.Fatal(err)
	}
	administer(t, dsn, "ALTER TABLE things ALTER n TYPE integer")
	if err := read(); err != nil && d.Fault(err).Kind != sqlstore.RetryFault { // a pooler prepares nothing
		t.Errorf("%v", err)
	}
	if err := read(); err != nil {
		t.Errorf("once more: %v", err)
	}
}

func TestAFaultNamesTheConstraint(t *testing.T) {
	t.Parallel()
	got := postgres.FaultOf(&pgconn.PgError{Code: "23505", ConstraintName: "books_isbn_key", ColumnName: "isbn"})
	want := sqlstore.Fault{Kind: sqlstore.UniqueFault, Constraint: "books_isbn_key"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnErrorThatEndsTheConnectionIsUnavailable(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]*pgconn.PgError{
		"fatal":                    {SeverityUnlocalized: "FATAL", Code: "25P03"},
		"fatal in other words":     {Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: "XX000"},
		"panic":                    {SeverityUnlocalized: "PANIC", Code: "XX000"},
		"fatal, in German":         {Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: "57P05"},
		"shut down as for a query": {Severity: "ERROR", SeverityUnlocalized: "ERROR", Code: "57P01"},
	} {
		if got := postgres.FaultOf(err).Kind; got != sqlstore.UnavailableFault {
			t.Errorf("%s: the kind %d", name, got)
		}
	}
}

func TestALostConnectionIsUnavailable(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"reset":           &net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ECONNRESET)},
		"broken pipe":     &net.OpError{Op: "write", Err: os.NewSyscallError("write", syscall.EPIPE)},
		"timed out":       &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded},
		"ended":           fmt.Errorf("receive message failed: %w", io.EOF),
		"ended too early": fmt.Errorf("receive message failed: %w", io.ErrUnexpectedEOF),
		"closed":          fmt.Errorf("exec: %w", pgconn.ErrConnClosed),
		"no such host":    &net.DNSError{Err: "no such host", Name: "nowhere.invalid", IsNotFound: true},
	} {
		if got := postgres.FaultOf(err); got != (sqlstore.Fault{Kind: sqlstore.UnavailableFault}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestOtherErrorsAreNotFaults(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"no error":           nil,
		"a cancelled caller": fmt.Errorf("timeout: %w", context.Canceled),
		"a late caller":      fmt.Errorf("timeout: %w", context.DeadlineExceeded),
		"no rows":            pgx.ErrNoRows,
		"an ended one":       pgx.ErrTxClosed,
		"any other":          errors.New("any other"),
	} {
		if got := postgres.FaultOf(err); got != (sqlstore.Fault{}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestAConnectionThatCannotBeMadeIsUnavailable(t *testing.T) {
	t.Parallel()
	_, err := postgres.Connect(t.Context(), silent(t)+"?connect_timeout=1")
	if got := postgres.FaultOf(err).Kind; err == nil || got != sqlstore.UnavailableFault {
		t.Errorf("a server that sends nothing: %v has kind %d", err, got)
	}
	_, err = postgres.Connect(t.Context(), absent(t))
	if got := postgres.FaultOf(err).Kind; err == nil || got != sqlstore.UnavailableFault {
		t.Errorf("a server that is not running: %v has kind %d", err, got)
	}
}

// silent returns the DSN of a server that accepts connections and sends nothing.
func silent(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return "postgres://ada:s3cret@" + listener.Addr().String() + "/books"
}

// absent returns the DSN of a server that is not running.
func absent(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dsn := "postgres://ada:s3cret@" + listener.Addr().String() + "/books"
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	return dsn
}
