package routes_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func TestFormatSuffixes(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{
		Store: memory.New(spec.DragonTreasure{Name: "Cup"}),
		Operations: append(operation.Standard(),
			operation.Get{Name: "plain", URITemplate: "/plunder/{id}"},
			operation.GetCollection{Name: "plainList", URITemplate: "/plunder"},
			operation.GetCollection{Name: "suffixed", URITemplate: "/loot{._format}"},
		),
	})
	for path, status := range map[string]int{
		"/api/dragon_treasures.json":     200,
		"/api/dragon_treasures/1.json":   200,
		"/api/dragon_treasures.foo":      404,
		"/api/dragon_treasures/1.foo":    404,
		"/api/dragon_treasures/1.json/":  404,
		"/api/dragon_treasures/":         404,
		"/api/dragon_treasures/1/":       404,
		"/api/dragon_treasures/1%2Ejson": 404,
		"/api/plunder":                   200,
		"/api/plunder.json":              404,
		"/api/plunder/1":                 200,
		"/api/plunder/1.json":            404,
		"/api/loot.json":                 200,
		"/api/loot":                      200,
		"/api/dragon_treasures/1.json.x": 404,
	} {
		if got := c.Send("GET "+path, ""); got.Status != status {
			t.Errorf("GET %s is %d, want %d: %s", path, got.Status, status, got.Body)
		}
	}
	c.Send("GET /api/dragon_treasures.json", "", "Accept", "text/csv").HasStatus(200).Has("Content-Type", "application/json")
	c.Send("POST /api/dragon_treasures.json", spec.Slinky).HasStatus(201).Has("Location", "/api/dragon_treasures/2")
}

func TestIdentifiersOfAnyText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ rule, nickname, path string }{
		{"a plain one", "ada", "/api/programmers/ada"},
		{"dots", "a.b.c", "/api/programmers/a.b.c"},
		{"an encoded slash", "a/b", "/api/programmers/a%2Fb"},
		{"a space", "a b", "/api/programmers/a%20b"},
		{"a percent sign", "100%", "/api/programmers/100%25"},
		{"what looks encoded", "a%2Fb", "/api/programmers/a%252Fb"},
		{"any script", "日本é", "/api/programmers/%E6%97%A5%E6%9C%AC%C3%A9"},
		{"a suffix of its own", "x.json", "/api/programmers/x%2Ejson"},
		{"an unknown suffix", "x.csv", "/api/programmers/x.csv"},
		{"a lone dot", ".", "/api/programmers/%2E"},
		{"a question mark and a hash", "a?b#c", "/api/programmers/a%3Fb%23c"},
		{"braces and a star", "{id}*", "/api/programmers/%7Bid%7D%2A"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Programmer]{Store: memory.New(spec.Programmer{Nickname: test.nickname})})
			c.Send("GET "+test.path, "").HasStatus(200).Mentions(spec.CanonicalString(test.nickname))
			fresh := spec.NewClient(t, resource.Config{}, resource.Of[spec.Programmer]{})
			location := fresh.Send("POST /api/programmers", `{"nickname":`+spec.CanonicalString(test.nickname)+`}`).
				HasStatus(201).Header.Get("Location")
			fresh.Send("GET "+location, "").HasStatus(200).Mentions(spec.CanonicalString(test.nickname))
		})
	}
}

