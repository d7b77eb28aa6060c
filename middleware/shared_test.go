package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

func TestResponsesSayWhatIsLeft(t *testing.T) {
	t.Parallel()
	api := newAPI(t, middleware.Rate(2), middleware.Rate(1000, middleware.Shared("hour", middleware.Stored(memory.New[middleware.Count]()))))
	for _, left := range []string{"1", "0", "0"} {
		header := send(t, api, "GET /api/books", "192.0.2.1:1").Header()
		if got := header["Ratelimit-Policy"]; got[0] != `"2-per-minute";q=2;w=60` || len(got) > 1 && got[1] != `"hour";q=1000;w=60` {
			t.Errorf("RateLimit-Policy is %q", got)
		}
		if got := header["Ratelimit"]; !regexp.MustCompile(`^"2-per-minute";r=` + left + `;t=[1-9][0-9]{0,2}$`).MatchString(got[0]) {
			t.Errorf("RateLimit is %q, want %s left", got, left)
		}
	}
}

// A client may send as many requests as are left, and after Retry-After the next one, but not a second before.
func TestAfterRetryAfterTheNextRequestIsAllowed(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 2, 3, 7, 60} {
		for offset := range 4 {
			synctest.Test(t, func(t *testing.T) {
				api := newAPI(t, middleware.Rate(limit))
				time.Sleep(time.Duration(offset) * 17 * time.Second)
				for range 3 {
					got := send(t, api, "GET /api/books", "192.0.2.1:1")
					for got.Code == http.StatusOK {
						got = send(t, api, "GET /api/books", "192.0.2.1:1")
					}
					wait, err := strconv.Atoi(got.Header().Get("Retry-After"))
					if err != nil || wait < 1 || wait > 120 {
						t.Fatalf("Retry-After is %q", got.Header().Get("Retry-After"))
					}
					if same := got.Header().Get("Ratelimit"); !strings.HasSuffix(same, fmt.Sprintf(";r=0;t=%d", wait)) {
						t.Errorf("RateLimit is %q, but Retry-After %d", same, wait)
					}
					if wait > 1 {
						time.Sleep(time.Duration(wait-1) * time.Second)
						if got := send(t, api, "GET /api/books", "192.0.2.1:1").Code; got != http.StatusTooManyRequests {
							t.Errorf("limit %d: %d a second before", limit, got)
						}
					}
					time.Sleep(time.Second)
					if got := send(t, api, "GET /api/books", "192.0.2.1:1").Code; got != http.StatusOK {
						t.Errorf("limit %d: %d after %d seconds", limit, got, wait)
					}
				}
			})
		}
	}
}

// stores are stores of counts.
func stores(t *testing.T) map[string]store.Store[middleware.Count] {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "counts.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	table := sqlstore.Table[middleware.Count](db)
	if err := db.Create(t.Context(), table); err != nil {
		t.Fatal(err)
	}
	return map[string]store.Store[middleware.Count]{"memory": memory.New[middleware.Count](), "SQLite": table}
}

func TestInstancesWithASharedCounterCountTogether(t *testing.T) {
	t.Parallel()
	for name, counts := range stores(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var allowed atomic.Int32
			var all sync.WaitGroup
			for range 2 {
				api := newAPI(t, middleware.Rate(10, middleware.Shared("books", middleware.Stored(counts))))
				for range 12 {
					all.Go(func() {
						if send(t, api, "GET /api/books", "192.0.2.1:1").Code == http.StatusOK {
							allowed.Add(1)
						}
					})
				}
			}
			all.Wait()
			if got := allowed.Load(); got != 10 && got != 11 { // 11 if a minute has begun meanwhile
				t.Errorf("%d requests are allowed, want 10", got)
			}
			other := newAPI(t, middleware.Rate(10, middleware.Shared("others", middleware.Stored(counts))))
			if got := send(t, other, "GET /api/books", "192.0.2.1:1").Code; got != http.StatusOK {
				t.Errorf("a limit with another name gets %d", got)
			}
		})
	}
}

func TestStoredCountsOfEarlierMinutesAreDeleted(t *testing.T) {
	t.Parallel()
	for name, counts := range stores(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			counter := middleware.Stored(counts)
			for i := range 300 {
				key := strconv.Itoa(i)
				if _, ok, err := counter.Take(t.Context(), key, middleware.Window{Minute: int64(i / 30), Limit: 5}); err != nil || !ok {
					t.Fatalf("%v %v", ok, err)
				}
			}
			page, err := counts.List(t.Context(), store.Query{Count: true, Limit: 1})
			if err != nil || page.Total > 3*30 {
				t.Errorf("%d counts stay, %v", page.Total, err)
			}
		})
	}
}

// listed remembers the last query.
type listed struct {
	store.Store[middleware.Count]
	query store.Query
}

func (l *listed) List(ctx context.Context, query store.Query) (store.Page[middleware.Count], error) {
	l.query = query
	return l.Store.List(ctx, query)
}

// A database that takes most records for old ones would otherwise read all records, in the order of their keys.
func TestOldCountsAreFoundByTheirIndex(t *testing.T) {
	t.Parallel()
	counts := &listed{Store: memory.New[middleware.Count]()}
	if _, _, err := middleware.Stored(counts).Take(t.Context(), "key", middleware.Window{Minute: 9, Limit: 1}); err != nil {
		t.Fatal(err)
	}
	if got := counts.query; len(got.Where) != 1 || len(got.Order) != 1 || got.Order[0].Field != got.Where[0].Fields[0] {
		t.Errorf("the query is %+v", got)
	}
}

