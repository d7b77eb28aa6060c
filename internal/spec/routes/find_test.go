package routes_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// routing is one set of templates and routes, drawn at random, served by an API and by chi.
type routing struct {
	operations map[string]bool // "GET /p/a/{v1}", and whether it takes a suffix
	own        []string        // routes of the user's
	mounted    string          // "" for none
	said       string          // by the handler
	seen       string          // by the middleware, when that is done
}

// TestOperationsAreFoundAsChiFindsThem compares APIs with chi routers that have the same patterns and cut off suffixes:
// the handler, its variables, and the route that a middleware sees.
func TestOperationsAreFoundAsChiFindsThem(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	operations, own, sets := 0, 0, 250
	if testing.Short() {
		sets = 50
	}
	for range sets {
		r := newRouting(random)
		plain, err := r.api(resource.Config{Prefix: "/p"})
		if err != nil {
			continue // two templates of one shape
		}
		around, _ := r.api(resource.Config{Prefix: "/p", Middleware: []func(http.Handler) http.Handler{r.middleware}})
		pairs := map[string][2]http.Handler{
			"alone":             {plain, r.reference()},
			"with a middleware": {around, r.reference(r.middleware)},
			"in a router":       {r.within(plain), r.within(r.reference())},
		}
		for range 40 {
			method := choose(random, "GET", "GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT")
			path, said := randomTarget(random), ""
			for name, pair := range pairs {
				got, want := r.send(pair[0], method, path), r.send(pair[1], method, path)
				if said = want; got != want {
					t.Fatalf("%s %s: the API %s says %q, and chi %q\n%v\n%q %s", method, path, name, got, want, r.operations, r.own, r.mounted)
				}
			}
			switch {
			case strings.Contains(said, "operation"):
				operations++
			case strings.Contains(said, "own"):
				own++
			}
		}
	}
	if operations < sets || own < sets/2 {
		t.Errorf("%d requests lead to operations and %d to routes of the user's: that compares little", operations, own)
	}
}

func choose(random *rand.Rand, from ...string) string { return from[random.IntN(len(from))] }

func newRouting(random *rand.Rand) *routing {
	r := &routing{operations: map[string]bool{}}
	taken := map[string]bool{}
	for range 1 + random.IntN(7) {
		pattern := randomPattern(random, "a", "ab", "b", "a%2Fb", "c.json", "{}", "{}")
		r.operations[choose(random, "GET", "POST", "DELETE")+" "+pattern] = len(pattern)%2 == 0
		taken[shapeOf(pattern)] = true
	}
	if pattern := "/p/" + choose(random, "a/m", "m"); random.IntN(3) == 0 && !taken[pattern] {
		r.mounted = pattern
	}
	for range random.IntN(5) {
		pattern := randomPattern(random, "a", "ab", "b", "abc", "{}", "{}", "{}.b", "a{}", "{:[ab]+}")
		if !taken[shapeOf(pattern)] {
			taken[shapeOf(pattern)] = true
			r.own = append(r.own, choose(random, "GET", "POST", "PUT")+" "+pattern+choose(random, "", "", "", "/*"))
		}
	}
	return r
}

var braces = regexp.MustCompile(`\{[^}]*\}`)

func shapeOf(pattern string) string { return braces.ReplaceAllString(pattern, "{}") }

func randomPattern(random *rand.Rand, segments ...string) string {
	pattern := "/p"
	for i := range 1 + random.IntN(3) {
		pattern += "/" + strings.Replace(choose(random, segments...), "{", fmt.Sprintf("{v%d", i), 1)
	}
	return pattern
}

func randomTarget(random *rand.Rand) string {
	path := choose(random, "/p", "/p", "/p", "/p", "/p", "", "/p%2F")
	for range 1 + random.IntN(3) {
		path += "/" + choose(random, "a", "a", "b", "ab", "b", "abc", "a%2Fb", "a%20b", "%61", "m", "", ".b", "x.b", "c.json", "..", "{}*")
	}
	return path + choose(random, "", "", "", ".json", ".ndjson", "/")
}

