package access_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

func TestMissingCredentialsAreReportedInOrder(t *testing.T) {
	t.Parallel()
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{}, resource.Of[spec.Captain]{})
	for name, test := range map[string]struct{ request, body string }{
		"a malformed body":       {"POST /api/hoards", `{"name"`},
		"an unknown parameter":   {"POST /api/hoards?x=1", `{}`},
		"an unknown suffix type": {"PATCH /api/hoards/1", `[]`},
		"a missing record":       {"PATCH /api/hoards/99", `{}`},
		"a hidden record":        {"PATCH /api/hoards/2", `{}`},
		"a delete":               {"DELETE /api/hoards/1", ""},
		"no number":              {"DELETE /api/hoards/x", ""},
	} {
		t.Run(name, func(*testing.T) {
			f.Send(test.request, test.body).IsProblem(401).Has("WWW-Authenticate", `Bearer realm="token"`)
		})
	}
	f.Send("POST /api/hoards", `{}`, "Accept", "text/csv", "Content-Type", "text/csv").IsProblem(401)
}

func TestPathsAndMethodsAreTheSameForEveryone(t *testing.T) {
	t.Parallel()
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{}, resource.Of[spec.Captain]{})
	f.Send("OPTIONS /api/hoards", "").HasStatus(204)
	f.Send("GET /api/nope", "").IsProblem(404)
	f.Send("DELETE /api/hoards", "").IsProblem(405)
	f.As("ann", "GET /api/hoards?access_token=ann", "").IsProblem(400).Mentions("access_token")
}

func TestScopesAreCheckedBeforeTheBody(t *testing.T) {
	t.Parallel()
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{}, resource.Of[spec.Captain]{})
	for _, request := range []string{"POST /api/hoards", "PATCH /api/hoards/1", "PATCH /api/hoards/2", "PATCH /api/hoards/99"} {
		f.As("ann-plain", request, `{"name"`).IsProblem(403).
			Has("WWW-Authenticate", `Bearer realm="token", error="insufficient_scope", scope="hoard:write"`)
	}
	f.As("forged", "POST /api/hoards", `{}`).IsProblem(401).Has("WWW-Authenticate", `Bearer realm="token", error="invalid_token"`)
	f.As("forged", "GET /api/captains", "").IsProblem(401).Has("WWW-Authenticate", `Bearer realm="token", error="invalid_token"`)
	// A right that no scope gives names none.
	f.As("bob-plain", "DELETE /api/hoards/1", "").IsProblem(403).Has("WWW-Authenticate", "")
}

func TestARecordThatMayNotBeSeenIsMissing(t *testing.T) {
	t.Parallel()
	onStores(t, func(f spec.Crewed) {
		for _, who := range []string{"", "bob"} {
			for _, request := range []string{"GET /api/hoards/%", "HEAD /api/hoards/%", "GET /api/hoards/%.json"} {
				hidden := f.As(who, strings.Replace(request, "%", "2", 1), "")
				missing := f.As(who, strings.Replace(request, "%", "99", 1), "")
				if hidden.HasStatus(404).Body != missing.HasStatus(404).Body || !maps.EqualFunc(hidden.Header, missing.Header, slices.Equal) {
					t.Errorf("%s tells %q: %s %v, and of a missing one %s %v", request, who, hidden.Body, hidden.Header, missing.Body, missing.Header)
				}
			}
		}
		hidden, missing := f.As("bob", "PATCH /api/hoards/2", `{"name":""}`, "If-Match", `"x"`), f.As("bob", "PATCH /api/hoards/99", `{"name":""}`, "If-Match", `"x"`)
		if hidden.HasStatus(404).Body != missing.HasStatus(404).Body {
			t.Errorf("a change tells: %s, and of a missing one %s", hidden.Body, missing.Body)
		}
		f.As("ann", "GET /api/hoards/2", "").Is(200, `{"id":2,"name":"draft","published":false,"owner":1,"worth":5}`)
		f.As("root", "GET /api/hoards/2", "").HasStatus(200)
		f.As("", "GET /api/hoards/1", "").HasStatus(200)
	})
}