func TestEachRecordHasOnePath(t *testing.T) {
	t.Parallel()
	type Token struct {
		ID uuid.UUID `json:"id" api:"id"`
	}
	token := Token{uuid.MustParse("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")}
	c := spec.NewClient(t, resource.Config{},
		resource.Of[spec.DragonTreasure]{Store: memory.New(spec.DragonTreasure{Name: "Cup"})},
		resource.Of[Token]{Store: memory.New(token)})
	for path, status := range map[string]int{
		"/api/dragon_treasures/1":                            200,
		"/api/dragon_treasures/01":                           404,
		"/api/dragon_treasures/+1":                           404,
		"/api/dragon_treasures/1e0":                          404,
		"/api/dragon_treasures/1.0":                          404,
		"/api/dragon_treasures/-0":                           404,
		"/api/dragon_treasures/abc":                          404,
		"/api/dragon_treasures/99999999999999999999999":      404,
		"/api/dragon_treasures/%00":                          404,
		"/api/dragon_treasures/1%00":                         404,
		"/api/dragon_treasures/%FF":                          404,
		"/api/dragon_treasures/./1":                          404,
		"/api/dragon_treasures//1":                           404,
		"/api/tokens/0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b":   200,
		"/api/tokens/0190A1B2-C3D4-7E5F-8A9B-0C1D2E3F4A5B":   404,
		"/api/tokens/0190a1b2c3d47e5f8a9b0c1d2e3f4a5b":       404,
		"/api/tokens/{0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b}": 404,
		"/api/tokens/none":                                   404,
	} {
		if got := c.Send("GET "+path, ""); got.Status != status {
			t.Errorf("GET %s is %d, want %d: %s", path, got.Status, status, got.Body)
		}
	}
}

func TestAPrefixIsTheCompletePath(t *testing.T) {
	t.Parallel()
	for prefix, base := range map[string]string{"": "/api", "/": "", "/v1/shop": "/v1/shop"} {
		c := spec.NewClient(t, resource.Config{Prefix: prefix}, resource.Of[spec.DragonTreasure]{})
		c.Send("POST "+base+"/dragon_treasures", spec.Slinky).HasStatus(201).Has("Location", base+"/dragon_treasures/1")
		c.Send("GET "+base+"/dragon_treasures/1.json", "").HasStatus(200)
		index := base
		if index == "" {
			index = "/"
		}
		c.Send("GET "+index, "").Is(200, `{"DragonTreasure":"`+base+`/dragon_treasures"}`)
	}
}

func TestMountedInAnotherRouter(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[spec.Programmer]{Store: memory.New(spec.Programmer{Nickname: "a/b"})})
	if err != nil {
		t.Fatal(err)
	}
	outer := chi.NewRouter()
	outer.Get("/health", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	outer.Mount("/", api)
	c := spec.Client{T: t, Handler: outer}
	c.Send("GET /health", "").HasStatus(418)
	c.Send("GET /api/programmers/a%2Fb.json", "").HasStatus(200)
	c.Send("DELETE /api/programmers", "").IsProblem(405).Has("Allow", "GET, HEAD, QUERY, POST, OPTIONS")
	c.Send("GET /elsewhere", "").IsProblem(404)
}

func TestRoutesOfTheUsersOwn(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[spec.DragonTreasure]{})
	if err != nil {
		t.Fatal(err)
	}
	api.Router().Get("/reports/{name}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(chi.URLParam(r, "name")))
	})
	c := spec.Client{T: t, Handler: api}
	for segment, want := range map[string]string{"year.json": "year.json", "a%20b": "a b", "a%2Fb": "a%2Fb"} {
		if got := c.Send("GET /reports/"+segment, "").HasStatus(200).Body; got != want {
			t.Errorf("of %s the route got %q, want %q as from chi alone", segment, got, want)
		}
	}
	c.Send("POST /reports/x", "").IsProblem(405).Has("Allow", "GET")
	c.Send("POST /reports/a%20b", "").IsProblem(405).Has("Allow", "GET")
}

