package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/access/session"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Member signs in with a password.
type Member struct {
	ID       int64  `json:"id"`
	Name     string `json:"name" validate:"notblank" api:"unique"`
	Password string `json:"password" validate:"min=8" api:"password,createonly"`
}

// newClub serves an API whose callers sign in, behind a limit of five sign-ins, changes of password and registrations.
func newClub(t *testing.T, config mcp.Config) *service {
	t.Helper()
	members := memory.New[Member]()
	accounts := &password.Accounts[Member]{
		Store: members, Name: "name", Password: func(m *Member) *string { return &m.Password },
		Hasher: &password.Hasher{Memory: 64, Passes: 1},
	}
	sessions, err := session.New(session.Config[Member]{Accounts: accounts})
	if err != nil {
		t.Fatal(err)
	}
	api, err := resource.New(resource.Config{
		Authentication: []access.Scheme{sessions.Scheme()},
		Around:         []resource.Around{{Operations: []string{"loginSession", "passwordSession", "createMember"}, Middleware: middleware.Rate(5)}},
	}, resource.Of[Member]{Store: members, BeforeTransaction: accounts.Hash, Access: access.Only(access.Public)}, sessions.Resource())
	if err == nil {
		err = mcp.Mount(api, config)
	}
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	return &service{t: t, url: server.URL, log: &lines{}}
}

func TestOperationsThatBeginASessionOrSetAPasswordAreNoTools(t *testing.T) {
	t.Parallel()
	want := []string{"deleteMember", "getMember", "listMembers", "patchMember", "updateMember"}
	if diff := cmp.Diff(want, newClub(t, mcp.Config{}).agent("").tools()); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	with := mcp.Config{With: []string{"createMember", "loginSession", "logoutSession"}}
	want = append(want, with.With...)
	slices.Sort(want)
	if diff := cmp.Diff(want, newClub(t, with).agent("").tools()); diff != "" {
		t.Errorf("tools with With (-want +got):\n%s", diff)
	}
}

func TestANestedSecretIsASecret(t *testing.T) {
	t.Parallel()
	type Access struct {
		Key string `json:"key" api:"writeonly"`
	}
	type Printer struct {
		ID    int64 `json:"id"`
		Ready bool  `json:"ready" api:"writeonly"` // a writeonly value, and not text
	}
	type Reset struct {
		NewPassword string `json:"newPassword"`
	}
	reset := func(context.Context, *Printer, Reset) (struct{}, error) { return struct{}{}, nil }
	type Camera struct {
		ID     int64    `json:"id"`
		Access []Access `json:"access"`
	}
	api := declare(t, resource.Config{}, resource.Of[Printer]{Operations: []operation.Operation{
		operation.Post{}, operation.Post{Name: "reset", URITemplate: "/printers/reset", Handler: operation.Handle(reset)},
	}},
		resource.Of[Camera]{Operations: []operation.Operation{operation.Get{}, operation.Post{}}})
	if diff := cmp.Diff([]string{"createPrinter", "getCamera"}, serve(t, api).agent("").tools()); diff != "" {
		t.Error(diff)
	}
}

// Pin is a secret with a type of its own.
type Pin struct{ digits string }

func (p Pin) MarshalText() ([]byte, error)     { return []byte(p.digits), nil }
func (p *Pin) UnmarshalText(text []byte) error { p.digits = string(text); return nil }

// accepts is a handler with a body of some type.
func accepts[In any]() operation.Handler {
	return operation.Handle(func(context.Context, *Shelf, In) (struct{}, error) { return struct{}{}, nil })
}

func TestAnOperationThatTakesAPasswordOfAnyTypeIsNoTool(t *testing.T) {
	t.Parallel()
	type credentials struct {
		Password string `json:"password"`
	}
	type query struct {
		Password string `json:"adminPassword"`
	}
	operations := []operation.Operation{
		operation.Get{Name: "parameter", URITemplate: "/parameter", Parameters: operation.Parameters[query]{}, Handler: accepts[struct{}]()},
	}
	for name, handler := range map[string]operation.Handler{
		"text": accepts[credentials](),
		"own": accepts[struct {
			Password Pin `json:"password"`
		}](),
		"pointer": accepts[struct {
			Password *string `json:"password"`
		}](),
		"bytes": accepts[struct {
			Password []byte `json:"password"`
		}](),
		"list": accepts[struct {
			Passwords []string `json:"passwords"`
		}](),
		"map": accepts[struct {
			Passwords map[string]string `json:"oldPasswords"`
		}](),
		"any": accepts[struct {
			Password any `json:"password"`
		}](),
		"number": accepts[struct {
			Password int `json:"passwordPin"`
		}](),
		"nested": accepts[struct {
			Login *credentials `json:"login"`
		}](),
		"logins": accepts[struct {
			Logins map[string][]credentials `json:"logins"`
		}](),
		"body": accepts[[]credentials](),
		"secretBytes": accepts[struct {
			Key []byte `json:"key" api:"writeonly"`
		}](),
		"secretText": accepts[struct {
			Key Pin `json:"key" api:"writeonly"`
		}](),
		"secretJSON": accepts[struct {
			Key json.RawMessage `json:"key" api:"writeonly"`
		}](),
		"secretObject": accepts[struct {
			Keys map[string]struct {
				Key string `json:"key"`
			} `json:"keys" api:"writeonly"`
		}](),
		"harmless": accepts[struct {
			Name string     `json:"name"`
			Fast bool       `json:"fast" api:"writeonly"`
			At   *time.Time `json:"at" api:"writeonly"`
			Pass []int      `json:"pass" api:"writeonly"`
		}](),
	} {
		operations = append(operations, operation.Post{Name: name, URITemplate: "/" + name, Handler: handler})
	}
	api := declare(t, resource.Config{}, resource.Of[Shelf]{Operations: operations})
	if diff := cmp.Diff([]string{"harmlessShelf"}, serve(t, api).agent("").tools()); diff != "" {
		t.Error(diff)
	}
}

