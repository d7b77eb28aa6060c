package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
)

func TestAnInvalidDSNIsReportedWithoutThePassword(t *testing.T) {
	t.Parallel()
	for dsn, want := range map[string]string{
		"postgres://ada:s3cret@localhost:port/books":                             "invalid port",
		"postgres://ada:s3cret@localhost/books?sslmode=perhaps":                  "sslmode",
		"postgres://ada:s3cret@localhost/books?pool_max_conns=many":              "pool_max_conns",
		"postgres://ada:s3cret@localhost/books?pool_max_conns=0":                 "pool_max_conns too small",
		"postgres://ada:s3cret@localhost/books?default_query_exec_mode=none":     "default_query_exec_mode",
		"postgres://ada:s3cret@localhost/books?connect_timeout=soon":             "connect_timeout",
		"host=localhost password=s3cret connect_timeout=soon":                    "connect_timeout",
		"host=localhost password='s3cret' target_session_attrs=none":             "target_session_attrs",
		"postgres://ada:s3cret%zz@localhost/books":                               "percent-encoded",
		"postgres://ada:pa/s3cret@localhost/books":                               "invalid port",
		"postgres://ada:`:s3cret@localhost/books?connect_timeout=soon":           "connect_timeout",
		"postgres://ada@localhost/books?connect_timeout=soon&password=`:+s3cret": "connect_timeout",
		"host=localhost password='s3cret":                                        "dbname=database",
		"s3cret":                                                                 "use postgres://",
	} {
		_, err := postgres.Connect(t.Context(), dsn)
		if err == nil {
			t.Errorf("%s: no error", dsn)
			continue
		}
		text := err.Error()
		if !strings.HasPrefix(text, "store/sqlstore/postgres: the DSN cannot be used: ") || !strings.Contains(text, want) {
			t.Errorf("%s: %s", dsn, text)
		}
		if strings.Contains(text, "s3cret") {
			t.Errorf("the error contains the password: %s", text)
		}
	}
}

func FuzzErrorsOfADSNContainNoPassword(f *testing.F) {
	for _, seed := range []string{"postgres://ada:%s@localhost:x", "password=%s host", "postgres://a:%s?b@c", "postgres://[%s", "%s"} {
		f.Add(strings.Split(seed, "%s")[0], strings.Split(seed, "%s")[1])
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		const password = "correcthorsebattery"
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // a valid DSN is not connected to
		dsn := before + password + after
		if read, err := pgconn.ParseConfig(dsn); err == nil && !strings.Contains(read.Password, password) {
			return // it is another part of the DSN, such as the host, which errors contain
		}
		_, err := postgres.Connect(ctx, dsn)
		if err == nil {
			t.Fatal("a connection without a server")
		}
		if !errors.Is(err, context.Canceled) && strings.Contains(err.Error(), password) {
			t.Errorf("%q and %q: %v", before, after, err)
		}
	})
}

func TestAnUnreachableServerIsReportedWithoutThePassword(t *testing.T) {
	t.Parallel()
	dsn := absent(t)
	_, err := postgres.Connect(t.Context(), dsn)
	if err == nil {
		t.Fatal("no error")
	}
	_, address, _ := strings.Cut(strings.TrimSuffix(dsn, "/books"), "@")
	for _, want := range []string{"store/sqlstore/postgres: cannot connect: ", "user=ada", "database=books", address} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: no mention of %s", err, want)
		}
	}
	if strings.Contains(err.Error(), "s3cret") {
		t.Errorf("the error contains the password: %v", err)
	}
}

func TestConnectingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := postgres.Connect(ctx, silent(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Open: %v", err)
	}
}