func TestAClockThatWasWrongBlocksNoClient(t *testing.T) {
	t.Parallel()
	counter := middleware.Stored(memory.New[middleware.Count]())
	for _, try := range []struct {
		minute int64
		want   bool
	}{{9000, true}, {9000, false}, {8999, false}, {8998, true}, {8998, false}} {
		_, ok, err := counter.Take(t.Context(), "key", middleware.Window{Minute: try.minute, Limit: 1})
		if err != nil || ok != try.want {
			t.Errorf("minute %d: %v, %v, want %v", try.minute, ok, err, try.want)
		}
	}
}

// broken is a counter that fails.
type broken struct{}

func (broken) Take(context.Context, string, middleware.Window) (middleware.Counts, bool, error) {
	return middleware.Counts{}, false, errors.New("broken")
}

func TestWhileTheSharedCounterFailsEachInstanceCounts(t *testing.T) {
	t.Parallel()
	api := newAPI(t, middleware.Rate(2, middleware.Shared("books", broken{})))
	for _, status := range []int{200, 200, 429} {
		if got := send(t, api, "GET /api/books", "192.0.2.1:1").Code; got != status {
			t.Errorf("got %d, want %d", got, status)
		}
	}
}

// away is a counter that takes a second to fail, until it is back.
type away struct {
	calls  atomic.Int32
	isBack atomic.Bool
}

func (a *away) Take(context.Context, string, middleware.Window) (middleware.Counts, bool, error) {
	a.calls.Add(1)
	if a.isBack.Load() {
		return middleware.Counts{Current: 1}, true, nil
	}
	time.Sleep(time.Second)
	return middleware.Counts{}, false, errors.New("away")
}

func TestASharedCounterThatFailsIsTriedByOneRequestIn5Seconds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		counter := &away{}
		api := newAPI(t, middleware.Rate(1000, middleware.Shared("books", counter)))
		get := func() time.Duration {
			began := time.Now()
			if got := send(t, api, "GET /api/books", "192.0.2.1:1").Code; got != http.StatusOK {
				t.Errorf("got %d", got)
			}
			return time.Since(began)
		}
		for try := range 3 {
			if got := get(); got != time.Second {
				t.Errorf("try %d takes %s", try, got)
			}
			for range 20 {
				if got := get(); got != 0 {
					t.Errorf("a request after try %d takes %s", try, got)
				}
			}
			if got := counter.calls.Load(); got != int32(try+1) {
				t.Errorf("%d requests use the counter, want %d", got, try+1)
			}
			time.Sleep(5 * time.Second)
		}
		counter.calls.Store(0)
		counter.isBack.Store(true)
		for range 10 {
			get()
		}
		if got := counter.calls.Load(); got != 10 {
			t.Errorf("%d requests use the counter when it is back, want 10", got)
		}
	})
}

// counting is a counter that denies all requests, or fails.
type counting struct {
	calls atomic.Int32
	fails atomic.Bool
	inner middleware.Counter
}

func (c *counting) Take(ctx context.Context, key string, window middleware.Window) (middleware.Counts, bool, error) {
	c.calls.Add(1)
	if c.fails.Load() {
		return middleware.Counts{}, false, errors.New("too slow")
	}
	return c.inner.Take(ctx, key, window)
}

// One client must not be able to make the counter too slow for all others, and get its limit again when that fails.
func TestAClientBeyondItsLimitDoesNotUseTheSharedCounter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		counter := &counting{inner: middleware.Stored(memory.New[middleware.Count]())}
		api := newAPI(t, middleware.Rate(3, middleware.Shared("books", counter)))
		get := func(want int) {
			t.Helper()
			if got := send(t, api, "GET /api/books", "192.0.2.1:1").Code; got != want {
				t.Errorf("got %d, want %d", got, want)
			}
		}
		for range 3 {
			get(http.StatusOK)
		}
		for range 10 {
			get(http.StatusTooManyRequests)
		}
		if got := counter.calls.Load(); got != 3 {
			t.Errorf("the counter has %d calls, want 3", got)
		}
		counter.fails.Store(true)
		get(http.StatusTooManyRequests)
	})
}

func TestRequestsThatTheSharedCounterRejectsDoNotCount(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		counts := middleware.Stored(memory.New[middleware.Count]())
		one := newAPI(t, middleware.Rate(2, middleware.Shared("books", counts)))
		other := newAPI(t, middleware.Rate(2, middleware.Shared("books", counts)))
		for range 2 {
			send(t, one, "GET /api/books", "192.0.2.1:1")
		}
		for range 10 {
			if got := send(t, other, "GET /api/books", "192.0.2.1:1").Code; got != http.StatusTooManyRequests {
				t.Errorf("got %d", got)
			}
			time.Sleep(time.Second)
		}
		time.Sleep(110 * time.Second)
		if got := send(t, other, "GET /api/books", "192.0.2.1:1").Code; got != http.StatusOK {
			t.Errorf("two minutes later: %d", got)
		}
	})
}

func TestConcurrentClientsDeleteDifferentCounts(t *testing.T) {
	t.Parallel()
	counts := stores(t)["SQLite"]
	counter := middleware.Stored(counts)
	var all sync.WaitGroup
	for client := range 10 {
		all.Go(func() {
			for i := range 60 {
				key := strconv.Itoa(i) + "-" + strconv.Itoa(client)
				if _, _, err := counter.Take(t.Context(), key, middleware.Window{Minute: int64(i), Limit: 5}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	page, err := counts.List(t.Context(), store.Query{Count: true, Limit: 1})
	if err != nil || page.Total > 200 {
		t.Errorf("%d of 600 counts stay, %v", page.Total, err)
	}
}
