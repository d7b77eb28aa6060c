package routes_test

import (
	"context"
	"net/http"
	"slices"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// through sends everything through the router, as a middleware makes it do.
func through(next http.Handler) http.Handler { return next }

// TestResponsesAreTheSameWithAndWithoutTheRouter sends requests to two APIs, one of which
// serves plain requests without its router.
func TestResponsesAreTheSameWithAndWithoutTheRouter(t *testing.T) {
	t.Parallel()
	declarations := func() []resource.Declaration {
		return []resource.Declaration{
			resource.Of[spec.DragonTreasure]{Store: memory.New(spec.DragonTreasure{Name: "One"}, spec.DragonTreasure{Name: "Two"})},
			resource.Of[spec.Programmer]{Store: memory.New(spec.Programmer{Nickname: "grace"}, spec.Programmer{Nickname: "a.json"}, spec.Programmer{Nickname: "a/b"})},
			resource.Of[spec.Mug]{ShortName: "Cup", Operations: []operation.Operation{
				operation.Get{URITemplate: "/shelf/{id}"},
				operation.GetCollection{URITemplate: "/shelf"},
				operation.Get{Name: "top", URITemplate: "/shelf/top/{id}"},
				operation.GetCollection{Name: "odd", URITemplate: "/shelf/odd{._format}"},
			}},
		}
	}
	plain := spec.NewClient(t, resource.Config{}, declarations()...)
	routed := spec.NewClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{through}}, declarations()...)
	for _, path := range []string{
		"/api/dragon_treasures", "/api/dragon_treasures?page=1&itemsPerPage=1", "/api/dragon_treasures?limt=5", "/api/dragon_treasures/1",
		"/api/dragon_treasures/1?x=1", "/api/dragon_treasures/01", "/api/dragon_treasures/1.json", "/api/dragon_treasures/1.xml", "/api/dragon_treasures/1/",
		"/api/dragon_treasures/", "/api/dragon_treasures/9", "/api/dragon_treasures/x", "/api/dragon_treasures/%31", "/api/dragon_treasures//1",
		"/api/dragon_treasures.json", "/api/dragon_treasures.ndjson", "/api/dragon_treasures/..", "/api/dragon_treasures/1/2", "/api", "/api/", "/",
		"/api/programmers/grace", "/api/programmers/a.json.json", "/api/programmers/a%2Fb", "/api/programmers/a/b", "/api/programmers/gr%61ce",
		"/api/shelf", "/api/shelf/1", "/api/shelf/odd", "/api/shelf/odd.json", "/api/shelf/top", "/api/shelf/top/1", "/dragon_treasures",
	} {
		for _, method := range []string{"GET", "HEAD", "OPTIONS", "PATCH", "DELETE", "POST", "BREW"} {
			got, want := plain.Send(method+" "+path, ""), routed.Send(method+" "+path, "")
			if got.Status != want.Status || got.Body != want.Body {
				t.Errorf("%s %s is answered %d %s without the router and %d %s with it", method, path, got.Status, got.Body, want.Status, want.Body)
			}
			for _, field := range []string{"Allow", "Content-Type", "Content-Length", "ETag", "Link", "Location", "Vary", "X-Total-Count", "Cache-Control"} {
				got.Has(field, want.Header.Get(field))
			}
		}
	}
}

func TestRoutesOfTheUsersGoBeforeOperations(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[spec.Programmer]{Store: memory.New(spec.Programmer{Nickname: "newest"})}, resource.Of[spec.Mug]{})
	if err != nil {
		t.Fatal(err)
	}
	said := func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("mine")) }
	api.Router().Get("/api/programmers/newest", said)
	api.Router().Mount("/api/mugs/7", http.HandlerFunc(said))
	c := spec.Client{T: t, Handler: api}
	for _, path := range []string{"/api/programmers/newest", "/api/mugs/7"} {
		if got := c.Send("GET "+path, "").Body; got != "mine" {
			t.Errorf("GET %s is answered %s", path, got)
		}
	}
	c.Send("GET /api/programmers/other", "").IsProblem(404)
}

func TestHooksFindWhatChiSaysOfARequest(t *testing.T) {
	t.Parallel()
	plain := func(next http.Handler) http.Handler { return next }
	for name, middleware := range map[string][]func(http.Handler) http.Handler{"directly": nil, "by the router": {plain}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said []string
			c := spec.NewClient(t, resource.Config{Middleware: middleware}, resource.Of[spec.Programmer]{
				Store: memory.New(spec.Programmer{Nickname: "grace"}),
				Prepare: func(ctx context.Context, req *operation.Request, _ *spec.Programmer) error {
					route := chi.RouteContext(req.HTTP().Context())
					said = append(said, chi.URLParam(req.HTTP(), "nickname"), chi.URLParamFromCtx(ctx, "nickname"),
						route.RoutePattern(), route.RouteMethod, req.HTTP().PathValue("nickname"), req.HTTP().Pattern, req.Variables()["nickname"])
					return nil
				},
			})
			c.Send("PATCH /api/programmers/grace", `{}`).HasStatus(200)
			const pattern = "/api/programmers/{nickname}"
			if want := []string{"grace", "grace", pattern, "PATCH", "grace", pattern, "grace"}; !slices.Equal(said, want) {
				t.Errorf("chi says %q, want %q", said, want)
			}
		})
	}
}

func TestAnAPIWithinARouterIsServedByItsRoutes(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[spec.Programmer]{Store: memory.New(spec.Programmer{Nickname: "grace"})})
	if err != nil {
		t.Fatal(err)
	}
	var pattern string
	outer := chi.NewRouter()
	outer.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r)
			pattern = chi.RouteContext(r.Context()).RoutePattern()
		})
	})
	outer.Mount("/", api)
	spec.Client{T: t, Handler: outer}.Send("GET /api/programmers/grace", "").HasStatus(200)
	if pattern != "/api/programmers/{nickname}" {
		t.Errorf("the router around the API sees the pattern %q", pattern)
	}
}