func TestARejectedConnectionIsReportedWithoutThePassword(t *testing.T) {
	t.Parallel()
	direct(t)
	dsn := server(t)
	for name, test := range map[string]struct{ dsn, want string }{
		"another password": {with(dsn, "password", "s3cret"), "28P01"},
		"another database": {with(dsn, "dbname", "nowhere"), "3D000"},
	} {
		_, err := postgres.Connect(t.Context(), test.dsn)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

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

// readOnly makes new sessions of a role read-only, or not.
func readOnly(t *testing.T, role, value string) {
	t.Helper()
	administer(t, server(t), "ALTER ROLE "+role+" SET default_transaction_read_only = "+value)
}

// role creates a new role, and returns a DSN with which it uses a schema.
func role(t *testing.T) (name, dsn string) {
	t.Helper()
	direct(t)
	dsn = schema(t)
	name = one[string](t.Context(), t, connectTo(t, dsn), "SELECT current_schema()")
	administer(t, dsn, "CREATE ROLE "+name+" LOGIN PASSWORD 'pass'", "GRANT ALL ON SCHEMA "+name+" TO "+name)
	t.Cleanup(func() { administer(t, server(t), "DROP OWNED BY "+name+" CASCADE", "DROP ROLE "+name) })
	return name, with(with(dsn, "user", name), "password", "pass")
}

func TestAServerThatOnlyReadsIsUnavailableAndItsConnectionIsDropped(t *testing.T) {
	t.Parallel()
	ctx := impatient(t)
	name, dsn := role(t)
	db := open(t, with(dsn, "pool_max_conns", "2"))
	s := table[counter](t, db)
	record := &counter{}
	addTo(ctx, t, s, record)
	readOnly(t, name, "on")
	if _, err := db.Exec(ctx, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = current_user AND pid <> pg_backend_pid()"); err != nil {
		t.Fatal(err)
	}
	_, _ = db.Exec(ctx, "SELECT pg_terminate_backend(pg_backend_pid())") // new connections are read-only
	for range 2 {
		if err := eventually(func() error { return s.Transact(ctx, incrementing(record.ID)) }); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("a write: %v", err)
		}
	}
	if err := s.PingWrites(ctx); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("PingWrites: %v", err)
	}
	if err := s.Ping(ctx); err != nil {
		t.Errorf("Ping: %v", err)
	}
	if _, err := s.Get(ctx, record.ID); err != nil {
		t.Errorf("a read: %v", err)
	}
	readOnly(t, name, "off") // each write finds at most one read-only connection, and drops it
	_, outside := db.Exec(ctx, "UPDATE counters SET n = n")
	inside := s.Transact(ctx, incrementing(record.ID))
	for _, err := range []error{outside, inside} {
		if err != nil && !errors.Is(err, store.ErrUnavailable) {
			t.Error(err)
		}
	}
	if err := errors.Join(s.PingWrites(ctx), s.Transact(ctx, incrementing(record.ID))); err != nil {
		t.Errorf("with a server that writes again: %v", err)
	}
}

// eventually calls a function again while its error is that of a lost connection.
func eventually(call func() error) (err error) {
	for range 3 {
		if err = call(); err == nil {
			return nil
		}
	}
	return err
}

func TestAStatementThatTakesTooLongIsUnavailable(t *testing.T) {
	t.Parallel()
	ctx := impatient(t)
	db := open(t, set(t, schema(t), "statement_timeout", "50ms"))
	if _, err := db.Exec(ctx, "SELECT pg_sleep(20)"); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("Exec: %v", err)
	}
	if _, err := db.Exec(ctx, "SELECT 1"); err != nil {
		t.Errorf("the next statement: %v", err)
	}
}