// No response suggests a suffix that returns 404, because operations at one path may have different formats.
func TestWhatIsAllowedAtAPathWithASuffix(t *testing.T) {
	t.Parallel()
	through := func(next http.Handler) http.Handler { return next }
	for _, middleware := range [][]func(http.Handler) http.Handler{nil, {through}} {
		c := spec.NewClient(t, resource.Config{Middleware: middleware}, resource.Of[spec.Programmer]{
			Store: memory.New(spec.Programmer{Nickname: "ada"}),
			Operations: []operation.Operation{
				operation.Get{},
				operation.Patch{},
				operation.GetCollection{},
				operation.Post{},
				operation.Put{URITemplate: "/programmers/{nickname}"},
				operation.Delete{URITemplate: "/programmers/{nickname}"},
			},
		})
		for _, test := range []struct{ path, allow, post, patch string }{
			{"/api/programmers/ada", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS", "", "application/merge-patch+json, application/json"},
			{"/api/programmers/ada.json", "GET, HEAD, PATCH, OPTIONS", "", "application/merge-patch+json, application/json"},
			{"/api/programmers", "GET, HEAD, QUERY, POST, OPTIONS", "application/json", ""},
			{"/api/programmers.json", "GET, HEAD, QUERY, POST, OPTIONS", "application/json", ""},
			{"/api/programmers.ndjson", "GET, HEAD, QUERY, OPTIONS", "", ""},
		} {
			c.Send("OPTIONS "+test.path, "").HasStatus(204).Has("Allow", test.allow).Has("Accept-Post", test.post).Has("Accept-Patch", test.patch)
			c.Send("TRACE "+test.path, "").IsProblem(405).Has("Allow", test.allow)
		}
		for _, request := range []string{"PUT /api/programmers/ada.json", "DELETE /api/programmers/ada.json", "POST /api/programmers.ndjson"} {
			c.Send(request, "{}").IsProblem(404)
		}
		c.Send("GET /api/programmers/ada.json", "").HasStatus(200)
	}
}

func TestHEADForEveryGET(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{Store: memory.New(spec.DragonTreasure{Name: "Cup"})})
	for _, path := range []string{"/api", "/api/dragon_treasures", "/api/dragon_treasures/1", "/api/dragon_treasures/1.json"} {
		got := c.Send("GET "+path, "").HasStatus(200)
		c.Send("HEAD "+path, "").Is(200, "").
			Has("Content-Length", got.Header.Get("Content-Length")).Has("Content-Type", "application/json")
	}
	c.Send("HEAD /api/dragon_treasures/9", "").Is(404, "").Has("Content-Type", "application/problem+json")
}

func TestOPTIONS(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{})
	c.Send("OPTIONS /api/dragon_treasures", "").Is(204, "").
		Has("Allow", "GET, HEAD, QUERY, POST, OPTIONS").Has("Accept-Post", "application/json").Has("Accept-Patch", "")
	c.Send("OPTIONS /api/dragon_treasures/1", "").Is(204, "").
		Has("Allow", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS").
		Has("Accept-Patch", "application/merge-patch+json, application/json").Has("Accept-Post", "")
	c.Send("OPTIONS /api", "").Is(204, "").Has("Allow", "GET, HEAD, OPTIONS")
	c.Send("OPTIONS /nowhere", "").IsProblem(404)
}

func TestRemovedOperations(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{
		Operations: []operation.Operation{operation.GetCollection{}, operation.Post{}},
	})
	c.Send("POST /api/dragon_treasures", spec.Slinky).HasStatus(201).Has("Location", "")
	c.Send("PUT /api/dragon_treasures", "{}").IsProblem(405).Has("Allow", "GET, HEAD, QUERY, POST, OPTIONS")
	c.Send("GET /api/dragon_treasures/1", "").IsProblem(404)
	c.Send("DELETE /api/dragon_treasures/1", "").IsProblem(404)

	c = spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{Operations: []operation.Operation{}})
	c.Send("GET /api/dragon_treasures", "").IsProblem(404)
	c.Send("GET /api", "").Is(200, `{}`)
}

func TestTheIndexListsTheCollections(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{},
		resource.Of[spec.Programmer]{},
		resource.Of[spec.DragonTreasure]{ShortName: "Treasure"},
		resource.Of[spec.Vessel]{Operations: []operation.Operation{operation.Get{}}})
	got := c.Send("GET /api", "", "Accept", "text/html, */*;q=0.1").HasStatus(200).Has("Vary", "Accept")
	if want := `{"Programmer":"/api/programmers","Treasure":"/api/treasures"}`; got.Body != want {
		t.Errorf("the index is %s, want %s", got.Body, want)
	}
	c.Send("GET /api", "", "Accept", "image/png").IsProblem(406)
}

