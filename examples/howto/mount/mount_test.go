package mount_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/examples/howto/mount"
	"github.com/trove-api/trove/resource"
)

func TestALocationIsWholeIfTheMuxRemovesAPath(t *testing.T) {
	t.Parallel()
	api, err := mount.NewBelowShop()
	if err != nil {
		t.Fatal(err)
	}
	for _, handler := range []http.Handler{mount.Stripping(api, http.NotFoundHandler()), inChi(api)} {
		location := send(t, handler, http.MethodPost, "/shop/v1/books").Header().Get("Location")
		if w := send(t, handler, http.MethodGet, location); w.Code != http.StatusOK || !strings.HasPrefix(location, "/shop/v1/") {
			t.Errorf("GET %s returns %d", location, w.Code)
		}
	}
}

// inChi serves an API below /shop as the page says.
func inChi(api *resource.API) http.Handler {
	router := chi.NewRouter()
	router.Mount("/shop", api)
	return router
}

// made returns the API of the page with one book.
func made(t *testing.T) *resource.API {
	t.Helper()
	api, err := mount.NewAPI()
	if err != nil {
		t.Fatal(err)
	}
	if w := send(t, api, http.MethodPost, "/shop/v1/books"); w.Code != http.StatusCreated {
		t.Fatal(w.Code, w.Body)
	}
	return api
}

func send(t *testing.T, h http.Handler, method, path string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
	if method == http.MethodPost {
		r.Body = io.NopCloser(strings.NewReader(`{"title": "Dune"}`))
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestAPIServesNextToOtherRoutes(t *testing.T) {
	t.Parallel()
	site := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "site") })
	own := made(t)
	if err := mount.AddRoutes(own); err != nil {
		t.Fatal(err)
	}
	const book, books, shop, wholeSite = `{"id":1,"title":"Dune"}`, `{"Book":"/shop/v1/books"}`, "A shop.", "site"
	for name, c := range map[string]struct {
		handler http.Handler
		want    map[string]string // parts of the bodies, by path
	}{
		"chi":       {mount.InChi(made(t)), map[string]string{"/about": shop, "/unknown": "No resource exists at this path."}},
		"mux":       {mount.InMux(made(t)), map[string]string{"/about": shop, "/unknown": "No resource exists at this path."}},
		"below chi": {mount.BelowInChi(made(t), site), map[string]string{"/": wholeSite, "/shop": wholeSite, "/shop/v1/x": "No resource exists"}},
		"below mux": {mount.BelowInMux(made(t), site), map[string]string{"/": wholeSite, "/shop": wholeSite, "/shop/v1/x": "No resource exists"}},
		"own":       {own, map[string]string{"/about": shop, "/healthz": "alive", "/files/prices.txt": "price list"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.want["/shop/v1/books/1"], c.want["/shop/v1"] = book, books
			c.want["/shop/v1/docs.json"] = `"/shop/v1/books/{id}"`
			for path, want := range c.want {
				if w := send(t, c.handler, http.MethodGet, path); !strings.Contains(w.Body.String(), want) {
					t.Errorf("GET %s returns %d %s, want %s", path, w.Code, w.Body, want)
				}
			}
			w := send(t, c.handler, http.MethodPost, "/shop/v1/books")
			if got := w.Header().Get("Location"); got != "/shop/v1/books/2" {
				t.Errorf("Location is %q", got)
			}
		})
	}
}

func TestMistakesOfThePage(t *testing.T) {
	t.Parallel()
	router := chi.NewRouter()
	router.Mount("/shop/v1", made(t)) // chi removes /shop/v1
	if w := send(t, router, http.MethodGet, "/shop/v1/books/1"); w.Code != http.StatusNotFound {
		t.Errorf("mounted at the prefix: %d", w.Code)
	}
	stripped := http.StripPrefix("/shop/v1", made(t))
	if w := send(t, stripped, http.MethodGet, "/shop/v1/books/1"); w.Code != http.StatusNotFound {
		t.Errorf("without the prefix: %d", w.Code)
	}
	unprefixed, err := resource.New(resource.Config{Prefix: "/"}, resource.Of[mount.Book]{})
	if err != nil {
		t.Fatal(err)
	}
	stripped = http.StripPrefix("/shop/v1", unprefixed)
	if got := send(t, stripped, http.MethodPost, "/shop/v1/books").Header().Get("Location"); got != "/books/1" {
		t.Errorf("without the prefix on both sides, Location is %q", got)
	}
	for name, h := range map[string]http.Handler{"chi": mount.InChi(made(t)), "mux": mount.InMux(made(t))} {
		if w := send(t, h, http.MethodPost, "/about"); w.Code != http.StatusNotFound {
			t.Errorf("%s: POST /about returns %d", name, w.Code)
		}
	}
}

func TestMiddlewareOfTheRouterRunsAroundTheAPI(t *testing.T) {
	t.Parallel()
	w := send(t, mount.InChi(made(t)), http.MethodGet, "/shop/v1/books")
	if got := w.Header().Get("X-Frame-Options"); got != "DENY" {
		t.Errorf("X-Frame-Options is %q", got)
	}
}

func TestCheckReportsARouteThatAnOperationShadows(t *testing.T) {
	t.Parallel()
	api := made(t)
	api.Router().Get("/shop/v1/books/{id}", mount.About)
	err := api.Check()
	if err == nil || !strings.Contains(err.Error(), "shadows your route /shop/v1/books/{id}") {
		t.Errorf("Check returns %v", err)
	}
}
