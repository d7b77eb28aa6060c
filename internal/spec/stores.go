package spec

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/mysql"
	"github.com/trove-api/trove/store/sqlstore/postgres"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// Stores opens a new store of each sort, those of PostgreSQL and MariaDB where there is a server.
func Stores[T any](t *testing.T) map[string]store.Store[T] {
	t.Helper()
	light, err := sqlite.Open(filepath.Join(t.TempDir(), "alike.db"))
	if err != nil {
		t.Fatal(err)
	}
	opened := map[string]*sqlstore.DB{"SQLite": light}
	if dsn := os.Getenv("TROVE_TEST_POSTGRES"); dsn != "" {
		if opened["PostgreSQL"], err = postgres.Open(t.Context(), dsn); err != nil {
			t.Fatal(err)
		}
	}
	if dsn := os.Getenv("TROVE_TEST_MYSQL"); dsn != "" {
		if opened["MariaDB"], err = mysql.Open(t.Context(), dsn); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string]store.Store[T]{"memory": memory.New[T]()}
	for name, db := range opened {
		table := "alike_" + strings.ToLower(rand.Text())
		made := sqlstore.Table[T](db, sqlstore.Named(table))
		if err := db.Create(t.Context(), made); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			drop := "DROP TABLE " + table
			switch name { // tables of its lists refer to it
			case "PostgreSQL":
				drop += " CASCADE"
			case "MariaDB":
				drop = "SET STATEMENT foreign_key_checks = 0 FOR " + drop
			}
			_, err := db.Exec(context.Background(), drop)
			if err := errors.Join(err, db.Close()); err != nil {
				t.Error(err)
			}
		})
		all[name] = made
	}
	return all
}

// Alike runs a test on a resource of T in each store.
func Alike[T any](t *testing.T, declared resource.Of[T], check func(c Client)) {
	t.Helper()
	declared.ShortName = "Thing"
	for name, s := range Stores[T](t) {
		t.Run(name, func(t *testing.T) {
			declared.Store = s
			check(NewClient(t, resource.Config{}, declared))
		})
	}
}

// Inn is a record that the databases of the tests have.
type Inn struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// Databases opens a new database of each sort, those of PostgreSQL and MariaDB where there is a server.
func Databases(t *testing.T) map[string]func(t *testing.T) *sqlstore.DB {
	t.Helper()
	all := map[string]func(t *testing.T) *sqlstore.DB{"SQLite": func(t *testing.T) *sqlstore.DB {
		t.Helper()
		db, err := sqlite.Open(filepath.Join(t.TempDir(), "hostels.db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return db
	}}
	if dsn := os.Getenv("TROVE_TEST_POSTGRES"); dsn != "" {
		all["PostgreSQL"] = func(t *testing.T) *sqlstore.DB {
			t.Helper()
			db, _ := OpenSchema(t, dsn)
			return db
		}
	}
	if dsn := os.Getenv("TROVE_TEST_MYSQL"); dsn != "" {
		all["MariaDB"] = func(t *testing.T) *sqlstore.DB {
			t.Helper()
			return OpenMariaDB(t, dsn, 1)[0]
		}
	}
	return all
}

// Pairs opens each sort of database twice, as two processes have it: they share only the data.
func Pairs(t *testing.T) map[string]func(t *testing.T) [2]*sqlstore.DB {
	t.Helper()
	all := map[string]func(t *testing.T) [2]*sqlstore.DB{"SQLite": func(t *testing.T) (both [2]*sqlstore.DB) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "pair.db")
		for i := range both {
			db, err := sqlite.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			both[i] = db
		}
		return both
	}}
	if dsn := os.Getenv("TROVE_TEST_POSTGRES"); dsn != "" {
		all["PostgreSQL"] = func(t *testing.T) [2]*sqlstore.DB {
			t.Helper()
			one, inSchema := OpenSchema(t, dsn)
			other, err := postgres.Open(t.Context(), inSchema)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = other.Close() })
			return [2]*sqlstore.DB{one, other}
		}
	}
	if dsn := os.Getenv("TROVE_TEST_MYSQL"); dsn != "" {
		all["MariaDB"] = func(t *testing.T) [2]*sqlstore.DB {
			t.Helper()
			return [2]*sqlstore.DB(OpenMariaDB(t, dsn, 2))
		}
	}
	return all
}

// OpenMariaDB opens a new database of a server some times. It is dropped with the test.
func OpenMariaDB(t *testing.T, dsn string, times int) (opened []*sqlstore.DB) {
	t.Helper()
	name := "hostels_" + strings.ToLower(rand.Text())
	first, err := mysql.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Exec(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, err := first.Exec(context.Background(), "DROP DATABASE "+name)
		if err := errors.Join(err, first.Close()); err != nil {
			t.Error(err)
		}
	})
	within, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	within.Path = "/" + name
	for range times {
		db, err := mysql.Open(t.Context(), within.String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		opened = append(opened, db)
	}
	return opened
}

// OpenSchema opens a database in a new schema, which is dropped with the test. It also returns the connection string.
func OpenSchema(t *testing.T, dsn string) (db *sqlstore.DB, inSchema string) {
	t.Helper()
	schema := "hostels_" + strings.ToLower(rand.Text())
	first, err := postgres.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Exec(t.Context(), "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	separator := "?"
	if strings.Contains(dsn, "?") {
		separator = "&"
	}
	inSchema = dsn + separator + "search_path=" + schema
	if db, err = postgres.Open(t.Context(), inSchema); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, err := first.Exec(context.Background(), "DROP SCHEMA "+schema+" CASCADE")
		if err := errors.Join(err, db.Close(), first.Close()); err != nil {
			t.Error(err)
		}
	})
	return db, inSchema
}

// InEachStore runs a test on each sort of store.
func InEachStore[T any](t *testing.T, run func(t *testing.T, records store.Store[T])) {
	t.Helper()
	for name, records := range Stores[T](t) {
		t.Run(name, func(t *testing.T) { run(t, records) })
	}
}

// Repeated returns a function that sends a request without allocating, and a pointer to the status of the response.
func Repeated(t testing.TB, request, body string) (send func(http.Handler), status *int) {
	t.Helper()
	method, target, _ := strings.Cut(request, " ")
	content := strings.NewReader(body)
	pattern, err := http.NewRequestWithContext(t.Context(), method, target, io.NopCloser(content))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		pattern.Header.Set("Content-Type", "application/json")
	}
	pattern.ContentLength = int64(len(body))
	again, w := new(http.Request), &QuietWriter{header: http.Header{}}
	return func(api http.Handler) {
		*again = *pattern
		content.Reset(body)
		clear(w.header)
		api.ServeHTTP(w, again)
	}, &w.status
}

// QuietWriter forgets what is written.
type QuietWriter struct {
	header http.Header
	status int
}

// Header returns the header.
func (w *QuietWriter) Header() http.Header { return w.header }

// WriteHeader keeps the status.
func (w *QuietWriter) WriteHeader(status int) { w.status = status }

// Write drops the body.
func (w *QuietWriter) Write(text []byte) (int, error) { return len(text), nil }

// AtOnce sends requests concurrently, and returns the statuses of the responses.
func (c Client) AtOnce(requests ...[2]string) []int {
	statuses := make([]int, len(requests))
	var all sync.WaitGroup
	for i, request := range requests {
		all.Go(func() { statuses[i] = c.Send(request[0], request[1]).Status })
	}
	all.Wait()
	return statuses
}