func TestARecordThatMayBeSeenButNotChangedIsForbidden(t *testing.T) {
	t.Parallel()
	onStores(t, func(f spec.Crewed) {
		for _, body := range []string{`{"name":"mine"}`, `{"name":`, `{"name":7}`, `{"nope":1}`} {
			f.As("bob", "PATCH /api/hoards/1", body).IsProblem(403)
			f.As("bob", "PUT /api/hoards/1", body, "If-Match", `"stale"`).IsProblem(403)
		}
		f.As("bob", "DELETE /api/hoards/3", "").IsProblem(403)
		f.As("ann", "GET /api/hoards/1", "").Mentions(`"name":"gold"`)
		f.As("ann", "PATCH /api/hoards/1", `{"name":`).IsProblem(400)
		f.As("ann", "PATCH /api/hoards/1", `{"name":"more gold"}`, "If-Match", `"stale"`).IsProblem(412)
		f.As("ann", "PATCH /api/hoards/1", `{"name":"more gold"}`).HasStatus(200)
	})
}

func TestNoCallerGivesAwayOrTakesARecordAgainstTheRule(t *testing.T) {
	t.Parallel()
	onStores(t, func(f spec.Crewed) {
		f.As("ann", "PATCH /api/hoards/1", `{"owner":2}`).IsProblem(403)
		f.As("ann", "PUT /api/hoards/1", `{"owner":2}`).IsProblem(403)
		f.As("ann", "PATCH /api/hoards/1", `{"owner":2,"name":""}`).HasStatus(400)
		f.As("ann", "GET /api/hoards/1", "").Mentions(`"owner":1`)
		f.As("ann", "POST /api/hoards", `{"name":"theirs","owner":2}`).IsProblem(403)
		f.As("ann", "POST /api/hoards", `{"name":"gold","owner":2}`).IsProblem(403) // and not 409
		f.As("ann", "POST /api/hoards", `{"name":"gold","owner":1}`).IsProblem(409)
		f.As("root", "PATCH /api/hoards/1", `{"owner":2}`).HasStatus(200)
		f.As("ann", "PATCH /api/hoards/1", `{"name":"mine again"}`).IsProblem(403)
		f.As("root", "GET /api/hoards", "").Has("X-Total-Count", "3")
	})
}

func TestCollectionsHaveWhatTheirReaderMaySee(t *testing.T) {
	t.Parallel()
	onStores(t, func(f spec.Crewed) {
		for who, want := range map[string]struct{ names, total string }{
			"":     {"gold silver", "2"},
			"bob":  {"gold silver", "2"},
			"ann":  {"draft gold silver", "3"},
			"root": {"draft gold silver", "3"},
		} {
			for _, query := range []string{"?sort=name", "?sort=name&itemsPerPage=10", "?order[name]=asc&page=1"} {
				got := f.As(who, "GET /api/hoards"+query, "").HasStatus(200).Has("X-Total-Count", want.total).Has("Vary", "Accept, Authorization").
					Has("Cache-Control", "private, no-cache")
				if names := namesIn(got.Body); names != want.names {
					t.Errorf("%q sees %s with %s, want %s", who, names, query, want.names)
				}
			}
			stream := f.As(who, "GET /api/hoards.ndjson?sort=name", "").HasStatus(200)
			if names := namesIn(stream.Body); names != want.names {
				t.Errorf("%q streams %s, want %s", who, names, want.names)
			}
			f.As(who, "GET /api/hoards?itemsPerPage=0", "").Is(200, `[]`).Has("X-Total-Count", want.total)
		}
		for _, query := range []string{"name=draft", "q=draft", "published=false", "owner=1&worth[lt]=7"} {
			f.As("bob", "GET /api/hoards?"+query, "").Is(200, `[]`).Has("X-Total-Count", "0")
			f.As("ann", "GET /api/hoards?"+query, "").Has("X-Total-Count", "1")
		}
	})
}

