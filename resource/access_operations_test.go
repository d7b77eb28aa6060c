package resource_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

type priced struct {
	Worth int `json:"worth"`
}

func TestHandlersAreAskedForWhatTheyCouldDo(t *testing.T) {
	t.Parallel()
	ran := 0
	appraise := func(_ context.Context, h *Hoard, in priced) (*Hoard, error) {
		ran++
		h.Worth = &in.Worth
		return h, nil
	}
	give := func(_ context.Context, h *Hoard, _ struct{}) (struct{}, error) {
		h.Owner = 2
		return struct{}{}, nil
	}
	look := func(_ context.Context, h *Hoard, _ struct{}) (Hoard, error) { return *h, nil }
	count := func(context.Context, *Hoard, struct{}) (priced, error) { return priced{3}, nil }
	rules := hoardRulesWith(map[string]access.Member{"worth": {Read: access.Any(isOwner, isAdmin)}})
	rules.Create = mayWrite
	f := newCrew(t, resource.Of[Hoard]{Access: rules, Operations: append(operation.Standard(),
		operation.Post{Name: "appraise", URITemplate: "/hoards/{id}/appraise", Handler: operation.Handle(appraise)},
		operation.Post{Name: "give", URITemplate: "/hoards/{id}/give", Handler: operation.Handle(give)},
		operation.Get{Name: "look", URITemplate: "/hoards/{id}/look", Handler: operation.Handle(look)},
		operation.Post{Name: "count", URITemplate: "/count", Handler: operation.Handle(count)},
		operation.Post{Name: "audit", URITemplate: "/audit", Handler: operation.Handle(count), Access: isAdmin, Hidden: true},
	)}, resource.Of[Captain]{})
	f.as("", "POST /api/hoards/1/appraise", `{"worth":1}`).isProblem(401)
	f.as("bob", "POST /api/hoards/1/appraise", `{"worth"`).isProblem(403)
	f.as("bob", "POST /api/hoards/2/appraise", `{"worth":1}`).isProblem(404)
	f.as("ann-plain", "POST /api/hoards/1/appraise", `{"worth":1}`).isProblem(403)
	if ran != 0 {
		t.Error("the handler has run")
	}
	f.as("ann", "POST /api/hoards/1/appraise", `{"worth":1}`).hasStatus(200).mentions(`"worth":1`)
	f.as("ann", "POST /api/hoards/1/give", "").isProblem(403)
	f.as("ann", "GET /api/hoards/1", "").mentions(`"owner":1`)
	f.as("root", "POST /api/hoards/1/give", "").hasStatus(204)
	f.as("ann", "GET /api/hoards/1/look", "").is(200, `{"id":1,"name":"gold","published":true,"owner":2}`)
	f.as("bob", "GET /api/hoards/1/look", "").is(200, `{"id":1,"name":"gold","published":true,"owner":2,"worth":1}`)
	f.as("bob", "GET /api/hoards/2/look", "").isProblem(404)
	f.as("ann", "POST /api/count", "").hasStatus(200)
	f.as("ann-plain", "POST /api/count", "").isProblem(403)
	f.as("ann", "POST /api/audit", "").isProblem(403)
	f.as("", "POST /api/audit", "").isProblem(401)
	f.as("root", "POST /api/audit", "").hasStatus(200)
}

func hoardRulesWith(members map[string]access.Member) access.Rules {
	rules := hoardRules
	rules.Members = members
	return rules
}

func TestAnOperationHasItsOwnRule(t *testing.T) {
	t.Parallel()
	f := newCrew(t, resource.Of[Hoard]{Operations: append(operation.Standard(),
		operation.GetCollection{Name: "all", URITemplate: "/all", Access: isAdmin},
		operation.GetCollection{Name: "mine", URITemplate: "/mine", Access: isOwner},
		operation.Patch{Name: "publish", URITemplate: "/publish/{id}", Access: isAdmin},
		operation.Get{Name: "peek", URITemplate: "/peek/{id}", Access: access.Public},
	)}, resource.Of[Captain]{})
	f.as("", "GET /api/all", "").isProblem(401)
	f.as("bob", "GET /api/all?nope=1", "").isProblem(403)
	f.as("root", "GET /api/all", "").has("X-Total-Count", "3")
	f.as("", "GET /api/mine", "").isProblem(401)
	f.as("ann", "GET /api/mine?sort=name", "").has("X-Total-Count", "2")
	f.as("bob", "GET /api/mine?published=false", "").is(200, `[]`)
	f.as("ann", "PATCH /api/publish/1", `{}`).isProblem(403)
	f.as("root", "PATCH /api/publish/1", `{}`).hasStatus(200)
	f.as("", "GET /api/peek/2", "").hasStatus(200).has("Cache-Control", "no-cache").has("Vary", "Accept")
}

