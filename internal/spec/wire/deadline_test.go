package wire_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// patient is a store that waits until the request's time is over.
type patient struct {
	*memory.Store[Crate]

	reads, writes bool // where it waits
	after         int  // lists that it returns before it waits
}

func wait(ctx context.Context) error {
	<-ctx.Done()
	return fmt.Errorf("store: %w", ctx.Err())
}

func (p *patient) Get(ctx context.Context, id any) (*Crate, error) {
	if p.reads {
		return nil, wait(ctx)
	}
	return p.Store.Get(ctx, id)
}

func (p *patient) List(ctx context.Context, query store.Query) (store.Page[Crate], error) {
	if p.after--; p.reads && p.after < 0 {
		return store.Page[Crate]{}, wait(ctx)
	}
	return p.Store.List(context.WithoutCancel(ctx), query)
}

func (p *patient) Transact(ctx context.Context, run func(context.Context, store.Tx[Crate]) error) error {
	if p.writes {
		return wait(ctx)
	}
	return p.Store.Transact(ctx, run)
}

var errOwnCause = errors.New("the middleware's own cause")

// hurried is middleware that gives each request little time.
func hurried(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeoutCause(r.Context(), time.Millisecond, errOwnCause)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// ends are the ways to limit the time of a request. The operation's own Timeout reports something slower than it
// should be, and is logged; a middleware knows what it does.
func ends() map[string]resource.Config {
	return map[string]resource.Config{
		"by a middleware": {Middleware: []func(http.Handler) http.Handler{hurried}},
		"by Timeout":      {Timeout: time.Millisecond},
		"by both":         {Middleware: []func(http.Handler) http.Handler{hurried}, Timeout: time.Hour},
	}
}

func TestARequestWhoseTimeIsOverIs503(t *testing.T) {
	t.Parallel()
	for how, config := range ends() {
		for _, request := range []string{
			"GET /api/crates/1", "GET /api/crates", "GET /api/crates.ndjson", "GET /api/crates/1/look", "POST /api/crates", "PUT /api/crates/1",
			"PATCH /api/crates/1", "DELETE /api/crates/1", "POST /api/crates/1/give", "POST /api/crates/1/cause",
		} {
			t.Run(how+": "+request, func(t *testing.T) {
				t.Parallel()
				var log bytes.Buffer
				config := config
				handled := strings.Contains(request, "/1/")
				config.Logger = slog.New(slog.NewTextHandler(&log, nil))
				waiting := func(ctx context.Context, _ *Crate, _ struct{}) (Crate, error) { return Crate{}, wait(ctx) }
				telling := func(ctx context.Context, _ *Crate, _ struct{}) (Crate, error) {
					return Crate{}, errors.Join(wait(ctx), context.Cause(ctx))
				}
				kept := &patient{Store: memory.New(Crate{Name: "a"}), reads: !handled, writes: !handled}
				c := spec.NewClient(t, config, resource.Of[Crate]{Store: kept, Operations: append(operation.Standard(),
					operation.Get{Name: "look", URITemplate: "/crates/{id}/look", Handler: operation.Handle(waiting)},
					operation.Post{Name: "give", URITemplate: "/crates/{id}/give", Handler: operation.Handle(waiting)},
					operation.Post{Name: "cause", URITemplate: "/crates/{id}/cause", Handler: operation.Handle(telling)},
				)})
				body := ""
				if request[:3] != "GET" && request[:3] != "DEL" {
					body = `{}`
				}
				c.Send(request, body).IsProblem(503).Has("Retry-After", "1").
					Is(503, `{"type":"about:blank","title":"Service Unavailable","status":503,"detail":"The operation took too long. Try again later."}`)
				if logged := log.Len() > 0; logged != (config.Middleware == nil) {
					t.Errorf("the log has %q", &log)
				}
			})
		}
	}
}

func TestAStreamWhoseTimeIsOverBreaksOff(t *testing.T) {
	t.Parallel()
	for how, config := range ends() {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			outcomes := &lastOutcome{}
			config.Logger, config.Observers = slog.New(slog.NewTextHandler(&log, nil)), []observe.Observer{outcomes}
			kept := &patient{Store: memory.New(make([]Crate, 1000)...), reads: true, after: 1}
			c := spec.NewClient(t, config, resource.Of[Crate]{Store: kept})
			w := httptest.NewRecorder()
			defer func() {
				// On a slow machine, the time may be over before the first batch: then the status shows it.
				if cause := recover(); cause != http.ErrAbortHandler && (cause != nil || w.Code != http.StatusServiceUnavailable) { //nolint:errorlint // net/http compares it so
					t.Errorf("the stream ends with %v", cause)
				}
				if logged := log.Len() > 0; logged != (config.Middleware == nil) || logged != (outcomes.Incident != "") || !errors.Is(outcomes.Err, context.DeadlineExceeded) {
					t.Errorf("the log has %s, and observers get %v (%s)", &log, outcomes.Err, outcomes.Incident)
				}
			}()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/crates.ndjson", nil)
			c.Handler.ServeHTTP(w, r)
		})
	}
}

// lastOutcome keeps the last outcome.
type lastOutcome struct{ observe.Outcome }

func (*lastOutcome) Begin(ctx context.Context, _ observe.Operation, _ *http.Request) context.Context {
	return ctx
}

func (l *lastOutcome) End(_ context.Context, outcome *observe.Outcome) { l.Outcome = *outcome }

// TestADeadlineOfAHooksOwnIsAFault has a hook that gives another service less time than the request has.
func TestADeadlineOfAHooksOwnIsAFault(t *testing.T) {
	t.Parallel()
	for _, timeout := range []time.Duration{0, time.Hour} {
		var log bytes.Buffer
		impatient := func(ctx context.Context, _ *operation.Request, _ *Crate) error {
			short, cancel := context.WithTimeout(ctx, time.Nanosecond)
			defer cancel()
			return wait(short)
		}
		c := spec.NewClient(t, resource.Config{Timeout: timeout, Logger: slog.New(slog.NewTextHandler(&log, nil))}, resource.Of[Crate]{Prepare: impatient})
		c.Send("POST /api/crates", `{}`).IsProblem(500).Mentions("urn:uuid:")
		if log.Len() == 0 {
			t.Error("the log has nothing")
		}
	}
}
