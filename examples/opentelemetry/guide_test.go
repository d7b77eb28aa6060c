package main

import (
	"cmp"
	"context"
	"expvar"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5/middleware"

	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
)

// counter counts requests by operation and status.
type counter struct{ counts *expvar.Map }

func (counter) Begin(ctx context.Context, _ observe.Operation, _ *http.Request) context.Context {
	return ctx // or a context with values for hooks, handlers and stores
}

func (c counter) End(_ context.Context, outcome *observe.Outcome) {
	name := cmp.Or(outcome.Operation.ID, "none")
	c.counts.Add(name+" "+strconv.Itoa(outcome.Status), 1)
}

func TestTheGuidesServiceWorks(t *testing.T) {
	t.Parallel()
	logger := slog.New(slog.NewTextHandler(t.Output(), nil))
	requests := counter{new(expvar.Map)}
	api, err := resource.New(resource.Config{
		Middleware: []func(http.Handler) http.Handler{middleware.RequestID}, // of chi
		RequestID:  middleware.GetReqID,
		Observers:  []observe.Observer{observe.AccessLog(logger), requests},
		Logger:     logger, // receives the cause of every 5xx
	}, resource.Of[Book]{})
	if err != nil {
		t.Fatal(err)
	}
	api.Router().Get("/healthz", api.Healthz) // alive: 200 while the process serves
	api.Router().Get("/readyz", api.Readyz)   // ready: 200, or 503 with Retry-After

	for request, want := range map[string]int{
		"GET /api/books":    200,
		"GET /api/books/1":  404,
		"DELETE /api/books": 405,
		"GET /nothing":      404,
		// Observers are not called for these.
		"GET /healthz":       200,
		"GET /readyz":        200,
		"GET /api":           200,
		"OPTIONS /api/books": 204,
		"GET /api/books?q=" + strings.Repeat("x", 1<<14): 414,
	} {
		method, target, _ := strings.Cut(request, " ")
		w := httptest.NewRecorder()
		api.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, target, http.NoBody))
		if w.Code != want {
			t.Errorf("%.20s returns %d, want %d", request, w.Code, want)
		}
	}
	if got, want := requests.counts.String(), `{"getBook 404": 1, "listBooks 200": 1, "none 404": 1, "none 405": 1}`; got != want {
		t.Errorf("the counts are %s, want %s", got, want)
	}
}
