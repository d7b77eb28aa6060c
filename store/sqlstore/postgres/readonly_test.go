package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
)

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
