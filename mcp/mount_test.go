package mcp_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// serve starts a server for an API.
func serve(t testing.TB, api *resource.API) *service {
	t.Helper()
	if err := mcp.Mount(api, mcp.Config{}); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	return &service{t: t, url: server.URL, log: &lines{}}
}

func TestMistakesOfMountAreErrors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		api    func(t *testing.T) *resource.API
		config mcp.Config
		want   []string
	}{
		"no API": {func(*testing.T) *resource.API { return nil }, mcp.Config{}, []string{"mcp: the API is nil"}},
		"a config with mistakes": {
			func(t *testing.T) *resource.API { t.Helper(); return newAPI(t, io.Discard) },
			mcp.Config{Without: []string{"loginGen"}, Hosts: []string{"https://x.example"}, Origins: []string{"x.example"}},
			[]string{`operation "loginGen" does not exist; did you mean "loginGem"?`, `Hosts: "https://x.example" is not a host name`, `Origins: "x.example" is not an origin`},
		},
		"mounted twice": {func(t *testing.T) *resource.API {
			t.Helper()
			api := newAPI(t, io.Discard)
			if err := mcp.Mount(api, mcp.Config{}); err != nil {
				t.Fatal(err)
			}
			return api
		}, mcp.Config{}, []string{"/mcp has a route already"}},
		"a route of the user's": {func(t *testing.T) *resource.API {
			t.Helper()
			api := newAPI(t, io.Discard)
			api.Router().Get("/mcp", func(http.ResponseWriter, *http.Request) {})
			return api
		}, mcp.Config{}, []string{"/mcp has a route already"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := mcp.Mount(test.api(t), test.config)
			for _, want := range test.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want %q in it", err, want)
				}
			}
		})
	}
}

func TestThePrincipalOfAMiddlewareIsTheCaller(t *testing.T) {
	t.Parallel()
	var seen any
	api, err := resource.New(resource.Config{Middleware: []func(http.Handler) http.Handler{func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(operation.WithPrincipal(r.Context(), r.Header.Get("X-Who"))))
		})
	}}}, resource.Of[Shelf]{Prepare: func(_ context.Context, req *operation.Request, _ *Shelf) error {
		seen = req.Principal.(string) + " " + req.HTTP().Method + " " + req.HTTP().URL.Path + " " + req.Name
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, api)
	if status, body, _ := s.post("", calls("createShelf", `{"code":"a","title":"A"}`), "X-Who", "zoe"); status != 200 || seen != "zoe POST /api/shelves " {
		t.Errorf("%d %s: %v", status, body, seen)
	}
}
