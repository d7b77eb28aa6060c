package collections_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// writeTimeout is shorter than the streams of these tests.
const writeTimeout = 300 * time.Millisecond

// slow is a store whose batches take a while, but each less than the timeout.
type slow struct {
	*memory.Store[Frigate]

	ended atomic.Bool // a query came after its request
}

func (s *slow) List(ctx context.Context, query store.Query) (store.Page[Frigate], error) {
	time.Sleep(writeTimeout / 3)
	if ctx.Err() != nil {
		s.ended.Store(true)
	}
	return s.Store.List(ctx, query)
}

// wrapped hides the methods of a writer, as middleware does.
type wrapped struct{ http.ResponseWriter }

func (w wrapped) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// limitedTo serves ships with short limits. Aborted gets true when a response ends early, and false otherwise.
func limitedTo(t *testing.T, records store.Store[Frigate]) (url string, aborted chan bool) {
	t.Helper()
	aborted = make(chan bool, 1)
	around := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			whole := false
			defer func() { aborted <- !whole }()
			next.ServeHTTP(wrapped{w}, r)
			whole = true
		})
	}
	c := spec.NewClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{around}}, resource.Of[Frigate]{ShortName: "Ship", Store: records})
	server := httptest.NewUnstartedServer(c.Handler)
	server.Config.ReadTimeout, server.Config.WriteTimeout = writeTimeout, writeTimeout
	server.Start()
	t.Cleanup(server.Close)
	return server.URL, aborted
}

func TestAStreamMayTakeLongerThanTheWriteTimeout(t *testing.T) {
	t.Parallel()
	records := &slow{Store: memory.New(fleet(3000)...)}
	url, aborted := limitedTo(t, records)
	began := time.Now()
	for _, suffix := range []string{"ndjson"} {
		response := spec.Get(t.Context(), t, url+"/api/ships."+suffix)
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if lines := strings.Count(string(body), "\n"); err != nil || lines != 3000 || <-aborted {
			t.Errorf("%s: %d lines of 3000, %v", suffix, lines, err)
		}
	}
	if took := time.Since(began); took < 2*writeTimeout {
		t.Errorf("the streams took only %s, so the test shows nothing", took)
	}
	if records.ended.Load() {
		t.Error("the context of a request ended before its stream")
	}
}

func TestTheTimeoutOfAnOperationIsForEachBatchOfAStream(t *testing.T) {
	t.Parallel()
	for timeout, isWhole := range map[time.Duration]bool{writeTimeout: true, writeTimeout / 6: false} {
		records := &slow{Store: memory.New(fleet(3000)...)}
		c := spec.NewClient(t, resource.Config{Timeout: timeout}, resource.Of[Frigate]{ShortName: "Ship", Store: records})
		server := httptest.NewServer(c.Handler)
		began := time.Now()
		response := spec.Get(t.Context(), t, server.URL+"/api/ships.ndjson")
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		server.Close()
		if lines := strings.Count(string(body), "\n"); isWhole != (err == nil && response.StatusCode == http.StatusOK && lines == 3000) {
			t.Errorf("%s: %d with %d lines of 3000, %v", timeout, response.StatusCode, lines, err)
		}
		if took := time.Since(began); isWhole && took < 2*timeout {
			t.Errorf("the stream took only %s, so the test shows nothing", took)
		}
	}
}

func TestAClientThatStopsReadingAStreamIsGivenUp(t *testing.T) {
	t.Parallel()
	laden := fleet(25_000) // more than sockets hold
	for i := range laden {
		laden[i].Name = strings.Repeat("\U0001D11E", 400)
	}
	url, aborted := limitedTo(t, memory.New(laden...))
	response := spec.Get(t.Context(), t, url+"/api/ships.ndjson")
	defer response.Body.Close()
	select {
	case early := <-aborted:
		if !early {
			t.Error("the response is complete, though its client has not read it")
		}
	case <-time.After(20 * writeTimeout):
		t.Error("the server still waits for a client that reads nothing")
	}
}