func TestConnectingHasALimit(t *testing.T) {
	t.Parallel()
	patient := impatient(t)
	_, err := postgres.Connect(patient, silent(t))
	if err == nil || postgres.FaultOf(err).Kind != sqlstore.UnavailableFault || patient.Err() != nil {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := postgres.Connect(ctx, silent(t)+"?connect_timeout=0"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("with a limit of none: %v", err)
	}
}

func TestThroughAPoolerNoStatementHasAName(t *testing.T) {
	t.Parallel()
	dsn := with(schema(t), "pool_max_conns", "8")
	ctx, s := impatient(t), table[counter](t, open(t, dsn))
	errs := together(16, func(worker int) error {
		for round := range 20 {
			record := &counter{Name: new(fmt.Sprintf("%d-%d", worker, round))}
			err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[counter]) error {
				if err := tx.Insert(ctx, record); err != nil {
					return err
				}
				record.N++
				return tx.Update(ctx, record.ID, record)
			})
			if err == nil {
				_, err = s.Get(ctx, record.ID)
			}
			if err == nil {
				_, err = s.List(ctx, store.Query{Order: []store.Order{{Field: "name"}}, Limit: 2 + worker%3, Count: round%2 == 0})
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	d := connectTo(t, dsn)
	for range 3 { // pgx prepares each new statement
		one[int64](ctx, t, d, "SELECT count(*) FROM counters WHERE n = $1", 1)
	}
	if prepared := one[int64](ctx, t, d, "SELECT count(*) FROM pg_prepared_statements"); (prepared == 0) != pooled() {
		t.Errorf("%d statements are prepared; through a pooler: %v", prepared, pooled())
	}
}

func TestTheModeThatADSNChoosesStays(t *testing.T) {
	t.Parallel()
	direct(t)
	ctx, d := impatient(t), connectTo(t, with(server(t), "default_query_exec_mode", "exec"))
	one[int64](ctx, t, d, "SELECT count(*) FROM pg_class WHERE relname = $1", "x")
	if prepared := one[int64](ctx, t, d, "SELECT count(*) FROM pg_prepared_statements"); prepared != 0 {
		t.Errorf("%d statements are prepared", prepared)
	}
}

func TestNoTransactionWaitsForALockWithoutALimit(t *testing.T) {
	t.Parallel()
	ctx := impatient(t)
	shown := func(dsn string) string {
		return one[string](ctx, t, begin(ctx, t, connectTo(t, dsn)), "SELECT current_setting('lock_timeout')")
	}
	if limit := shown(schema(t)); limit != "10s" {
		t.Errorf("the default limit is %s", limit)
	}
	if limit := shown(set(t, schema(t), "lock_timeout", "3min")); limit != "3min" {
		t.Errorf("the limit that is set is %s", limit)
	}
	if !pooled() {
		if limit := shown(with(server(t), "lock_timeout", "0")); limit != "0" {
			t.Errorf("a limit that is switched off is %s", limit)
		}
	}
	s := table[counter](t, open(t, set(t, schema(t), "lock_timeout", "20ms")))
	record := &counter{}
	addTo(ctx, t, s, record)
	err := s.Transact(ctx, func(inner context.Context, tx store.Tx[counter]) error {
		if err := incrementing(record.ID)(inner, tx); err != nil {
			return err
		}
		if err := s.Transact(ctx, incrementing(record.ID)); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("a record that another transaction holds: %v", err)
		}
		return nil
	})
	if found, getting := s.Get(ctx, record.ID); err != nil || getting != nil || found.N != 1 {
		t.Errorf("%+v (%v, %v)", found, err, getting)
	}
}

func TestNoTransactionWaitsForATurnWithoutALimit(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), table[counter](t, open(t, with(set(t, schema(t), "lock_timeout", "20ms"), "pool_max_conns", "2")))
	err := s.Transact(ctx, func(inner context.Context, tx store.Tx[counter]) error {
		if err := tx.Insert(inner, &counter{}); err != nil {
			return err
		}
		err := s.Transact(ctx, inserting(&counter{}))
		if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "pass the context of its function") {
			t.Errorf("the turn of another one: %v", err)
		}
		return nil
	})
	if page, listing := s.List(ctx, store.Query{}); err != nil || listing != nil || len(page.Items) != 1 {
		t.Errorf("%d records (%v, %v)", len(page.Items), err, listing)
	}
}
