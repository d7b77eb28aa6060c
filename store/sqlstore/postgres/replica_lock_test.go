package postgres_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
)

// within8 sends a request that may take eight seconds, and returns the status of its response.
func within8(t *testing.T, api http.Handler, request, body string) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(ctx, method, target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	return w.Code
}

// coinsAndGems is an API with a replica that has one connection, and a primary that has four. Locks last longer than the test.
func coinsAndGems(t *testing.T) (api http.Handler, dsn string) {
	t.Helper()
	first, _ := standbys(t)
	dsn = schema(t)
	db, err := postgres.Open(t.Context(), with(with(dsn, "pool_max_conns", "4"), "lock_timeout", "60000"),
		postgres.Staleness(time.Hour), postgres.Replicas(with(within(t, first, dsn), "pool_max_conns", "1")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	coins, gems := sqlstore.Table[coin](db), sqlstore.Table[gem](db)
	if err := db.Create(t.Context(), coins, gems); err != nil {
		t.Fatal(err)
	}
	api, err = resource.New(resource.Config{}, resource.Of[coin]{Store: coins}, resource.Of[gem]{Store: gems})
	if err != nil {
		t.Fatal(err)
	}
	soon(t, func() bool { return db.Stats().Replicas == 1 })
	return api, dsn
}

// lockedReads runs a function while many requests read the coins, which are locked on the primary and the standby.
func lockedReads(t *testing.T, api http.Handler, dsn, position string, during func()) {
	t.Helper()
	first, _ := standbys(t)
	ctx, cancel := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	defer clients.Wait()
	defer cancel()
	locked(t, dsn, func() {
		replays(t, dsn, first, "coins")
		for range 60 {
			clients.Go(func() {
				r := httptest.NewRequestWithContext(ctx, "GET", "/api/coins", nil)
				r.Header.Set("Trove-Position", position)
				api.ServeHTTP(httptest.NewRecorder(), r)
			})
		}
		time.Sleep(300 * time.Millisecond)
		during()
	}, "coins")
}

// replays waits until a standby has the lock of a table.
func replays(t *testing.T, dsn, standby, table string) {
	t.Helper()
	administer(t, dsn, "CREATE TABLE flushes ()") // its commit sends the log
	soon(t, func() bool {
		return value(t, within(t, standby, dsn), "SELECT count(*)::text FROM pg_locks WHERE relation = to_regclass('"+table+"') AND mode = 'AccessExclusiveLock'") == "1"
	})
}

func TestReadsOfTheReplicaGoOnWhileATableIsLocked(t *testing.T) { //nolint:paralleltest // see standbys
	api, dsn := coinsAndGems(t)
	lockedReads(t, api, dsn, "", func() {
		if got := within8(t, api, "GET /api/gems", ""); got != http.StatusOK {
			t.Errorf("a read of another table returns %d", got)
		}
		if got := within8(t, api, "POST /api/gems", `{"name":"new"}`); got != http.StatusCreated {
			t.Errorf("a write of another table returns %d", got)
		}
	})
}

func TestReadsThatUseNoReplicaLeaveConnectionsToOtherTables(t *testing.T) { //nolint:paralleltest // see standbys
	api, dsn := coinsAndGems(t)
	lockedReads(t, api, dsn, "unknown", func() {
		if got := within8(t, api, "POST /api/gems", `{"name":"new"}`); got != http.StatusCreated {
			t.Errorf("a write of another table returns %d", got)
		}
	})
}

func TestALockOfTheReplicaAloneDoesNotBlockReads(t *testing.T) { //nolint:paralleltest // see standbys
	first, _ := standbys(t)
	dsn := notesIn(t)
	n := notesOn(t, dsn, 1, []postgres.Option{postgres.Replicas(within(t, first, dsn))})
	path, _ := n.write("here")
	locked(t, dsn, func() {
		replays(t, dsn, first, "notes")
		pause(t, first)
	}, "notes")
	if got := within8(t, n, "GET "+path, ""); got != http.StatusOK {
		t.Errorf("a read returns %d", got)
	}
}
