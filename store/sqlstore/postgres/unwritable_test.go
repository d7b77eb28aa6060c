package postgres_test

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// filling is a database whose disk a test can fill: inserts, and new tables, then fail as PostgreSQL fails them.
type filling struct {
	t    *testing.T
	name string
	dsn  string
}

func newFilling(t *testing.T) filling {
	t.Helper()
	name := "trove_test_" + strings.ToLower(rand.Text())
	administer(t, server(t), "CREATE DATABASE "+name)
	t.Cleanup(func() { administer(t, server(t), "DROP DATABASE "+name+" WITH (FORCE)") })
	f := filling{t, name, with(server(t), "dbname", name)}
	const full = "AS $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$ LANGUAGE plpgsql"
	administer(t, f.dsn, "CREATE FUNCTION full_row() RETURNS trigger "+full, "CREATE FUNCTION full_disk() RETURNS event_trigger "+full)
	return f
}

func (f filling) rows(full bool) {
	f.t.Helper()
	if !full {
		administer(f.t, f.dsn, "DROP TRIGGER full_row ON counters")
		return
	}
	administer(f.t, f.dsn, "CREATE TRIGGER full_row BEFORE INSERT ON counters FOR EACH ROW EXECUTE FUNCTION full_row()")
}

func (f filling) disk(full bool) {
	f.t.Helper()
	if !full {
		administer(f.t, f.dsn, "DROP EVENT TRIGGER full_disk")
		return
	}
	administer(f.t, f.dsn, "CREATE EVENT TRIGGER full_disk ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS') EXECUTE FUNCTION full_disk()")
}

