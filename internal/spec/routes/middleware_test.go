package routes_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func TestMiddlewareRunsOnceAroundEverythingInOrder(t *testing.T) {
	t.Parallel()
	var ran []string
	named := func(name string) func(http.Handler) http.Handler {
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				ran = append(ran, name)
				next.ServeHTTP(w, r)
				ran = append(ran, "/"+name)
			})
		}
	}
	c := spec.NewClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{named("a"), named("b")}, MaxURLBytes: 100},
		resource.Of[spec.Programmer]{Store: memory.New(spec.Programmer{Nickname: "grace"})})
	for request, status := range map[string]int{
		"GET /api/programmers/grace": 200, "GET /api/programmers/ada": 404, "GET /elsewhere": 404, "DELETE /api/programmers": 405,
		"OPTIONS /api/programmers": 204, "GET /api": 200, "GET /api/programmers?" + fmt.Sprintf("%0100d", 0): 414,
	} {
		ran = nil
		c.Send(request, "").HasStatus(status)
		if want := []string{"a", "b", "/b", "/a"}; !slices.Equal(ran, want) {
			t.Errorf("%s runs %q, want %q", request, ran, want)
		}
	}
}

func TestARequestIsRoutedByWhatMiddlewareLeavesOfIt(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change  func(*http.Request) *http.Request
		request string
		status  int
	}{
		"another path":        {func(r *http.Request) *http.Request { r.URL.Path = "/api/programmers/grace"; return r }, "GET /grace", 200},
		"another method":      {func(r *http.Request) *http.Request { r.Method = http.MethodGet; return r }, "BREW /api/programmers/grace", 200},
		"chi's path":          {func(r *http.Request) *http.Request { routeOf(r).RoutePath = "/api/programmers/grace"; return r }, "GET /grace", 200},
		"chi's method":        {func(r *http.Request) *http.Request { routeOf(r).RouteMethod = http.MethodGet; return r }, "PUT /api/programmers/grace", 200},
		"chi's path, nowhere": {func(r *http.Request) *http.Request { routeOf(r).RoutePath = "/nowhere"; return r }, "GET /api/programmers/grace", 404},
		"chi's path of no operation": {
			func(r *http.Request) *http.Request { routeOf(r).RoutePath = "/own/x"; return r }, "GET /api/programmers/grace", 418,
		},
		"another context": {
			func(r *http.Request) *http.Request { return r.WithContext(context.Background()) }, "GET /api/programmers/grace", 200,
		},
		"a path of its own": {func(r *http.Request) *http.Request { r.URL.RawPath, r.URL.Path = "/own/x", "/y"; return r }, "GET /z", 418},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changing := func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, test.change(r)) })
			}
			api, err := resource.New(resource.Config{Middleware: []func(http.Handler) http.Handler{changing}},
				resource.Of[spec.Programmer]{Store: memory.New(spec.Programmer{Nickname: "grace"})})
			if err != nil {
				t.Fatal(err)
			}
			api.Router().Get("/own/{x}", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
			spec.Client{T: t, Handler: api}.Send(test.request, "").HasStatus(test.status)
		})
	}
}

func routeOf(r *http.Request) *chi.Context { return chi.RouteContext(r.Context()) }

// witness is an observer and a middleware that notes what chi says of a request.
type witness struct{ said []string }

func (w *witness) note(r *http.Request) {
	w.said = append(w.said, routeOf(r).RoutePattern()+" "+chi.URLParam(r, "nickname")+" "+r.PathValue("nickname")+" "+r.Pattern)
}

func (w *witness) Begin(ctx context.Context, _ observe.Operation, r *http.Request) context.Context {
	w.note(r)
	return ctx
}

func (w *witness) End(_ context.Context, outcome *observe.Outcome) { w.note(outcome.Request) }

