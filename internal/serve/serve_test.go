package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/serve"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Coin is the record of the tests.
type Coin struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank,max=400" api:"filter"`
	Mint  string `json:"mint" api:"unique" message:"unique: This mint is known"`
	Value int    `json:"value" validate:"gte=0" api:"sort"`
	Owner string `json:"owner"`
	Note  string `json:"note"`
}

// collector is who signs in: by the bearer token that is their name.
type collector struct{ Name string }

func authenticate(_ context.Context, token string) (*collector, access.Scopes, error) {
	switch token {
	case "Ada", "Bob":
		return &collector{token}, access.Scopes{"coins"}, nil
	case "broken":
		return nil, nil, errors.New("the directory of ada-secret is out of reach")
	case "nothing":
		return nil, nil, nil
	}
	return nil, nil, access.ErrCredentials
}

// bench has the servers of the operations of coins, without any router, and what they have logged.
type bench struct {
	testing.TB
	servers map[string]*serve.Operation // by the name of the operation, else its method and kind: "POST", "GET list"
	log     *bytes.Buffer
}

// newBench makes servers of coins. Each of them has an empty pool, so that a test knows which request came before another.
func newBench(t testing.TB, config resource.Config, coins resource.Of[Coin]) *bench {
	t.Helper()
	b := &bench{TB: t, servers: map[string]*serve.Operation{}, log: &bytes.Buffer{}}
	config.Logger = slog.New(slog.NewJSONHandler(b.log, nil))
	if coins.Store == nil {
		coins.Store = memory.New(Coin{Name: "Ducat", Mint: "Venice", Value: 7, Owner: "Ada"})
	}
	api, err := resource.New(config, coins)
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range compiled.Of(api).Resources[0].Operations {
		name := op.Name
		if name == "" {
			name = op.Method
		}
		if op.Pages {
			name += " list"
		}
		b.servers[name] = op.Server.(*serve.Operation)
	}
	return b
}

// send sends a request to the server of an operation. Fields are names and values of the header.
func (b *bench) send(operation, target, body string, fields ...string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	b.serve(w, operation, target, body, fields...)
	return w
}

func (b *bench) serve(w http.ResponseWriter, operation, target, body string, fields ...string) {
	b.Helper()
	server := b.servers[operation]
	if server == nil {
		b.Fatalf("there is no operation %q", operation)
	}
	method, _, _ := strings.Cut(operation, " ")
	if method != strings.ToUpper(method) {
		method = http.MethodPost
	}
	r := httptest.NewRequestWithContext(b.Context(), method, target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	server.ServeHTTP(w, r)
}

// is checks the status of a response.
func (b *bench) is(w *httptest.ResponseRecorder, status int) {
	b.Helper()
	if w.Code != status {
		b.Fatalf("the status is %d, want %d: %s", w.Code, status, w.Body)
	}
}

// problemOf returns the problem that a response is.
func (b *bench) problemOf(w *httptest.ResponseRecorder) map[string]any {
	b.Helper()
	var found map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &found); err != nil {
		b.Fatalf("the body is not JSON: %v: %s", err, w.Body)
	}
	return found
}

// guarded declares coins with a scheme and rules, so that requests have all steps.
func guarded(coins resource.Of[Coin]) (resource.Config, resource.Of[Coin]) {
	owner := access.Equal("owner", func(c *collector) string { return c.Name })
	coins.Access = access.Rules{Read: access.Public, Create: owner, Update: owner, Delete: owner}
	return resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}}, coins
}

// failing declares coins with an operation whose handler returns the error of fail.
func failing(fail func(ctx context.Context) error) resource.Of[Coin] {
	return resource.Of[Coin]{Operations: []operation.Operation{
		operation.Get{},
		operation.Post{Name: "mint", URITemplate: "/mint", Handler: operation.Handle(
			func(ctx context.Context, _ *Coin, _ struct{}) (struct{}, error) { return struct{}{}, fail(ctx) },
		)},
	}}
}