// namesIn returns the names in a response, in order.
func namesIn(body string) string {
	var names []string
	for _, part := range strings.Split(body, `"name":"`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

func TestACursorIsNoCapability(t *testing.T) {
	t.Parallel()
	onStores(t, func(f spec.Crewed) {
		first := f.As("root", "GET /api/hoards?sort=-name&itemsPerPage=1&cursor=", "").HasStatus(200)
		_, rest, ok := strings.Cut(first.Header.Get("Link"), `rel="first", <`)
		next, _, _ := strings.Cut(rest, ">")
		if !ok || next == "" {
			f.T.Fatalf("no next page: %s", first.Header.Get("Link"))
		}
		next = strings.Replace(next, "itemsPerPage=1", "itemsPerPage=9", 1)
		if names := namesIn(f.As("root", "GET "+next, "").HasStatus(200).Body); names != "gold draft" {
			t.Errorf("root goes on with %s", names)
		}
		if names := namesIn(f.As("bob", "GET "+next, "").HasStatus(200).Body); names != "gold" {
			t.Errorf("bob goes on with %s", names)
		}
	})
}

func TestTheResponseToACreateShowsTheRecordToItsAuthor(t *testing.T) {
	t.Parallel()
	rules := spec.HoardRules
	rules.Read, rules.Create = spec.IsAdmin, spec.MayWrite
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{Access: rules}, resource.Of[spec.Captain]{})
	f.As("bob", "POST /api/hoards", `{"name":"new"}`).HasStatus(201).Mentions(`"name":"new"`)
	f.As("bob", "GET /api/hoards/4", "").IsProblem(404)
	f.As("bob", "GET /api/hoards", "").IsProblem(403) // no record could be seen
	f.Send("GET /api/hoards", "").IsProblem(401)
	f.Send("GET /api/hoards/4", "").IsProblem(401)
	f.Send("GET /api/hoards/99", "").IsProblem(401)
	f.As("root", "GET /api/hoards/4", "").HasStatus(200)
}

func TestOnlyTheLogHasTheReasonOfADenial(t *testing.T) {
	t.Parallel()
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{}, resource.Of[spec.Captain]{})
	refused := f.As("bob", "PATCH /api/hoards/1", `{}`).IsProblem(403)
	hidden := f.As("bob", "GET /api/hoards/2", "").IsProblem(404)
	for _, text := range []string{
		`rule="(owner or admin) and scope hoard:write" because="owner: no, admin: no, scope hoard:write: yes"`,
		`rule="published or owner or admin" because="published: no, owner: no, admin: no"`,
		"operation=patchHoard", "level=INFO",
	} {
		if !strings.Contains(f.Log.String(), text) {
			t.Errorf("the log does not have %s: %s", text, f.Log)
		}
	}
	for _, body := range []string{refused.Body, hidden.Body} {
		if strings.Contains(body, "owner") || strings.Contains(body, "admin") {
			t.Errorf("the answer tells of the rule: %s", body)
		}
	}
	if strings.Contains(f.Log.String(), "Bearer") {
		t.Errorf("the log has credentials: %s", f.Log)
	}
}

type priced struct {
	Worth int `json:"worth"`
}