// A limit of operations counts calls of agents and requests over HTTP together.
func TestALimitOfOperationsHoldsForAgents(t *testing.T) {
	t.Parallel()
	s := newClub(t, mcp.Config{With: []string{"createMember", "loginSession"}})
	agent := s.agent("")
	guess := func(i int) string { return fmt.Sprintf(`{"name":"m%d","password":"%d is a guess"}`, i, i) }
	for i := range 2 {
		agent.does("createMember", guess(i))
	}
	s.send("", "POST /api/members", guess(2), http.StatusCreated)
	s.send("", "POST /api/members.json", guess(3), http.StatusCreated)
	if _, err := agent.CallTool(t.Context(), &sdk.CallToolParams{Name: "loginSession", Arguments: json.RawMessage(`{"name":"m1","password":"wrong"}`)}); err == nil {
		t.Error("a wrong password signs in")
	}
	agent = s.agent("")
	for range 2 {
		if text := agent.fails("loginSession", `{"name":"m1","password":"wrong"}`); !strings.Contains(text, `"status":429`) || !strings.Contains(text, "Retry-After") {
			t.Errorf("the sixth call returns %s", text)
		}
		if text := agent.fails("createMember", guess(9)); !strings.Contains(text, `"status":429`) {
			t.Errorf("the sixth call returns %s", text)
		}
	}
	s.send("", "POST /api/members", guess(9), http.StatusTooManyRequests)
	s.send("", "POST /api/login", `{"name":"m1","password":"wrong"}`, http.StatusTooManyRequests)
	s.send("", "GET /api/members", "", http.StatusOK)
	if got := agent.does("listMembers", `{}`)["items"].([]any); len(got) != 4 {
		t.Errorf("%d members are registered, want 4", len(got))
	}
}

type tenantKey struct{}

func TestMiddlewareOfOperationsRunsInOrderForAgents(t *testing.T) {
	t.Parallel()
	note := func(name string) func(http.Handler) http.Handler {
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				trail, _ := r.Context().Value(tenantKey{}).(string)
				trail += name + " " + r.Method + " " + r.URL.Path + "; "
				next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), tenantKey{}, trail)))
			})
		}
	}
	panics := func(http.Handler) http.Handler {
		return http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("the secret of a middleware") })
	}
	trail := func(ctx context.Context, _ *Shelf, _ struct{}) (string, error) {
		text, _ := ctx.Value(tenantKey{}).(string)
		return text, nil
	}
	api := declare(t, resource.Config{Around: []resource.Around{
		{Operations: []string{"trailShelf"}, Middleware: note("outer")},
		{Operations: []string{"trailShelf", "getShelf"}, Middleware: note("inner")},
		{Operations: []string{"deleteShelf"}, Middleware: panics},
	}}, resource.Of[Shelf]{Operations: append(operation.Standard(),
		operation.Get{Name: "trail", URITemplate: "/trail", Handler: operation.Handle(trail)})})
	s := serve(t, api)
	want := "outer GET /api/trail; inner GET /api/trail; "
	if got := s.agent("").does("trailShelf", `{}`)["value"]; got != want {
		t.Errorf("an agent's call passes %q, want %q", got, want)
	}
	if got := s.send("", "GET /api/trail", "", 200); got != `"`+want+`"` {
		t.Errorf("a request passes %s, want %q", got, want)
	}
	if text := s.agent("").fails("deleteShelf", `{"code":"x"}`); strings.Contains(text, "secret") || !strings.Contains(text, "urn:uuid:") {
		t.Errorf("a panic returns %s", text)
	}
}