// api serves the set by an API.
func (r *routing) api(config resource.Config) (*resource.API, error) {
	var operations []operation.Operation
	for _, line := range slices.Sorted(maps.Keys(r.operations)) {
		method, pattern, _ := strings.Cut(line, " ")
		template := strings.TrimPrefix(pattern, "/p")
		if r.operations[line] {
			template += "{._format}"
		}
		name, handler := fmt.Sprintf("o%d", len(operations)), operation.Handle(
			func(ctx context.Context, _ *spec.DragonTreasure, _ struct{}) (struct{}, error) {
				request, _ := operation.RequestFrom(ctx)
				r.said = "operation " + pattern
				for _, variable := range braces.FindAllString(pattern, -1) {
					r.said += " " + request.Variables()[strings.Trim(variable, "{}")]
				}
				return struct{}{}, nil
			})
		switch method {
		case http.MethodGet:
			operations = append(operations, operation.GetCollection{Name: name, URITemplate: template, Handler: handler})
		case http.MethodPost:
			operations = append(operations, operation.Post{Name: name, URITemplate: template, Handler: handler})
		default:
			operations = append(operations, operation.Delete{Name: name, URITemplate: template, Handler: handler})
		}
	}
	api, err := resource.New(config, resource.Of[spec.DragonTreasure]{Operations: operations})
	if err == nil {
		r.addOwn(api.Router())
	}
	return api, err
}

// within mounts a handler in a router of chi's.
func (r *routing) within(handler http.Handler) http.Handler {
	router := chi.NewRouter()
	router.Use(r.middleware)
	router.Mount("/", handler)
	return router
}

// reference serves the set by chi.
func (r *routing) reference(middleware ...func(http.Handler) http.Handler) http.Handler {
	router := chi.NewRouter()
	router.Use(middleware...)
	router.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
			path, route := request.URL.EscapedPath(), chi.RouteContext(request.Context())
			stem, cut := strings.CutSuffix(path, ".json")
			if cut = cut && r.at(router, stem, true); cut {
				route.RoutePath = stem
				route.URLParams.Add("._format", ".json")
			} else if r.at(router, path, false) {
				route.RoutePath = path
			}
			next.ServeHTTP(w, request)
		})
	})
	empty := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }
	for line := range r.operations {
		method, pattern, _ := strings.Cut(line, " ")
		answer := func(w http.ResponseWriter, request *http.Request) {
			if chi.URLParam(request, "._format") != "" && !r.operations[line] {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			r.said = "operation " + pattern
			for _, variable := range braces.FindAllString(pattern, -1) {
				value, _ := url.PathUnescape(chi.URLParam(request, strings.Trim(variable, "{}")))
				r.said += " " + value
			}
			w.WriteHeader(http.StatusNoContent)
		}
		router.MethodFunc(method, pattern, answer)
		router.Options(pattern, empty)
		if method == http.MethodGet {
			router.Head(pattern, answer)
		}
	}
	index := func(http.ResponseWriter, *http.Request) {}
	router.Get("/p", index)
	router.Head("/p", index)
	router.Options("/p", empty)
	r.addOwn(router)
	return router
}

// at reports whether there are operations at a path, which take a suffix if it has one.
func (r *routing) at(router chi.Routes, path string, suffix bool) bool {
	pattern := router.Find(chi.NewRouteContext(), http.MethodOptions, path)
	for line, takes := range r.operations {
		if strings.HasSuffix(line, " "+pattern) && (takes || !suffix) {
			return true
		}
	}
	return false
}

func (r *routing) addOwn(router chi.Router) {
	answer := func(_ http.ResponseWriter, request *http.Request) {
		r.said = fmt.Sprint("own ", chi.RouteContext(request.Context()).RoutePattern(), seenOf(request))
	}
	if r.mounted != "" {
		router.Mount(r.mounted, http.HandlerFunc(answer))
	}
	for _, line := range r.own {
		method, pattern, _ := strings.Cut(line, " ")
		router.MethodFunc(method, pattern, answer)
	}
}

func (r *routing) middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		next.ServeHTTP(w, request)
		r.seen += seenOf(request)
	})
}

// seenOf returns what chi says of a request.
func seenOf(request *http.Request) string {
	route := chi.RouteContext(request.Context())
	text := route.RouteMethod + " " + route.RoutePattern() + " "
	for i, key := range route.URLParams.Keys {
		if key != "._format" {
			text += key + "=" + route.URLParams.Values[i] + " "
		}
	}
	return text
}

func (r *routing) send(handler http.Handler, method, path string) string {
	r.said, r.seen = "", ""
	request := httptest.NewRequest(method, "http://example.com/", nil) //nolint:noctx // the background's will do
	decoded, err := url.PathUnescape(path)
	if err != nil {
		return ""
	}
	request.URL = &url.URL{Path: decoded, RawPath: path}
	if request.URL.RawPath == (&url.URL{Path: decoded}).EscapedPath() {
		request.URL.RawPath = "" // as url.Parse has it
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, request)
	return fmt.Sprintf("%d, %s, seen as %s", w.Code, r.said, r.seen)
}