func TestAMiddlewareMayNameThePrincipal(t *testing.T) {
	t.Parallel()
	named := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if who := crew[r.Header.Get("X-User")]; who != nil {
				r = r.WithContext(operation.WithPrincipal(r.Context(), who))
			}
			next.ServeHTTP(w, r)
		})
	}
	c := newClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{named}}, resource.Of[Hoard]{Access: access.Rules{
		Read: access.Any(published, isOwner), Update: isOwner, Create: isOwner, Delete: isOwner,
	}})
	c.send("POST /api/hoards", `{"name":"gold","owner":1}`).isProblem(403).has("WWW-Authenticate", "")
	c.send("POST /api/hoards", `{"name":"gold","owner":1}`, "X-User", "bob").isProblem(403)
	c.send("POST /api/hoards", `{"name":"gold","owner":1}`, "X-User", "ann").hasStatus(201)
	c.send("GET /api/hoards", "", "X-User", "ann").has("X-Total-Count", "1")
	c.send("GET /api/hoards", "").is(200, `[]`).has("Vary", "Accept, Authorization, Cookie")
	c.send("DELETE /api/hoards/1", "", "X-User", "bob").isProblem(404) // Delete has no rule, but Read has
	c.send("DELETE /api/hoards/1", "", "X-User", "ann").hasStatus(204)
}

func TestAKeptAnswerIsNoCapability(t *testing.T) {
	t.Parallel()
	rank := true
	scheme := access.Bearer("token", func(_ context.Context, token string) (*Captain, access.Scopes, error) {
		scopes := access.Scopes{"hoard:write"}
		if token != "ann" {
			return nil, nil, access.ErrCredentials
		}
		if !rank {
			scopes = nil
		}
		return &Captain{ID: 1, Admin: rank}, scopes, nil
	})
	declared := resource.Of[Hoard]{Idempotency: time.Hour, Access: access.Rules{
		Read: access.Public, Update: isAdmin, Delete: isAdmin, Create: access.Any(mayWrite, isOwner),
		Members: map[string]access.Member{"worth": {Read: isAdmin}},
	}}
	c := newClient(t, resource.Config{Authentication: []access.Scheme{scheme}}, declared)
	const body = `{"name":"gold","owner":1,"worth":7}`
	first := c.as("ann", "POST /api/hoards", body, "Idempotency-Key", "k").hasStatus(201).mentions("worth")
	again := c.as("ann", "POST /api/hoards", body, "Idempotency-Key", "k").hasStatus(201).has("Idempotent-Replayed", "true")
	if first.body != again.body {
		t.Errorf("the answers differ: %s, %s", first.body, again.body)
	}
	rank = false
	refused := c.as("ann", "POST /api/hoards", body, "Idempotency-Key", "k").isProblem(403)
	if strings.Contains(refused.body, "gold") {
		t.Errorf("the kept answer is told: %s", refused.body)
	}
	c.as("ann", "GET /api/hoards", "").has("X-Total-Count", "1")
}

