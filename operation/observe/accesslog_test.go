package observe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// shop is a bookshop over HTTP with an access log.
type shop struct {
	t      *testing.T
	server *httptest.Server
	log    *bytes.Buffer
}

// open serves one book, at /api/books/1, and writes entries from level on.
func open(t *testing.T, level slog.Level, config resource.Config, books resource.Of[Book]) shop {
	t.Helper()
	s := shop{t: t, log: &bytes.Buffer{}}
	logger := slog.New(slog.NewJSONHandler(s.log, &slog.HandlerOptions{Level: level}))
	config.Observers = []observe.Observer{observe.AccessLog(logger)}
	config.Logger = slog.New(slog.DiscardHandler)
	if books.Store == nil {
		books.Store = memory.New(Book{Title: "Dune"})
	}
	books.Prepare = disturb
	api, err := resource.New(config, books)
	if err != nil {
		t.Fatal(err)
	}
	s.server = httptest.NewServer(api)
	t.Cleanup(s.server.Close)
	return s
}

// disturb is a hook that fails on titles that say so.
func disturb(_ context.Context, _ *operation.Request, book *Book) error {
	switch book.Title {
	case "fail":
		return errors.New("the shelf has fallen")
	case "panic":
		panic("the shelf has fallen")
	case "drop":
		panic(http.ErrAbortHandler)
	}
	return nil
}

// send sends a request, "GET /api/books", with a JSON body or "". It returns the body of
// the response, as far as it arrived.
func (s shop) send(request, body string, header ...string) string {
	s.t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.server.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := s.server.Client().Do(r)
	if errors.Is(err, io.EOF) {
		return "" // the connection was dropped
	}
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return string(text)
}

// entries stops the server, because an entry is written after its response, and returns the
// log without what is another each time: the time, how long it took, and the client, which
// it checks.
func (s shop) entries() (entries []map[string]any) {
	s.t.Helper()
	s.server.Close()
	for line := range bytes.Lines(s.log.Bytes()) {
		var entry map[string]any
		if err := json.Unmarshal(line, &entry); err != nil {
			s.t.Fatalf("%v: %s", err, line)
		}
		client, _ := entry["client"].(string)
		if ms, ok := entry["ms"].(float64); !ok || ms <= 0 || !strings.HasPrefix(client, "127.0.0.1:") {
			s.t.Errorf("the entry has neither ms nor client: %s", line)
		}
		for _, name := range []string{"time", "ms", "client"} {
			delete(entry, name)
		}
		entries = append(entries, entry)
	}
	return entries
}

func TestAccessLogHasAnEntryForEachRequest(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		request, body           string
		level, route, operation string
		status                  int
	}{
		"a record":                       {"GET /api/books/1", "", "INFO", "/api/books/{id}", "getBook", 200},
		"a record in another format":     {"GET /api/books/1.json", "", "INFO", "/api/books/{id}", "getBook", 200},
		"a collection, with a query":     {"GET /api/books?page=1", "", "INFO", "/api/books", "listBooks", 200},
		"a HEAD, without a body":         {"HEAD /api/books/1", "", "INFO", "/api/books/{id}", "getBook", 200},
		"a record that is made":          {"POST /api/books", `{"title":"Emma"}`, "INFO", "/api/books", "createBook", 201},
		"a record that is deleted":       {"DELETE /api/books/1", "", "INFO", "/api/books/{id}", "deleteBook", 204},
		"a record that there is not":     {"GET /api/books/7", "", "INFO", "/api/books/{id}", "getBook", 404},
		"a body that breaks a rule":      {"POST /api/books", `{"title":" "}`, "INFO", "/api/books", "createBook", 400},
		"a body that is not JSON":        {"POST /api/books", `{`, "INFO", "/api/books", "createBook", 400},
		"a parameter that is not known":  {"GET /api/books?secret=1", "", "INFO", "/api/books", "listBooks", 400},
		"a path that nothing is at":      {"GET /wp-login.php?secret=1", "", "INFO", "", "", 404},
		"a method that is not taken":     {"DELETE /api/books", "", "INFO", "/api/books", "", 405},
		"an unknown method":              {"BREW /api/books/1", "", "INFO", "/api/books/{id}", "", 405},
		"a dropped connection, status 0": {"POST /api/books", `{"title":"drop"}`, "INFO", "/api/books", "createBook", 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, slog.LevelInfo, resource.Config{}, resource.Of[Book]{})
			answer := s.send(test.request, test.body)
			method, _, _ := strings.Cut(test.request, " ")
			want := []map[string]any{{
				"msg": "request", "level": test.level, "method": method, "route": test.route, "operation": test.operation,
				"status": float64(test.status), "bytes": float64(len(answer)),
			}}
			if diff := cmp.Diff(want, s.entries()); diff != "" {
				t.Errorf("the entries differ (-want +got):\n%s", diff)
			}
		})
	}
}