func TestHandlersNeedTheRuleOfWhatTheyCanDo(t *testing.T) {
	t.Parallel()
	ran := 0
	appraise := func(_ context.Context, h *spec.Hoard, in priced) (*spec.Hoard, error) {
		ran++
		h.Worth = &in.Worth
		return h, nil
	}
	give := func(_ context.Context, h *spec.Hoard, _ struct{}) (struct{}, error) {
		h.Owner = 2
		return struct{}{}, nil
	}
	look := func(_ context.Context, h *spec.Hoard, _ struct{}) (spec.Hoard, error) { return *h, nil }
	count := func(context.Context, *spec.Hoard, struct{}) (priced, error) { return priced{3}, nil }
	rules := hoardRulesWith(map[string]access.Field{"worth": {Read: access.Any(spec.IsOwner, spec.IsAdmin)}})
	rules.Create = spec.MayWrite
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{Access: rules, Operations: append(operation.Standard(),
		operation.Post{Name: "appraise", URITemplate: "/hoards/{id}/appraise", Handler: operation.Handle(appraise)},
		operation.Post{Name: "give", URITemplate: "/hoards/{id}/give", Handler: operation.Handle(give)},
		operation.Get{Name: "look", URITemplate: "/hoards/{id}/look", Handler: operation.Handle(look)},
		operation.Post{Name: "count", URITemplate: "/count", Handler: operation.Handle(count)},
		operation.Post{Name: "audit", URITemplate: "/audit", Handler: operation.Handle(count), Access: spec.IsAdmin, Hidden: true},
	)}, resource.Of[spec.Captain]{})
	f.As("", "POST /api/hoards/1/appraise", `{"worth":1}`).IsProblem(401)
	f.As("bob", "POST /api/hoards/1/appraise", `{"worth"`).IsProblem(403)
	f.As("bob", "POST /api/hoards/2/appraise", `{"worth":1}`).IsProblem(404)
	f.As("ann-plain", "POST /api/hoards/1/appraise", `{"worth":1}`).IsProblem(403)
	if ran != 0 {
		t.Error("the handler has run")
	}
	f.As("ann", "POST /api/hoards/1/appraise", `{"worth":1}`).HasStatus(200).Mentions(`"worth":1`)
	f.As("ann", "POST /api/hoards/1/give", "").IsProblem(403)
	f.As("ann", "GET /api/hoards/1", "").Mentions(`"owner":1`)
	f.As("root", "POST /api/hoards/1/give", "").HasStatus(204)
	f.As("ann", "GET /api/hoards/1/look", "").Is(200, `{"id":1,"name":"gold","published":true,"owner":2}`)
	f.As("bob", "GET /api/hoards/1/look", "").Is(200, `{"id":1,"name":"gold","published":true,"owner":2,"worth":1}`)
	f.As("bob", "GET /api/hoards/2/look", "").IsProblem(404)
	f.As("ann", "POST /api/count", "").HasStatus(200)
	f.As("ann-plain", "POST /api/count", "").IsProblem(403)
	f.As("ann", "POST /api/audit", "").IsProblem(403)
	f.As("", "POST /api/audit", "").IsProblem(401)
	f.As("root", "POST /api/audit", "").HasStatus(200)
}

func hoardRulesWith(members map[string]access.Field) access.Rules {
	rules := spec.HoardRules
	rules.Fields = members
	return rules
}

func TestAnOperationHasItsOwnRule(t *testing.T) {
	t.Parallel()
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{Operations: append(operation.Standard(),
		operation.GetCollection{Name: "all", URITemplate: "/all", Access: spec.IsAdmin},
		operation.GetCollection{Name: "mine", URITemplate: "/mine", Access: spec.IsOwner},
		operation.Patch{Name: "publish", URITemplate: "/publish/{id}", Access: spec.IsAdmin},
		operation.Get{Name: "peek", URITemplate: "/peek/{id}", Access: access.Public},
	)}, resource.Of[spec.Captain]{})
	f.As("", "GET /api/all", "").IsProblem(401)
	f.As("bob", "GET /api/all?nope=1", "").IsProblem(403)
	f.As("root", "GET /api/all", "").Has("X-Total-Count", "3")
	f.As("", "GET /api/mine", "").IsProblem(401)
	f.As("ann", "GET /api/mine?sort=name", "").Has("X-Total-Count", "2")
	f.As("bob", "GET /api/mine?published=false", "").Is(200, `[]`)
	f.As("ann", "PATCH /api/publish/1", `{}`).IsProblem(403)
	f.As("root", "PATCH /api/publish/1", `{}`).HasStatus(200)
	f.As("", "GET /api/peek/2", "").HasStatus(200).Has("Cache-Control", "no-cache").Has("Vary", "Accept")
}

