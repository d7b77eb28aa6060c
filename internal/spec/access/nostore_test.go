package access_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/mcp"
	middlewares "github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Vase is a resource whose responses caches may keep for an hour.
type Vase struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank,max=8" api:"unique"`
}

// awayStore is a store whose Ping fails.
type awayStore struct{ *memory.Store[Vase] }

func (awayStore) Ping(context.Context) error { return store.ErrUnavailable }

// faultyGet is a custom operation whose handler returns an error, or panics.
func faultyGet(name string, with func(context.Context) error) operation.Operation {
	return operation.Get{
		Name: name, URITemplate: "/vases/" + name, Access: access.Public,
		Handler: operation.Handle(func(ctx context.Context, _ *Vase, _ struct{}) (struct{ A int }, error) {
			return struct{ A int }{}, with(ctx)
		}),
	}
}

// newVases returns an API with every source of errors: rules, schemes, hooks, documents, agents and middleware.
func newVases(t *testing.T, middleware ...func(http.Handler) http.Handler) spec.Client {
	t.Helper()
	operations := append(operation.Standard(),
		faultyGet("boom", func(context.Context) error { panic("boom") }),
		faultyGet("fault", func(context.Context) error { return errors.New("a fault") }),
		faultyGet("own", func(context.Context) error { return operation.Error{Status: http.StatusTeapot} }),
		faultyGet("away", func(context.Context) error { return store.ErrUnavailable }),
		operation.Get{
			Name: "late", URITemplate: "/vases/late", Access: access.Public, Timeout: time.Nanosecond,
			Handler: operation.Handle(func(ctx context.Context, _ *Vase, _ struct{}) (struct{ A int }, error) {
				<-ctx.Done()
				return struct{ A int }{}, ctx.Err()
			}),
		},
		operation.Patch{Name: "guarded", URITemplate: "/vases/{id}/guarded", RequirePrecondition: true},
		operation.Post{Name: "keyed", URITemplate: "/vases/keyed", Idempotency: time.Hour},
	)
	api, err := resource.New(resource.Config{
		Logger: slog.New(slog.DiscardHandler), Middleware: middleware, MaxURLBytes: 200, MaxBodyBytes: 200,
		Authentication: []access.Scheme{spec.Bearer(), access.Cookie("session", "sid", func(context.Context, string) (*spec.Captain, access.Scopes, error) {
			return spec.Captains["ann"], nil, nil
		})},
		Formats: append(format.Standard(), jsonld.Format, jsonapi.Format),
	}, resource.Of[Vase]{
		CacheControl: "max-age=3600", Operations: operations, Store: awayStore{memory.New(Vase{1, "Ming"}, Vase{2, "Qing"})},
		Access: access.Rules{Read: access.Authenticated, Create: access.Authenticated, Update: access.Authenticated, Delete: spec.IsAdmin},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(openapi.Mount(api, openapi.Config{Access: spec.IsAdmin}), mcp.Mount(api, mcp.Config{Hosts: []string{"example.com"}})); err != nil {
		t.Fatal(err)
	}
	api.Router().Get("/readyz", api.Readyz)
	return spec.Client{T: t, Handler: api}
}

// errorSources are requests that return errors, one for each source, with the status.
var errorSources = []struct {
	source, who, request, body string
	header                     []string
	status                     int
}{
	{"an unknown path", "", "GET /nothing", "", nil, 404},
	{"an unknown path below the prefix", "", "GET /api/nothing", "", nil, 404},
	{"an unknown method", "", "DELETE /api/vases", "", nil, 405},
	{"a long URL", "", "GET /api/vases?" + strings.Repeat("x", 300), "", nil, 414},
	{"the list of collections", "", "GET /api", "", []string{"Accept", "image/png"}, 406},
	{"no credentials", "", "GET /api/vases", "", nil, 401},
	{"bad credentials", "forged", "GET /api/vases", "", nil, 401},
	{"credentials that cannot be checked", "outage", "GET /api/vases", "", nil, 503},
	{"a scheme that panics", "panic", "GET /api/vases", "", nil, 500},
	{"a page of another origin", "", "POST /api/vases", `{"name":"a"}`, []string{"Cookie", "sid=1", "Sec-Fetch-Site", "cross-site"}, 403},
	{"an access rule", "ann", "DELETE /api/vases/1", "", nil, 403},
	{"a missing record", "ann", "GET /api/vases/9", "", nil, 404},
	{"HEAD of a missing record", "ann", "HEAD /api/vases/9", "", nil, 404},
	{"negotiation", "ann", "GET /api/vases/1", "", []string{"Accept", "image/png"}, 406},
	{"an unknown parameter", "ann", "GET /api/vases?nme=a", "", nil, 400},
	{"an unknown parameter, as JSON:API", "ann", "GET /api/vases.jsonapi?nme=a", "", nil, 400},
	{"an unknown parameter, as JSON-LD", "ann", "GET /api/vases.jsonld?nme=a", "", nil, 400},
	{"an unknown parameter, of a stream", "ann", "GET /api/vases.ndjson?nme=a", "", nil, 400},
	{"a precondition of a reader", "ann", "GET /api/vases/1", "", []string{"If-Match", `"x"`}, 412},
	{"a precondition of a writer", "ann", "PATCH /api/vases/1", `{"name":"a"}`, []string{"If-Match", `"x"`}, 412},
	{"no precondition", "ann", "PATCH /api/vases/1/guarded", `{"name":"a"}`, nil, 428},
	{"a media type", "ann", "POST /api/vases", `name=a`, []string{"Content-Type", "text/plain"}, 415},
	{"a large body", "ann", "POST /api/vases", `{"name":"` + strings.Repeat("x", 300) + `"}`, nil, 413},
	{"a malformed body", "ann", "POST /api/vases", `{`, nil, 400},
	{"an invalid body", "ann", "POST /api/vases", `{"name":""}`, nil, 400},
	{"a value that is not unique", "ann", "POST /api/vases", `{"name":"Ming"}`, nil, 409},
	{"a malformed idempotency key", "ann", "POST /api/vases/keyed", `{"name":"a"}`, []string{"Idempotency-Key", `""`}, 400},
	{"a hook that panics", "ann", "GET /api/vases/boom", "", nil, 500},
	{"a hook that fails", "ann", "GET /api/vases/fault", "", nil, 500},
	{"an error of a hook's own", "ann", "GET /api/vases/own", "", nil, 418},
	{"a store out of reach", "ann", "GET /api/vases/away", "", nil, 503},
	{"a timeout", "ann", "GET /api/vases/late", "", nil, 503},
	{"readiness", "", "GET /readyz", "", nil, 503},
	{"the guard of the document, without credentials", "", "GET /api/docs.json", "", nil, 401},
	{"the guard of the document, by its rule", "ann", "GET /api/docs", "", nil, 403},
	{"the version of the document", "root", "GET /api/docs.json?version=2", "", nil, 400},
	{"a precondition of the document", "root", "GET /api/docs.json", "", []string{"If-Match", `"x"`}, 412},
	{"a range of the document", "root", "GET /api/docs.yaml", "", []string{"Range", "bytes=99999999-"}, 416},
	{"a precondition of a file", "", "GET /api/docs/swagger-ui.css", "", []string{"If-Match", `"x"`}, 412},
	{"a range of a file", "", "GET /api/docs/icon.svg", "", []string{"Range", "bytes=99999999-"}, 416},
	{"a precondition of a document of a format", "root", "GET /api/docs.jsonld", "", []string{"If-Match", `"x"`}, 412},
	{"a method of agents", "", "GET /mcp", "", nil, 405},
	{"a host of agents", "", "POST http://y.example/mcp", `{}`, nil, 403},
	{"bad credentials of agents", "forged", "POST /mcp", `{}`, nil, 401},
	{"a batch of agents", "ann", "POST /mcp", `[]`, nil, 400},
	{"a message of agents that is not JSON-RPC", "ann", "POST /mcp", `{}`, []string{"Accept", "application/json, text/event-stream"}, 400},
}

func TestEveryErrorIsNoStore(t *testing.T) {
	t.Parallel()
	c := newVases(t)
	for _, test := range errorSources {
		t.Run(test.source, func(t *testing.T) {
			t.Parallel()
			c := spec.Client{T: t, Handler: c.Handler}
			c.As(test.who, test.request, test.body, test.header...).HasStatus(test.status).Has("Cache-Control", "no-store")
		})
	}
}

// TestEveryErrorOfMiddlewareIsNoStore is about errors around operations: of middleware that has set a lifetime before.
func TestEveryErrorOfMiddlewareIsNoStore(t *testing.T) {
	t.Parallel()
	lasting := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", "public, max-age=86400")
			next.ServeHTTP(w, r)
		})
	}
	limiting := func(next http.Handler) http.Handler {
		limited := middlewares.Rate(1)(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/api/vases/1" {
				limited.ServeHTTP(w, r)
			} else {
				next.ServeHTTP(w, r)
			}
		})
	}
	c := newVases(t, lasting, limiting)
	c.As("ann", "GET /api/vases/1", "").HasStatus(200).Has("Cache-Control", "private, max-age=3600")
	c.As("ann", "GET /api/vases/1", "").HasStatus(429).Has("Cache-Control", "no-store")
	c.As("ann", "GET /api/vases/9", "").HasStatus(404).Has("Cache-Control", "no-store")
	c.As("ann", "GET /nothing", "").HasStatus(404).Has("Cache-Control", "no-store")
	c.As("root", "GET /api/docs.json", "", "If-Match", `"x"`).HasStatus(412).Has("Cache-Control", "no-store")
}