func TestARouteShadowedByAnOperationIsReported(t *testing.T) {
	t.Parallel()
	said := func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`"mine"`)) }
	const never = "; change the route's path, or remove the operation"
	for name, test := range map[string]struct {
		add    func(chi.Router)
		errors []string // nil for none
		mine   []string // requests that reach the routes
	}{
		"a route at a collection": {
			add:    func(r chi.Router) { r.Get("/api/programmers", said) },
			errors: []string{"Programmer: the operation listProgrammers at GET /api/programmers shadows your route /api/programmers" + never},
		},
		"a route at a record, with a variable of another name": {
			add:    func(r chi.Router) { r.Get("/api/programmers/{name}", said) },
			errors: []string{"the operation getProgrammer at GET /api/programmers/{nickname} shadows your route /api/programmers/{name}" + never},
		},
		"a route for all methods": {
			add:    func(r chi.Router) { r.Handle("/api/programmers", http.HandlerFunc(said)) },
			errors: []string{"GET /api/programmers shadows", "HEAD /api/programmers shadows", "POST /api/programmers shadows"},
			mine:   []string{"PUT /api/programmers"},
		},
		"a handler mounted at a collection": {
			add:    func(r chi.Router) { r.Mount("/api/programmers", http.HandlerFunc(said)) },
			errors: []string{"GET /api/programmers shadows", "shadows your route /api/programmers/*" + never},
		},
		"a router with a root mounted at a record": {
			add:    func(r chi.Router) { r.Route("/api/programmers/{nickname}", func(r chi.Router) { r.Get("/", said) }) },
			errors: []string{"GET /api/programmers/{nickname} shadows"},
		},
		"a router mounted below a record": {
			add: func(r chi.Router) {
				r.Route("/api/programmers/{nickname}", func(r chi.Router) { r.Get("/avatar", said) })
			},
			mine: []string{"GET /api/programmers/grace/avatar"},
		},
		"a route beside a record": {
			add:  func(r chi.Router) { r.Get("/api/programmers/newest", said) },
			mine: []string{"GET /api/programmers/newest"},
		},
		"a method that the path does not have": {
			add:  func(r chi.Router) { r.Delete("/api/programmers", said) },
			mine: []string{"DELETE /api/programmers"},
		},
	} {
		for _, middleware := range [][]func(http.Handler) http.Handler{nil, {func(next http.Handler) http.Handler { return next }}} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				var log bytes.Buffer
				api, err := resource.New(resource.Config{Middleware: middleware, Logger: slog.New(slog.NewTextHandler(&log, nil))},
					resource.Of[spec.Programmer]{Store: memory.New(spec.Programmer{Nickname: "grace"})})
				if err != nil {
					t.Fatal(err)
				}
				test.add(api.Router())
				told := api.Check()
				if mounted := openapi.Mount(api, openapi.Config{Title: "T", Version: "1"}); (mounted == nil) != (test.errors == nil) {
					t.Errorf("Mount returns %v", mounted)
				}
				c := spec.Client{T: t, Handler: api}
				const grace = `{"nickname":"grace","avatarNumber":0,"tagLine":"","userId":0}`
				for range 2 {
					c.Send("GET /api/programmers", "").Is(200, "["+grace+"]")
					c.Send("GET /api/programmers/grace", "").Is(200, grace)
					c.Send("GET /api/programmers/grace.json", "").Is(200, grace)
					c.Send("POST /api/programmers", `{}`).HasStatus(400)
				}
				for _, request := range test.mine {
					c.Send(request, "").Is(200, `"mine"`)
				}
				if test.errors == nil && (told != nil || log.Len() > 0) {
					t.Errorf("a route that is called says: %v, %s", told, log.String())
				}
				for _, want := range test.errors {
					if told == nil || !strings.Contains(told.Error(), want) {
						t.Errorf("Check returns %v, which does not have %q", told, want)
					}
					if strings.Count(log.String(), want) < 1 {
						t.Errorf("the log is %s, which does not have %q", log.String(), want)
					}
				}
				if n := strings.Count(log.String(), "a route is never called"); told != nil && n != strings.Count(told.Error(), "\n")+1 {
					t.Errorf("%d lines are logged of:\n%v", n, told)
				}
			})
		}
	}
}
