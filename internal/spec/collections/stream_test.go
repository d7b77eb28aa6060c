package collections_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// watched is a store that counts the queries of lists, and fails at one of them.
type watched struct {
	*memory.Store[Frigate]

	lists   atomic.Int32
	largest atomic.Int32
	failAt  int32 // 0 for never
}

func (w *watched) List(ctx context.Context, query store.Query) (store.Page[Frigate], error) {
	if w.lists.Add(1) == w.failAt {
		return store.Page[Frigate]{}, errors.New("the disk is on fire")
	}
	page, err := w.Store.List(ctx, query)
	w.largest.Store(max(w.largest.Load(), int32(len(page.Items))))
	return page, err
}

func watching(n int, failAt int32) *watched {
	return &watched{Store: memory.New(fleet(n)...), failAt: failAt}
}

func TestAStreamHasOneRecordOnEachLine(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, ships())
	suffix := c.Send("GET /api/ships.ndjson", "").HasStatus(200).Has("Content-Type", "application/x-ndjson").Has("Link", "").Has("X-Total-Count", "").Has("Vary", "Accept")
	accepted := c.Send("GET /api/ships", "", "Accept", "application/x-ndjson, application/json;q=0.5").HasStatus(200)
	if suffix.Body != accepted.Body || strings.Count(suffix.Body, "\n") != 25 || !strings.HasSuffix(suffix.Body, "}\n") {
		t.Errorf("the stream is %q, by Accept %q", suffix.Body, accepted.Body)
	}
	filtered := c.Send("GET /api/ships.ndjson?guns=3&sort=-name&page=9&itemsPerPage=1", "").HasStatus(200)
	if lines := strings.Split(filtered.Body, "\n"); len(lines) != 7 || !strings.Contains(lines[0], `"name":"Ship 2`) {
		t.Errorf("the filtered stream is %q", filtered.Body)
	}
	next := c.Send("GET /api/ships?cursor=&itemsPerPage=20", "").Link("next")
	rest := c.Send("GET "+strings.Replace(next, "/ships?", "/ships.ndjson?", 1), "").HasStatus(200)
	if strings.Count(rest.Body, "\n") != 5 {
		t.Errorf("behind a cursor the stream is %q", rest.Body)
	}
	if empty := c.Send("GET /api/ships.ndjson?name=nothing", "").HasStatus(200); empty.Body != "" {
		t.Errorf("a stream of nothing is %q", empty.Body)
	}
	if head := c.Send("HEAD /api/ships.ndjson", "").HasStatus(200).Has("Content-Type", "application/x-ndjson"); head.Body != "" {
		t.Errorf("HEAD has the body %q", head.Body)
	}
	c.Send("GET /api/ships.ndjson?page=0", "").IsProblem(400)
	c.Send("GET /api/ships/1.ndjson", "").IsProblem(404)
	c.Send("POST /api/ships.ndjson", `{"name":"x"}`).IsProblem(404)
	c.Send("GET /api/ships/1", "", "Accept", "application/x-ndjson").IsProblem(406)
}

func TestAStreamIsReadInBatches(t *testing.T) {
	t.Parallel()
	records := watching(1000, 0)
	c := spec.NewClient(t, resource.Config{}, resource.Of[Frigate]{ShortName: "Ship", Store: records})
	if got := strings.Count(c.Send("GET /api/ships.ndjson", "").Body, "\n"); got != 1000 {
		t.Errorf("the stream has %d lines", got)
	}
	if lists, largest := records.lists.Load(), records.largest.Load(); lists < 4 || largest > 256 {
		t.Errorf("the store was asked %d times, for %d records at once", lists, largest)
	}
}

// served serves an API on a socket.
func served(t *testing.T, records *watched) *httptest.Server {
	t.Helper()
	api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler)}, resource.Of[Frigate]{ShortName: "Ship", Store: records})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(api)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.Start()
	t.Cleanup(server.Close)
	return server
}

func TestAnErrorInAStreamBreaksItOff(t *testing.T) {
	t.Parallel()
	server := served(t, watching(1000, 3))
	response := spec.Get(t.Context(), t, server.URL+"/api/ships.ndjson")
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusOK || !errors.Is(err, io.ErrUnexpectedEOF) || len(body) == 0 {
		t.Errorf("the answer is %d with %d bytes and ends with %v, want io.ErrUnexpectedEOF", response.StatusCode, len(body), err)
	}
}

func TestAnErrorBeforeAStreamIsAProblem(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Frigate]{ShortName: "Ship", Store: watching(10, 1)})
	c.Send("GET /api/ships.ndjson", "").IsProblem(500)
}

func TestAStreamStopsWhenItsClientGoesAway(t *testing.T) {
	t.Parallel()
	laden := fleet(25_000) // more than sockets hold
	for i := range laden {
		laden[i].Name = strings.Repeat("\U0001D11E", 400)
	}
	records := &watched{Store: memory.New(laden...)}
	server := served(t, records)
	ctx, leave := context.WithCancel(t.Context())
	response := spec.Get(ctx, t, server.URL+"/api/ships.ndjson")
	if _, err := bufio.NewReader(response.Body).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	leave()
	_ = response.Body.Close()
	before := int32(-1)
	for range 200 { // until the store gets no more queries
		if now := records.lists.Load(); now == before {
			break
		}
		before = records.lists.Load()
		time.Sleep(20 * time.Millisecond)
	}
	if lists := records.lists.Load(); lists > 90 {
		t.Errorf("the store was asked for %d batches of 300, though nobody reads them", lists)
	}
}

// copying is a store that reads records again each time, as databases do.
type copying struct {
	*memory.Store[spec.Letter]
}

func (c copying) List(ctx context.Context, query store.Query) (store.Page[spec.Letter], error) {
	page, err := c.Store.List(ctx, query)
	for i, letter := range page.Items {
		page.Items[i] = &spec.Letter{ID: letter.ID, Text: strings.Clone(letter.Text)}
	}
	return page, err
}

// stalled is a client that reads a few times and then stops until it leaves.
type stalled struct {
	http.ResponseWriter

	reads  int
	waits  *sync.WaitGroup
	leaves chan struct{}
}

func (s *stalled) Write(b []byte) (int, error) {
	if s.reads--; s.reads > 0 {
		return len(b), nil
	}
	s.waits.Done()
	<-s.leaves
	return 0, http.ErrHandlerTimeout
}

func heap() int64 {
	runtime.GC()
	runtime.GC() // pools keep their contents for one more collection
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestSlowStreamsHoldLittleMemory(t *testing.T) { //nolint:paralleltest // measures memory
	letters := make([]spec.Letter, 2000)
	for i := range letters {
		letters[i].Text = strings.Repeat("x", 3000)
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Letter]{Store: copying{memory.New(letters...)}})
	const clients = 50
	var waits, done sync.WaitGroup
	leaves := make(chan struct{})
	before := heap()
	waits.Add(clients)
	for range clients {
		done.Go(func() {
			defer func() { _ = recover() }() // the response is cut off
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/letters.ndjson", http.NoBody)
			c.Handler.ServeHTTP(&stalled{httptest.NewRecorder(), 20, &waits, leaves}, r)
		})
	}
	waits.Wait()
	if each := (heap() - before) / clients; each > 300<<10 {
		t.Errorf("a slow stream holds %d bytes", each)
	}
	close(leaves)
	done.Wait()
	if each := (heap() - before) / clients; each > 20<<10 {
		t.Errorf("a stream whose client has left holds %d bytes", each)
	}
}
