package postgres_test

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
)

// under sends reads from several goroutines while do runs, and fails if one of them fails.
func (n notes) under(path string, do func()) {
	n.Helper()
	var ends atomic.Bool
	var readers sync.WaitGroup
	var slowest atomic.Int64
	for range 8 {
		readers.Go(func() {
			for !ends.Load() {
				began := time.Now()
				if w := n.send("GET "+path, ""); w.Code != http.StatusOK {
					n.Errorf("a read returns %d: %s", w.Code, w.Body)
					return
				}
				if took := int64(time.Since(began)); took > slowest.Load() {
					slowest.Store(took)
				}
			}
		})
	}
	do()
	ends.Store(true)
	readers.Wait()
	n.Logf("the slowest read took %s", time.Duration(slowest.Load()))
}

// lineTo returns a line to a standby, and a DSN that leads through it.
func lineTo(t *testing.T, dsn string) (*line, string) {
	t.Helper()
	through := &line{t: t, server: net.JoinHostPort("127.0.0.1", strconv.Itoa(portOf(t, dsn))), address: "127.0.0.1:0"}
	through.repair()
	t.Cleanup(through.cut)
	_, port, err := net.SplitHostPort(through.address)
	if err != nil {
		t.Fatal(err)
	}
	return through, with(dsn, "port", port)
}

func TestNoRequestFailsWhenAReplicaIsLost(t *testing.T) { //nolint:paralleltest // see standbys
	first, second := standbys(t)
	dsn := notesIn(t)
	through, lost := lineTo(t, within(t, first, dsn))
	n := notesOn(t, dsn, 2, []postgres.Option{postgres.Replicas(lost, within(t, second, dsn))})
	path, _ := n.write("here")
	time.Sleep(time.Second)
	n.under(path, func() {
		for range 3 {
			through.cut()
			n.waitFor(1)
			through.repair()
			n.waitFor(2)
		}
	})
	n.under(path, func() { // a network that drops packets
		through.gate.Lock()
		n.waitFor(1)
		time.Sleep(time.Second)
		through.gate.Unlock()
		n.waitFor(2)
	})
}

func TestNoRequestFailsByAConflictWithTheReplay(t *testing.T) { //nolint:paralleltest // see standbys
	first, _ := standbys(t)
	dsn := notesIn(t)
	n := notesOn(t, dsn, 1, []postgres.Option{postgres.Replicas(within(t, first, dsn))})
	path, _ := n.write("here")
	time.Sleep(time.Second)
	n.under(path, func() {
		for range 20 {
			administer(t, first, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")
			time.Sleep(20 * time.Millisecond)
		}
	})
}

// A load balancer could lead to a standby that is further behind than the one that is examined.
func TestConnectionsToAnotherServerThanTheExaminedOneAreNotUsed(t *testing.T) { //nolint:paralleltest // see standbys
	first, second := standbys(t)
	dsn := notesIn(t)
	through, balanced := lineTo(t, within(t, first, dsn))
	n := notesOn(t, dsn, 1, []postgres.Option{postgres.Replicas(balanced)})
	path, _ := n.mark(first, second)
	through.server = net.JoinHostPort("127.0.0.1", strconv.Itoa(portOf(t, second)))
	for range 20 {
		if got := n.readsFrom(path); got != "primary" {
			t.Fatalf("a read comes from %s", got)
		}
	}
}

func TestAWriteWithReplicasCostsNoOtherRoundTrip(t *testing.T) { //nolint:paralleltest // see standbys
	first, _ := standbys(t)
	m, dsn := metered(t)
	s := scrolls(t, with(dsn, "pool_max_conns", "1"))
	db, err := postgres.Open(t.Context(), with(dsn, "pool_max_conns", "1"), postgres.Replicas(first))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if s.API, err = resource.New(resource.Config{}, resource.Of[scroll]{Store: sqlstore.Table[scroll](db)}, resource.Of[shelf]{Store: sqlstore.Table[shelf](db)}); err != nil {
		t.Fatal(err)
	}
	s.must("POST /api/scrolls", `{"title":"patched","code":"first"}`)
	for name, test := range map[string]struct {
		want string
		call func(n int)
	}{
		"create": {"4 in 1", func(n int) { s.must("POST /api/scrolls", fmt.Sprintf(`{"title":"new","code":"%d"}`, n)) }},
		"patch":  {"5 in 2", func(n int) { s.must("PATCH /api/scrolls/1", fmt.Sprintf(`{"title":"patched %d"}`, n)) }},
	} {
		if got := m.costs(test.call); got != test.want {
			t.Errorf("%s costs %s round trips, want %s", name, got, test.want)
		}
	}
}
