package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

type (
	coin  struct{ thing }
	gem   struct{ thing }
	pearl struct{ thing }
	thing struct {
		ID   int64  `json:"id"`
		Name string `json:"name" api:"filter"`
	}
)

// threeTables is an API with three tables in a database with four connections.
func threeTables(t *testing.T, dsn string) *httptest.Server {
	t.Helper()
	db := open(t, with(dsn, "pool_max_conns", "4"))
	coins, gems, pearls := sqlstore.Table[coin](db), sqlstore.Table[gem](db), sqlstore.Table[pearl](db)
	if err := db.Create(t.Context(), coins, gems, pearls); err != nil {
		t.Fatal(err)
	}
	api, err := resource.New(resource.Config{}, resource.Of[coin]{Store: coins}, resource.Of[gem]{Store: gems}, resource.Of[pearl]{Store: pearls})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	return server
}

// locked runs a function while tables are locked, as by ALTER TABLE.
func locked(t *testing.T, dsn string, during func(), tables ...string) {
	t.Helper()
	ctx := impatient(t)
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "BEGIN; LOCK TABLE "+strings.Join(tables, ", ")+" IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	during()
}

// load is what clients of one resource have seen.
type load struct {
	mu    sync.Mutex
	took  []time.Duration
	wrong []string
	added int
}

// run reads and writes with clients until stop is closed.
func (l *load) run(clients *sync.WaitGroup, path string, stop <-chan struct{}) {
	for i := range 6 {
		clients.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				l.send(path, fmt.Sprintf("%d-%d", i, n), i%2 == 0)
			}
		})
	}
}

func (l *load) send(path, name string, writes bool) {
	began := time.Now()
	var response *http.Response
	var err error
	want := http.StatusOK
	if writes {
		want = http.StatusCreated
		response, err = http.Post(path, "application/json", strings.NewReader(`{"name":"`+name+`"}`)) //nolint:noctx // of the test
	} else {
		response, err = http.Get(path + "?name=" + name) //nolint:noctx // of the test
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.took = append(l.took, time.Since(began))
	if err != nil {
		l.wrong = append(l.wrong, err.Error())
		return
	}
	body, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if response.StatusCode != want {
		l.wrong = append(l.wrong, fmt.Sprintf("%d %s", response.StatusCode, body))
	} else if writes {
		l.added++
	}
}

// slowest returns the 99th percentile and the largest of the durations.
func (l *load) slowest() (p99, most time.Duration) {
	slices.Sort(l.took)
	return l.took[len(l.took)*99/100], l.took[len(l.took)-1]
}

func TestRequestsOfOtherTablesGoOnWhileSomeAreLocked(t *testing.T) {
	direct(t)
	t.Parallel()
	for _, tables := range [][]string{{"coins"}, {"coins", "gems"}} {
		t.Run(strings.Join(tables, " and "), func(t *testing.T) {
			t.Parallel()
			dsn := schema(t)
			server := threeTables(t, dsn)
			all := []string{"coins", "gems", "pearls"}
			loads := make([]load, len(all))
			var clients sync.WaitGroup
			stop := make(chan struct{})
			for i, name := range all {
				loads[i].run(&clients, server.URL+"/api/"+name, stop)
			}
			time.Sleep(200 * time.Millisecond)
			const held = 4 * time.Second
			locked(t, dsn, func() { time.Sleep(held) }, tables...)
			time.Sleep(200 * time.Millisecond)
			close(stop)
			clients.Wait()
			for i, name := range all {
				l := &loads[i]
				p99, most := l.slowest()
				t.Logf("%s: %d requests, p99 %s, at most %s", name, len(l.took), p99, most)
				if len(l.wrong) > 0 {
					t.Errorf("%s: %d requests failed, such as %s", name, len(l.wrong), l.wrong[0])
				}
				if !slices.Contains(tables, name) && most >= held {
					t.Errorf("%s were not locked, but a request took %s", name, most)
				}
				if n := one[int](impatient(t), t, open(t, dsn), "SELECT count(*)::int FROM "+name); n != l.added {
					t.Errorf("%s: %d were created, but the table has %d", name, l.added, n)
				}
			}
		})
	}
}

// Otherwise one locked table would take all instances out of a load balancer.
func TestAPingDoesNotWaitForALockedTable(t *testing.T) {
	direct(t)
	t.Parallel()
	dsn := with(schema(t), "lock_timeout", "1")
	coins := table[coin](t, open(t, dsn))
	locked(t, dsn, func() {
		if err := coins.Ping(impatient(t)); err != nil {
			t.Error(err)
		}
	}, "coins")
}

// BenchmarkOneTable reads records of one table with more clients than connections, with the gate and without.
func BenchmarkOneTable(b *testing.B) {
	dsn := with(schema(b), "pool_max_conns", "4")
	table[coin](b, open(b, dsn))
	for _, gated := range []bool{false, true} {
		d := connectTo(b, dsn)
		if !gated {
			d = struct{ sqlstore.Driver }{d} // hides how many connections there are
		}
		coins := sqlstore.Table[coin](sqlstore.New(d))
		b.Run(fmt.Sprintf("gated=%v", gated), func(b *testing.B) {
			b.ReportAllocs()
			b.SetParallelism(4)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := coins.Get(b.Context(), int64(1)); !errors.Is(err, store.ErrNotFound) {
						b.Error(err)
					}
				}
			})
		})
	}
}