func TestChiReportsTheRoute(t *testing.T) {
	t.Parallel()
	const pattern = "/api/programmers/{nickname}"
	const encoded = "a%2Fb"
	const told = pattern + " " + encoded + " " + encoded + " " + pattern
	for name, test := range map[string]struct {
		before bool // the middleware asks before the route is known, too
		hook   bool
		want   []string
	}{
		"a middleware, before and after": {true, false, []string{"   ", told}},
		"a middleware, after":            {false, false, []string{pattern + " a%2Fb  " + pattern}},
		"one around a hook":              {false, true, []string{told, told}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &witness{}
			of := resource.Of[spec.Programmer]{Store: memory.New(spec.Programmer{Nickname: "a/b"})}
			if test.hook {
				of.Prepare = func(_ context.Context, request *operation.Request, _ *spec.Programmer) error {
					w.note(request.HTTP())
					return nil
				}
			}
			asking := func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
					if test.before {
						w.note(r)
					}
					next.ServeHTTP(rw, r)
					w.note(r)
				})
			}
			c := spec.NewClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{asking}}, of)
			c.Send("PATCH /api/programmers/a%2Fb.json", `{}`).HasStatus(200)
			if !slices.Equal(w.said, test.want) {
				t.Errorf("chi says %q, want %q", w.said, test.want)
			}
		})
	}
}

func TestObserversGetTheRoute(t *testing.T) {
	t.Parallel()
	w := &witness{}
	c := spec.NewClient(t, resource.Config{Observers: []observe.Observer{w}}, resource.Of[spec.Programmer]{Store: memory.New(spec.Programmer{Nickname: "a/b"})})
	c.Send("GET /api/programmers/a%2Fb", "").HasStatus(200)
	const pattern = "/api/programmers/{nickname}"
	const encoded = "a%2Fb"
	const told = pattern + " " + encoded + " " + encoded + " " + pattern
	if want := []string{told, told}; !slices.Equal(w.said, want) {
		t.Errorf("chi says %q, want %q", w.said, want)
	}
}

func TestTheRouterListsItsRoutes(t *testing.T) {
	t.Parallel()
	through := func(next http.Handler) http.Handler { return next }
	api, err := resource.New(resource.Config{Middleware: []func(http.Handler) http.Handler{through}},
		resource.Of[spec.Programmer]{Store: memory.New(spec.Programmer{Nickname: "grace"})})
	if err != nil {
		t.Fatal(err)
	}
	var walked []string
	err = chi.Walk(api.Router(), func(method, pattern string, handler http.Handler, middleware ...func(http.Handler) http.Handler) error {
		walked = append(walked, method+" "+pattern)
		chi.Chain(middleware...).Handler(handler) // as some make a router of their own
		return nil
	})
	for _, want := range []string{"GET /api/programmers", "HEAD /api/programmers/{nickname}", "PATCH /api/programmers/{nickname}", "OPTIONS /api"} {
		if err != nil || !slices.Contains(walked, want) {
			t.Errorf("%v: %s is not among %q", err, want, walked)
		}
	}
	spec.Client{T: t, Handler: api}.Send("GET /api/programmers/grace", "").HasStatus(200)
	spec.Client{T: t, Handler: api.Router()}.Send("GET /api/programmers/grace", "").HasStatus(200)
	spec.Client{T: t, Handler: api.Router()}.Send("PUT /api/programmers", "").IsProblem(405)
}

func TestARequestWithinAnotherIsRoutedByItsOwnPath(t *testing.T) {
	t.Parallel()
	for name, middleware := range map[string][]func(http.Handler) http.Handler{"plain": nil, "with a middleware": {through}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var api *resource.API
			within := func(ctx context.Context, _ *spec.Programmer, _ struct{}) (struct{}, error) {
				r, err := http.NewRequestWithContext(ctx, http.MethodGet, "/api/programmers/grace", http.NoBody)
				answer := httptest.NewRecorder()
				api.ServeHTTP(answer, r)
				if answer.Code != http.StatusOK {
					t.Errorf("the inner request returns %d %s", answer.Code, answer.Body)
				}
				return struct{}{}, err
			}
			api, _ = resource.New(resource.Config{Middleware: middleware}, resource.Of[spec.Programmer]{
				Store: memory.New(spec.Programmer{Nickname: "grace"}),
				Operations: append(operation.Standard(), operation.GetCollection{
					Name: "within", URITemplate: "/within", Handler: operation.Handle(within),
				}),
			})
			spec.Client{T: t, Handler: api}.Send("GET /api/within", "").HasStatus(204)
		})
	}
}

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
				t.Errorf("%s %s gets %d %s without the router and %d %s with it", method, path, got.Status, got.Body, want.Status, want.Body)
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
			t.Errorf("GET %s gets %s", path, got)
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