func TestRulesThatFailLetNobodyPass(t *testing.T) {
	t.Parallel()
	fault := errors.New("the engine is down")
	var answer error
	engine := access.Filter("engine", func(context.Context, *Captain) ([]store.Condition, error) { return nil, answer })
	check := access.Check("check", func(ctx context.Context, h *Hoard) (bool, error) {
		req, ok := operation.RequestFrom(ctx)
		if !ok || req.Principal == nil || h.Name == "panic" {
			panic("no request")
		}
		return h.Name != "no", answer
	})
	f := newCrew(t, resource.Of[Hoard]{Access: access.Rules{
		Read: engine, Create: access.Any(isAdmin, isOwner), Update: check, Delete: check,
	}}, resource.Of[Captain]{})
	f.as("bob", "GET /api/hoards", "").has("X-Total-Count", "3")
	f.as("bob", "GET /api/hoards/2", "").hasStatus(200)
	f.as("bob", "PATCH /api/hoards/2", `{"name":"no"}`).isProblem(403) // as it becomes
	f.as("bob", "PATCH /api/hoards/2", `{"name":"panic"}`).isProblem(500)
	f.as("bob", "PATCH /api/hoards/2", `{"name":"yes"}`).hasStatus(200)
	f.as("", "GET /api/hoards", "").isProblem(401)
	for status, err := range map[int]error{
		500: fault, 503: store.ErrUnavailable, 402: operation.Error{Status: 402},
	} {
		answer = err
		for _, request := range []string{"GET /api/hoards", "GET /api/hoards/2", "PATCH /api/hoards/2", "DELETE /api/hoards/2", "GET /api/hoards.ndjson"} {
			body := ""
			if strings.HasPrefix(request, "PATCH") {
				body = `{}`
			}
			f.as("bob", request, body).isProblem(status)
		}
	}
}

func TestPutMayCreateWhatItsSenderMayCreate(t *testing.T) {
	t.Parallel()
	allow := access.Check("no one else's", func(_ context.Context, p *Programmer) (bool, error) { return p.AvatarNumber < 5, nil })
	c := newClient(t, resource.Config{Authentication: []access.Scheme{bearer()}, Logger: slog.New(slog.DiscardHandler)}, resource.Of[Programmer]{
		Operations: []operation.Operation{operation.Put{AllowCreate: true}, operation.Get{}},
		Access:     access.Rules{Read: access.Public, Create: access.All(access.Authenticated, allow), Update: isAdmin},
	})
	c.send("PUT /api/programmers/ada", `{}`).isProblem(401)
	c.as("bob", "PUT /api/programmers/ada", `{"avatarNumber":7}`).isProblem(403)
	c.as("bob", "PUT /api/programmers/ada", `{"avatarNumber":1}`).hasStatus(201)
	c.as("bob", "PUT /api/programmers/ada", `{"avatarNumber":1}`).isProblem(403)
	c.as("root", "PUT /api/programmers/ada", `{"avatarNumber":9}`).hasStatus(200)
}

func TestNotOfWhatAsksThePrincipalHoldsForItsTypeAlone(t *testing.T) {
	t.Parallel()
	f := newCrew(t, resource.Of[Hoard]{Operations: append(operation.Standard(),
		operation.GetCollection{Name: "a", URITemplate: "/a", Access: access.Not(isAdmin)},
		operation.GetCollection{Name: "b", URITemplate: "/b", Access: access.Not(isOwner)},
		operation.GetCollection{Name: "c", URITemplate: "/c", Access: access.Not(access.Any(published, isOwner))},
		operation.GetCollection{Name: "d", URITemplate: "/d", Access: access.Not(access.All(published, access.Not(isAdmin)))},
		operation.GetCollection{Name: "e", URITemplate: "/e", Access: access.Not(access.Authenticated)},
	)}, resource.Of[Captain]{})
	for path, want := range map[string][4]string{ // nobody, ann, bob, root
		"a": {"401", "3", "3", "403"},
		"b": {"401", "1", "2", "3"},
		"c": {"401", "0", "1", "1"},
		"d": {"1", "1", "1", "3"},
		"e": {"3", "403", "403", "403"},
	} {
		for i, who := range []string{"", "ann", "bob", "root"} {
			got := f.as(who, "GET /api/"+path, "")
			if total := got.header.Get("X-Total-Count"); total != want[i] && http.StatusText(got.status) != http.StatusText(atoi(want[i])) {
				t.Errorf("%s for %q: %d, %s records; want %s", path, who, got.status, total, want[i])
			}
		}
	}
}

func atoi(text string) int {
	n := 0
	for _, digit := range text {
		n = 10*n + int(digit-'0')
	}
	return n
}