func TestAMiddlewareMayNameThePrincipal(t *testing.T) {
	t.Parallel()
	named := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if who := spec.Captains[r.Header.Get("X-User")]; who != nil {
				r = r.WithContext(operation.WithPrincipal(r.Context(), who))
			}
			next.ServeHTTP(w, r)
		})
	}
	c := spec.NewClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{named}}, resource.Of[spec.Hoard]{Access: access.Rules{
		Read: access.Any(spec.Published, spec.IsOwner), Update: spec.IsOwner, Create: spec.IsOwner, Delete: spec.IsOwner,
	}})
	c.Send("POST /api/hoards", `{"name":"gold","owner":1}`).IsProblem(403).Has("WWW-Authenticate", "")
	c.Send("POST /api/hoards", `{"name":"gold","owner":1}`, "X-User", "bob").IsProblem(403)
	c.Send("POST /api/hoards", `{"name":"gold","owner":1}`, "X-User", "ann").HasStatus(201)
	c.Send("GET /api/hoards", "", "X-User", "ann").Has("X-Total-Count", "1")
	c.Send("GET /api/hoards", "").Is(200, `[]`).Has("Vary", "Accept, Authorization, Cookie")
	c.Send("DELETE /api/hoards/1", "", "X-User", "bob").IsProblem(404) // Delete has no rule, but Read has
	c.Send("DELETE /api/hoards/1", "", "X-User", "ann").HasStatus(204)
}

func TestAStoredResponseGrantsNoAccess(t *testing.T) {
	t.Parallel()
	rank := true
	scheme := access.Bearer("token", func(_ context.Context, token string) (*spec.Captain, access.Scopes, error) {
		scopes := access.Scopes{"hoard:write"}
		if token != "ann" {
			return nil, nil, access.ErrCredentials
		}
		if !rank {
			scopes = nil
		}
		return &spec.Captain{ID: 1, Admin: rank}, scopes, nil
	})
	declared := resource.Of[spec.Hoard]{Idempotency: time.Hour, Access: access.Rules{
		Read: access.Public, Update: spec.IsAdmin, Delete: spec.IsAdmin, Create: access.Any(spec.MayWrite, spec.IsOwner),
		Fields: map[string]access.Field{"worth": {Read: spec.IsAdmin}},
	}}
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{scheme}}, declared)
	const body = `{"name":"gold","owner":1,"worth":7}`
	first := c.As("ann", "POST /api/hoards", body, "Idempotency-Key", "k").HasStatus(201).Mentions("worth")
	again := c.As("ann", "POST /api/hoards", body, "Idempotency-Key", "k").HasStatus(201).Has("Idempotent-Replayed", "true")
	if first.Body != again.Body {
		t.Errorf("the answers differ: %s, %s", first.Body, again.Body)
	}
	rank = false
	refused := c.As("ann", "POST /api/hoards", body, "Idempotency-Key", "k").IsProblem(403)
	if strings.Contains(refused.Body, "gold") {
		t.Errorf("the kept answer says: %s", refused.Body)
	}
	c.As("ann", "GET /api/hoards", "").Has("X-Total-Count", "1")
}

func TestFailingRulesDenyEveryone(t *testing.T) {
	t.Parallel()
	fault := errors.New("the engine is down")
	var answer error
	engine := access.Filter("engine", func(context.Context, *spec.Captain) ([]store.Condition, error) { return nil, answer })
	check := access.Check("check", func(ctx context.Context, h *spec.Hoard) (bool, error) {
		req, ok := operation.RequestFrom(ctx)
		if !ok || req.Principal == nil || h.Name == "panic" {
			panic("no request")
		}
		return h.Name != "no", answer
	})
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{Access: access.Rules{
		Read: engine, Create: access.Any(spec.IsAdmin, spec.IsOwner), Update: check, Delete: check,
	}}, resource.Of[spec.Captain]{})
	f.As("bob", "GET /api/hoards", "").Has("X-Total-Count", "3")
	f.As("bob", "GET /api/hoards/2", "").HasStatus(200)
	f.As("bob", "PATCH /api/hoards/2", `{"name":"no"}`).IsProblem(403) // as it becomes
	f.As("bob", "PATCH /api/hoards/2", `{"name":"panic"}`).IsProblem(500)
	f.As("bob", "PATCH /api/hoards/2", `{"name":"yes"}`).HasStatus(200)
	f.As("", "GET /api/hoards", "").IsProblem(401)
	for status, err := range map[int]error{
		500: fault, 503: store.ErrUnavailable, 402: operation.Error{Status: 402},
	} {
		answer = err
		for _, request := range []string{"GET /api/hoards", "GET /api/hoards/2", "PATCH /api/hoards/2", "DELETE /api/hoards/2", "GET /api/hoards.ndjson"} {
			body := ""
			if strings.HasPrefix(request, "PATCH") {
				body = `{}`
			}
			f.As("bob", request, body).IsProblem(status)
		}
	}
}

