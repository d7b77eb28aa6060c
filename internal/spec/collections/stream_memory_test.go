package collections_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

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
