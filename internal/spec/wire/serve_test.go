package wire_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
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

// servedAt serves a handler at a free port. It returns the network address, a function that stops the server, and
// its result.
func servedAt(t *testing.T, handler http.HandlerFunc) (address string, end func(), ended <-chan error) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	t.Cleanup(end)
	result := make(chan error, 1)
	go func() { result <- resource.Serve(ctx, listener, handler) }()
	return listener.Addr().String(), end, result
}

func TestAServerLetsRequestsInHandFinish(t *testing.T) {
	t.Parallel()
	begun, goOn := make(chan struct{}), make(chan struct{})
	address, end, ended := servedAt(t, func(w http.ResponseWriter, _ *http.Request) {
		close(begun)
		<-goOn
		_, _ = io.WriteString(w, "done")
	})
	body := make(chan string, 1)
	go func() {
		response, err := http.Get("http://" + address) //nolint:noctx // ends with the server
		if err != nil {
			body <- err.Error()
			return
		}
		defer response.Body.Close()
		text, _ := io.ReadAll(response.Body)
		body <- string(text)
	}()
	<-begun
	end()
	select {
	case err := <-ended:
		t.Fatalf("the server has ended before the request: %v", err)
	default:
	}
	close(goOn)
	if got := <-body; got != "done" {
		t.Errorf("the answer is %q", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("the end is %v", err)
	}
	if _, err := net.Dial("tcp", address); err == nil { //nolint:noctx // refused at once
		t.Error("the server still listens")
	}
}

func TestAServerRejectsLongHeaders(t *testing.T) {
	t.Parallel()
	address, _, _ := servedAt(t, func(http.ResponseWriter, *http.Request) { t.Error("it is served") })
	connection, err := net.Dial("tcp", address) //nolint:noctx // ends with the server
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	go func() {
		_, _ = io.WriteString(connection, "GET / HTTP/1.1\r\nHost: x\r\nX-Long: "+strings.Repeat("x", 64<<10)+"\r\n\r\n")
	}()
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("the status is %d", response.StatusCode)
	}
}

func TestAServerTakesHeadersOf16KiB(t *testing.T) {
	t.Parallel()
	address, _, _ := servedAt(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Long", strings.Repeat("x", 15<<10))
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusNoContent {
		t.Errorf("the status is %d", response.StatusCode)
	}
}

// TestAServerEndsStreams has a stream whose client reads nothing. The server returns an error after its grace
// period.
func TestAServerEndsStreams(t *testing.T) {
	t.Parallel()
	letters := make([]spec.Letter, 10_000)
	for i := range letters {
		letters[i].Text = strings.Repeat("x", 3000)
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Letter]{Store: memory.New(letters...)})
	address, end, ended := servedAt(t, c.Handler.ServeHTTP)
	response := spec.Get(t.Context(), t, "http://"+address+"/api/letters.ndjson")
	defer response.Body.Close()
	first, err := bufio.NewReader(response.Body).ReadString('\n')
	if err != nil || !strings.HasPrefix(first, `{"id":1,`) {
		t.Fatalf("the stream begins with %.20q, %v", first, err)
	}
	end()
	if err := <-ended; err != nil {
		t.Errorf("the end is %v", err)
	}
	if rest, err := io.ReadAll(response.Body); err == nil {
		t.Errorf("the stream ends as if it were complete, after %d bytes", len(rest))
	}
}

func TestAServerWhoseListenerFailsSaysSo(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if err := resource.Serve(t.Context(), listener, http.NotFoundHandler()); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the error is %v", err)
	}
}

func TestAURLIsNotAHost(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	err = resource.Serve(t.Context(), listener, http.NotFoundHandler(), "api.example.com", "https://shop.example.com/")
	if err == nil || err.Error() != `resource.Serve: the host is "https://shop.example.com/"; write only the name, such as api.example.com` {
		t.Errorf("the error is %v", err)
	}
	if _, err := listener.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the listener is open: %v", err)
	}
}

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