// urn matches the name of an incident in a response.
var urn = regexp.MustCompile(`"instance":"urn:uuid:([0-9a-f-]{36})"`)

func TestTheAccessLogWarnsOfFailuresWithTheIncidentOfTheResponse(t *testing.T) {
	t.Parallel()
	for _, title := range []string{"fail", "panic"} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			s := open(t, slog.LevelInfo, resource.Config{}, resource.Of[Book]{})
			answer := s.send("POST /api/books", `{"title":"`+title+`"}`)
			found := urn.FindStringSubmatch(answer)
			if found == nil {
				t.Fatalf("the response names no incident: %s", answer)
			}
			want := []map[string]any{{
				"msg": "request", "level": "WARN", "method": "POST", "route": "/api/books", "operation": "createBook",
				"status": 500.0, "bytes": float64(len(answer)), "incident": found[1],
			}}
			if diff := cmp.Diff(want, s.entries()); diff != "" {
				t.Errorf("the entries differ (-want +got):\n%s", diff)
			}
		})
	}
}

// breaking is a store whose first page comes, and no other.
type breaking struct{ store.Store[Book] }

func (b breaking) List(ctx context.Context, query store.Query) (store.Page[Book], error) {
	if len(query.After) > 0 {
		return store.Page[Book]{}, errors.New("the disk is gone")
	}
	return b.Store.List(ctx, query)
}

func TestAccessLogWarnsOfAStreamThatTheServiceBreaksOff(t *testing.T) {
	t.Parallel()
	s := open(t, slog.LevelInfo, resource.Config{}, resource.Of[Book]{Store: breaking{memory.New(make([]Book, 1000)...)}})
	answer := s.send("GET /api/books.ndjson", "")
	entries := s.entries()
	if len(entries) != 1 || entries[0]["level"] != "WARN" || entries[0]["status"] != 200.0 || entries[0]["incident"] == nil {
		t.Fatalf("the entries are %v, want one with WARN, 200 and an incident", entries)
	}
	if entries[0]["bytes"] != float64(len(answer)) {
		t.Errorf("the entry counts %v bytes, %d came", entries[0]["bytes"], len(answer))
	}
}

func TestAccessLogHasTheIDOfTheRequest(t *testing.T) {
	t.Parallel()
	chi := resource.Config{Middleware: []func(http.Handler) http.Handler{middleware.RequestID}, RequestID: middleware.GetReqID}
	own := resource.Config{RequestID: func(context.Context) string { return "made-here" }}
	for name, test := range map[string]struct {
		config  resource.Config
		request string
		field   string
		want    any
	}{
		"of an operation":                     {request: "GET /api/books/1", field: "from-the-proxy", want: "from-the-proxy"},
		"of a path that nothing is at":        {request: "GET /nothing", field: "from-the-proxy", want: "from-the-proxy"},
		"of a method that there is not":       {request: "DELETE /api/books", field: "from-the-proxy", want: "from-the-proxy"},
		"unless there is none":                {request: "GET /api/books/1"},
		"up to 128 bytes":                     {request: "GET /api/books/1", field: strings.Repeat("x", 128), want: strings.Repeat("x", 128)},
		"unless it is longer":                 {request: "GET /api/books/1", field: strings.Repeat("x", 129)},
		"that a middleware put in a context":  {config: chi, request: "GET /api/books/1", field: "from-the-proxy", want: "from-the-proxy"},
		"that a function of the user's makes": {config: own, request: "GET /api/books/1", field: "from-the-proxy", want: "made-here"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, slog.LevelInfo, test.config, resource.Of[Book]{})
			s.send(test.request, "", "X-Request-Id", test.field)
			if entries := s.entries(); len(entries) != 1 || entries[0]["request_id"] != test.want {
				t.Errorf("the entries are %v, want one with the id %v", entries, test.want)
			}
		})
	}
	t.Run("which a middleware makes where there is none", func(t *testing.T) {
		t.Parallel()
		s := open(t, slog.LevelInfo, chi, resource.Of[Book]{})
		s.send("GET /api/books/1", "")
		if entries := s.entries(); len(entries) != 1 || entries[0]["request_id"] == nil || entries[0]["request_id"] == "" {
			t.Errorf("the entries are %v, want one with an id", entries)
		}
	})
}