func TestPutMayCreateWhatItsSenderMayCreate(t *testing.T) {
	t.Parallel()
	allow := access.Check("no one else's", func(_ context.Context, p *spec.Programmer) (bool, error) { return p.AvatarNumber < 5, nil })
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}, Logger: slog.New(slog.DiscardHandler)}, resource.Of[spec.Programmer]{
		Operations: []operation.Operation{operation.Put{AllowCreate: true}, operation.Get{}},
		Access:     access.Rules{Read: access.Public, Create: access.All(access.Authenticated, allow), Update: spec.IsAdmin},
	})
	c.Send("PUT /api/programmers/ada", `{}`).IsProblem(401)
	c.As("bob", "PUT /api/programmers/ada", `{"avatarNumber":7}`).IsProblem(403)
	c.As("bob", "PUT /api/programmers/ada", `{"avatarNumber":1}`).HasStatus(201)
	c.As("bob", "PUT /api/programmers/ada", `{"avatarNumber":1}`).IsProblem(403)
	c.As("root", "PUT /api/programmers/ada", `{"avatarNumber":9}`).HasStatus(200)
}

func TestNotOfARuleOnThePrincipalHoldsOnlyForItsType(t *testing.T) {
	t.Parallel()
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{Operations: append(operation.Standard(),
		operation.GetCollection{Name: "a", URITemplate: "/a", Access: access.Not(spec.IsAdmin)},
		operation.GetCollection{Name: "b", URITemplate: "/b", Access: access.Not(spec.IsOwner)},
		operation.GetCollection{Name: "c", URITemplate: "/c", Access: access.Not(access.Any(spec.Published, spec.IsOwner))},
		operation.GetCollection{Name: "d", URITemplate: "/d", Access: access.Not(access.All(spec.Published, access.Not(spec.IsAdmin)))},
		operation.GetCollection{Name: "e", URITemplate: "/e", Access: access.Not(access.Authenticated)},
	)}, resource.Of[spec.Captain]{})
	for path, want := range map[string][4]string{ // anonymous, ann, bob, root
		"a": {"401", "3", "3", "403"},
		"b": {"401", "1", "2", "3"},
		"c": {"401", "0", "1", "1"},
		"d": {"1", "1", "1", "3"},
		"e": {"3", "403", "403", "403"},
	} {
		for i, who := range []string{"", "ann", "bob", "root"} {
			got := f.As(who, "GET /api/"+path, "")
			if total := got.Header.Get("X-Total-Count"); total != want[i] && http.StatusText(got.Status) != http.StatusText(atoi(want[i])) {
				t.Errorf("%s for %q: %d, %s records; want %s", path, who, got.Status, total, want[i])
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

// onStores runs a test on crews in stores of each sort.
func onStores(t *testing.T, check func(f spec.Crewed)) {
	t.Helper()
	captains := spec.Stores[spec.Captain](t)
	for name, hoards := range spec.Stores[spec.Hoard](t) {
		t.Run(name, func(t *testing.T) {
			check(spec.NewCrew(t, resource.Of[spec.Hoard]{Store: hoards}, resource.Of[spec.Captain]{Store: captains[name]}))
		})
	}
}