// served returns a function that requests counters, and returns the status and the header Retry-After.
func served(t *testing.T, s *sqlstore.Store[counter]) func(method, path, body string) (status int, retryAfter string) {
	t.Helper()
	api, err := resource.New(resource.Config{}, resource.Of[counter]{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	api.Router().Get("/readyz", api.Readyz)
	return func(method, path, body string) (int, string) {
		request := httptest.NewRequestWithContext(impatient(t), method, path, strings.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		response := httptest.NewRecorder()
		api.ServeHTTP(response, request)
		return response.Code, response.Header().Get("Retry-After")
	}
}

func TestAFullDiskIsUnavailableUntilThereIsSpace(t *testing.T) {
	t.Parallel()
	disk := newFilling(t)
	send := served(t, table[counter](t, open(t, disk.dsn)))
	expect := func(when, method, path string, want int) {
		t.Helper()
		status, retryAfter := send(method, path, `{"n":1}`)
		if status != want || (want == http.StatusServiceUnavailable) != (retryAfter == "1") {
			t.Errorf("%s: %s %s is %d with Retry-After %q, want %d", when, method, path, status, retryAfter, want)
		}
	}
	expect("with space", "POST", "/api/counters", 201)
	disk.rows(true)
	disk.disk(true)
	expect("before a write", "GET", "/readyz", 200)
	for range 2 {
		expect("on a full disk", "POST", "/api/counters", 503)
		expect("on a full disk", "GET", "/readyz", 503)
		expect("on a full disk", "GET", "/readyz", 503)
		expect("on a full disk", "GET", "/api/counters/1", 200)
	}
	disk.rows(false)
	expect("after no write", "GET", "/readyz", 503)
	disk.disk(false)
	expect("with space again", "GET", "/readyz", 200)
	expect("with space again", "POST", "/api/counters", 201)
}

func TestAWriteThatSucceedsEndsAnOutage(t *testing.T) {
	t.Parallel()
	ctx, disk := impatient(t), newFilling(t)
	db := open(t, disk.dsn)
	s := table[counter](t, db)
	record := &counter{}
	addTo(ctx, t, s, record)
	disk.rows(true)
	disk.disk(true)
	adding := func(ctx context.Context, tx store.Tx[counter]) error { return tx.Insert(ctx, &counter{}) }
	reading := func(ctx context.Context, tx store.Tx[counter]) error { _, err := tx.Get(ctx, record.ID); return err }
	if err := s.Transact(ctx, adding); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("on a full disk: %v", err)
	}
	if err := s.Transact(ctx, reading); err != nil {
		t.Error(err)
	}
	if err := s.PingWrites(ctx); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("after a transaction that only reads: %v", err)
	}
	if err := s.Transact(ctx, incrementing(record.ID)); err != nil { // fits into the page
		t.Error(err)
	}
	if err := s.PingWrites(ctx); err != nil {
		t.Errorf("after a write: %v", err)
	}
}

func TestAReadOnlyDatabaseIsUnavailableUntilItIsWritable(t *testing.T) {
	t.Parallel()
	disk := newFilling(t)
	set := func(value string) {
		administer(t, server(t), "ALTER DATABASE "+disk.name+" SET default_transaction_read_only = "+value,
			"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '"+disk.name+"'")
	}
	send := served(t, table[counter](t, open(t, disk.dsn)))
	until := func(method, path string, want int) {
		t.Helper()
		var status int
		for range 10 { // the connections of the pool were closed
			if status, _ = send(method, path, `{"n":1}`); status == want {
				return
			}
		}
		t.Errorf("%s %s is %d, want %d", method, path, status, want)
	}
	set("on")
	until("GET", "/api/counters", 200)
	for range 2 {
		for _, request := range [][2]string{{"POST", "/api/counters"}, {"GET", "/readyz"}} {
			if status, retryAfter := send(request[0], request[1], `{"n":1}`); status != 503 || retryAfter != "1" {
				t.Errorf("%v: %d with Retry-After %q", request, status, retryAfter)
			}
		}
	}
	set("off")
	until("GET", "/readyz", 200)
	until("POST", "/api/counters", 201)
}

// A role without the privilege cannot find out without a request.
func TestWithoutTemporaryTablesAStoreIsReadyAfterAFailedWrite(t *testing.T) {
	t.Parallel()
	direct(t)
	ctx, disk := impatient(t), newFilling(t)
	s := table[counter](t, open(t, disk.dsn))
	administer(t, disk.dsn, "REVOKE TEMPORARY ON DATABASE "+disk.name+" FROM PUBLIC", "CREATE ROLE "+disk.name+" LOGIN PASSWORD 'pass'",
		"GRANT ALL ON counters TO "+disk.name, "GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO "+disk.name)
	t.Cleanup(func() {
		administer(t, disk.dsn, "DROP OWNED BY "+disk.name+" CASCADE")
		administer(t, server(t), "DROP ROLE "+disk.name)
	})
	disk.rows(true)
	limited := sqlstore.Table[counter](open(t, with(with(disk.dsn, "user", disk.name), "password", "pass")))
	adding := func(ctx context.Context, tx store.Tx[counter]) error { return tx.Insert(ctx, &counter{}) }
	for range 2 {
		if err := limited.Transact(ctx, adding); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("a write: %v", err)
		}
		if err := limited.PingWrites(ctx); err != nil {
			t.Errorf("PingWrites: %v", err)
		}
	}
	if err := s.PingWrites(ctx); err != nil {
		t.Errorf("PingWrites of another program: %v", err)
	}
}

func TestAStatementThatTakesTooLongIsNoOutage(t *testing.T) {
	t.Parallel()
	ctx, disk := impatient(t), newFilling(t)
	db := open(t, disk.dsn)
	s := table[counter](t, db)
	disk.disk(true)
	err := db.Transact(ctx, func(ctx context.Context) error {
		e, _ := sqlstore.Tx(ctx)
		if _, err := e.Exec(ctx, "SET LOCAL statement_timeout = '10ms'"); err != nil {
			return err
		}
		_, err := e.Exec(ctx, "SELECT pg_sleep(20)")
		return err
	})
	if !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a statement that takes too long: %v", err)
	}
	if err := s.PingWrites(ctx); err != nil {
		t.Errorf("PingWrites: %v", err)
	}
}
