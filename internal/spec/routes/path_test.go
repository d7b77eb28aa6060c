package routes_test

import (
	"net/http"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/spec"
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
	c.Send("DELETE /api/programmers", "").IsProblem(405).Has("Allow", "GET, HEAD, POST, OPTIONS")
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
			{"/api/programmers", "GET, HEAD, POST, OPTIONS", "application/json", ""},
			{"/api/programmers.json", "GET, HEAD, POST, OPTIONS", "application/json", ""},
			{"/api/programmers.ndjson", "GET, HEAD, OPTIONS", "", ""},
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
