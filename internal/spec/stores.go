package spec

import (
	"context"
	"crypto/rand"
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
	all := map[string]store.Store[T]{"memory": memory.New[T]()}
	for name, open := range Databases(t) {
		db := open(t)
		table := sqlstore.Table[T](db, sqlstore.Named("alike"))
		if err := db.Create(t.Context(), table); err != nil {
			t.Fatal(err)
		}
		all[name] = table
	}
	return all
}

// Alike runs a test on a resource of T in each store.
func Alike[T any](t *testing.T, declared resource.Of[T], check func(c Client)) {
	t.Helper()
	declared.ShortName = "Thing"
	InEachStore(t, func(t *testing.T, s store.Store[T]) {
		t.Helper()
		declared.Store = s
		check(NewClient(t, resource.Config{}, declared))
	})
}

// Inn is a record that the databases of the tests have.
type Inn struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// Databases opens a new database of each sort, those of PostgreSQL and MariaDB where there is a server.
func Databases(t *testing.T) map[string]func(t *testing.T) *sqlstore.DB {
	t.Helper()
	all := map[string]func(t *testing.T) *sqlstore.DB{}
	for name, open := range databases(1) {
		all[name] = func(t *testing.T) *sqlstore.DB {
			t.Helper()
			return open(t)[0]
		}
	}
	return all
}

// Pairs opens each sort of database twice, as two processes have it: they share only the data.
func Pairs() map[string]func(t *testing.T) []*sqlstore.DB { return databases(2) }

// databases opens a new database of each sort some times.
func databases(times int) map[string]func(t *testing.T) []*sqlstore.DB {
	all := map[string]func(t *testing.T) []*sqlstore.DB{"SQLite": func(t *testing.T) []*sqlstore.DB {
		t.Helper()
		file := filepath.Join(t.TempDir(), "spec.db")
		return openTimes(t, times, func() (*sqlstore.DB, error) { return sqlite.Open(file) })
	}}
	for name, dsn := range map[string]string{"PostgreSQL": os.Getenv("TROVE_TEST_POSTGRES"), "MariaDB": os.Getenv("TROVE_TEST_MYSQL")} {
		if dsn != "" {
			all[name] = func(t *testing.T) []*sqlstore.DB {
				t.Helper()
				opened, _ := OpenSchema(t, dsn, times)
				return opened
			}
		}
	}
	return all
}

// OpenSchema opens a new schema of a server some times. In MariaDB, it is a database. It is dropped with the test. It also
// returns the connection string.
func OpenSchema(t *testing.T, dsn string, times int) (opened []*sqlstore.DB, inSchema string) {
	t.Helper()
	address, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	schema, isPostgres := "spec_"+strings.ToLower(rand.Text()), strings.HasPrefix(address.Scheme, "postgres")
	open := func() (*sqlstore.DB, error) {
		if isPostgres {
			return postgres.Open(t.Context(), address.String())
		}
		return mysql.Open(t.Context(), address.String())
	}
	server, drop := openTimes(t, 1, open)[0], "DROP SCHEMA "+schema
	if _, err := server.Exec(t.Context(), "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	if isPostgres {
		drop += " CASCADE"
		query := address.Query()
		query.Set("search_path", schema)
		address.RawQuery = query.Encode()
	} else {
		address.Path = "/" + schema
	}
	t.Cleanup(func() {
		if _, err := server.Exec(context.Background(), drop); err != nil {
			t.Error(err)
		}
	})
	return openTimes(t, times, open), address.String()
}

// openTimes opens a database some times, until the test ends.
func openTimes(t *testing.T, times int, open func() (*sqlstore.DB, error)) []*sqlstore.DB {
	t.Helper()
	opened := make([]*sqlstore.DB, times)
	for i := range opened {
		db, err := open()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		opened[i] = db
	}
	return opened
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