func TestAccessLogHoldsNoValueOfTheRequest(t *testing.T) {
	t.Parallel()
	s := open(t, slog.LevelInfo, resource.Config{}, resource.Of[Book]{})
	s.send("GET /api/books/s3cret", "", "Authorization", "Bearer s3cret")
	s.send("GET /s3cret?s3cret=s3cret", "")
	s.send("POST /api/books?s3cret=1", `{"title":"s3cret"}`)
	s.send("POST /api/books", `{"title":"s3cret","s3cret":"s3cret"}`)
	if entries := s.entries(); len(entries) != 4 || strings.Contains(s.log.String(), "s3cret") {
		t.Errorf("the log is %s, want four entries without a value", s.log)
	}
}

func TestAccessLogKeepsToTheLevelOfItsLogger(t *testing.T) {
	t.Parallel()
	s := open(t, slog.LevelWarn, resource.Config{}, resource.Of[Book]{})
	s.send("GET /api/books/1", "")
	s.send("POST /api/books", `{"title":" "}`)
	s.send("POST /api/books", `{"title":"fail"}`)
	if entries := s.entries(); len(entries) != 1 || entries[0]["status"] != 500.0 {
		t.Errorf("the entries are %v, want that of the failure alone", entries)
	}
}

// traced is an observer that puts a trace into the context, and a slog.Handler that adds
// the trace to entries.
type traced struct{ slog.Handler }

type traceKey struct{}

func (traced) Begin(ctx context.Context, _ observe.Operation, _ *http.Request) context.Context {
	return context.WithValue(ctx, traceKey{}, "0af7651916cd43dd")
}

func (traced) End(context.Context, *observe.Outcome) {}

func (h traced) Handle(ctx context.Context, entry slog.Record) error {
	entry.AddAttrs(slog.Any("trace", ctx.Value(traceKey{})))
	return h.Handler.Handle(ctx, entry)
}

func TestAccessLogWritesWithTheContextOfAllObservers(t *testing.T) {
	t.Parallel()
	for _, first := range []bool{true, false} {
		var log bytes.Buffer
		tracer := traced{slog.NewTextHandler(&log, nil)}
		observers := []observe.Observer{tracer, observe.AccessLog(slog.New(tracer))}
		if first {
			slices.Reverse(observers)
		}
		api, err := resource.New(resource.Config{Observers: observers}, resource.Of[Book]{})
		if err != nil {
			t.Fatal(err)
		}
		send(api, http.MethodGet, "/api/books", "")
		if !strings.Contains(log.String(), "trace=0af7651916cd43dd") {
			t.Errorf("with the access log first: %v, the entry has no trace: %s", first, &log)
		}
	}
}

func TestAccessLogOfNoLoggerIsThatOfTheProgram(t *testing.T) { //nolint:paralleltest // sets the program's logger
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&log, nil)))
	observer := observe.AccessLog(nil)
	slog.SetDefault(before)
	api, err := resource.New(resource.Config{Observers: []observe.Observer{observer}}, resource.Of[Book]{})
	if err != nil {
		t.Fatal(err)
	}
	send(api, http.MethodGet, "/api/books", "")
	if !strings.Contains(log.String(), `"route":"/api/books"`) {
		t.Errorf("the program's log is %q, want the entry", log.String())
	}
}