func TestAnOverloadedServiceIsNotCached(t *testing.T) {
	t.Parallel()
	inside, leave := make(chan struct{}), make(chan struct{})
	wait := faultyGet("wait", func(context.Context) error { close(inside); <-leave; return nil })
	c := spec.NewClient(t, resource.Config{MaxConcurrent: 1}, resource.Of[Vase]{
		CacheControl: "max-age=3600", Operations: append(operation.Standard(), wait),
		Access: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public},
	})
	done := make(chan spec.Response)
	go func() { done <- c.Send("GET /api/vases/wait", "") }()
	<-inside
	c.Send("GET /api/vases", "").IsProblem(503).Has("Cache-Control", "no-store")
	close(leave)
	(<-done).HasStatus(200).Has("Cache-Control", "max-age=3600")
}

// TestOnlyErrorsAreNoStore shows that successful responses keep the Cache-Control of the resource.
func TestOnlyErrorsAreNoStore(t *testing.T) {
	t.Parallel()
	c := newVases(t)
	tag := c.As("ann", "GET /api/vases/1", "").HasStatus(200).Has("Cache-Control", "private, max-age=3600").Header.Get("ETag")
	c.As("ann", "GET /api/vases/1", "", "If-None-Match", tag).HasStatus(304).Has("Cache-Control", "private, max-age=3600")
	c.As("ann", "GET /api/vases.ndjson", "").HasStatus(200).Has("Cache-Control", "private, max-age=3600")
	c.As("root", "GET /api/docs.json", "").HasStatus(200).Has("Cache-Control", "private, no-cache")
	c.As("", "GET /api/docs/swagger-ui.css", "").HasStatus(200).Has("Cache-Control", "no-cache")
	c.As("", "GET /api/docs/swagger-ui.css", "", "Range", "bytes=0-9").HasStatus(206).Has("Cache-Control", "no-cache")
	c.As("", "GET /api", "", "Accept", "text/html").HasStatus(200).Has("Cache-Control", "private, no-cache")
	c.As("ann", "PATCH /api/vases/1", `{"name":"Tang"}`).HasStatus(200).Has("Cache-Control", "")
}
