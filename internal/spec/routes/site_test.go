package routes_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/access/session"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

type author struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank"`
}

type book struct {
	ID     int64  `json:"id"`
	Title  string `json:"title" validate:"notblank"`
	Author int64  `json:"author" api:"ref=Author,expand,filter"`
}

type user struct {
	ID       int64  `json:"id"`
	Username string `json:"username" api:"unique"`
	Password string `json:"password" api:"password"`
}

// sends is the body with which a user signs in.
const sends = `{"username":"ann","password":"correct horse"}`

// newAPI makes an API with everything that can be mounted, and with routes of its own.
func newAPI(t testing.TB, config resource.Config) *resource.API {
	t.Helper()
	accounts := &password.Accounts[user]{
		Store: memory.New[user](), Name: "username", Password: func(u *user) *string { return &u.Password },
		Hasher: &password.Hasher{Memory: 8, Passes: 1},
	}
	signIns, err := session.New(session.Config[user]{Accounts: accounts, Insecure: true})
	if err != nil {
		t.Fatal(err)
	}
	nobody := func(context.Context, string) (*user, access.Scopes, error) { return nil, nil, access.ErrCredentials }
	config.Logger = slog.New(slog.DiscardHandler)
	config.Authentication = []access.Scheme{
		signIns.Scheme(), access.OpenIDConnect("oidc", "https://id.example.com/.well-known/openid-configuration", nobody),
	}
	config.Formats = append(format.Standard(), hal.Format, jsonapi.Format, jsonld.Format)
	open := access.Rules{Read: access.Public, Create: access.Public, Update: access.Authenticated, Delete: access.Authenticated}
	api, err := resource.New(config,
		resource.Of[author]{ShortName: "Author", Access: open}, resource.Of[book]{ShortName: "Book", Access: open},
		resource.Of[user]{ShortName: "User", Store: accounts.Store, BeforeTransaction: accounts.Hash, Access: open}, signIns.Resource())
	if err != nil {
		t.Fatal(err)
	}
	says := func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "own "+r.URL.Path) }
	api.Router().Get("/about", says)
	api.Router().Mount("/files", http.StripPrefix("/files", http.HandlerFunc(says)))
	api.Router().Get("/books/{id}/cover", says)
	api.Router().Get("/api/books/{id}/cover", says)
	for _, err := range []error{
		openapi.Mount(api, openapi.Config{Title: "Shop", Version: "1"}), admin.Mount(api, admin.Config{}), mcp.Mount(api, mcp.Config{}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return api
}

// site is an API behind a proxy, as clients see it.
type site struct {
	spec.Wire

	url     string // the public URL
	prefix  string // "/shop", and the prefix of the API
	backend string // the URL of the server behind the proxy
}

// get sends a GET to a path or a URL of the site.
func (s site) get(place string, header ...string) spec.Response {
	s.T.Helper()
	if origin, _ := strings.CutSuffix(s.url, "/shop"); !strings.HasPrefix(place, "/") {
		path, ours := strings.CutPrefix(place, origin)
		if !ours {
			s.T.Fatalf("%s leads away from %s", place, origin)
		}
		place = path
	}
	return s.Send("GET "+place, "", header...)
}

// behind runs a test of the API behind each sort of proxy, with and without a prefix of the API.
func behind(t *testing.T, story func(s site)) {
	t.Helper()
	for name, strips := range map[string]bool{"a proxy that removes the path": true, "a proxy that keeps the path": false} {
		for _, prefix := range []string{"", "/"} {
			t.Run(name+", with the prefix "+prefix, func(t *testing.T) {
				t.Parallel()
				story(newSite(t, strips, prefix, nil))
			})
		}
	}
}

// newSite starts the servers. The proxy forwards /shop, and what RFC 9728 has at the origin.
func newSite(t *testing.T, strips bool, prefix string, routes func(chi.Router)) site {
	t.Helper()
	var proxy http.Handler
	front := spec.NewWire(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { proxy.ServeHTTP(w, r) }), 1)
	public := "http://" + front.Host + "/shop"
	api := newAPI(t, resource.Config{PublicURL: public, Prefix: prefix})
	if routes != nil {
		routes(api.Router())
	}
	behind := httptest.NewServer(api)
	t.Cleanup(behind.Close)
	target, err := url.Parse(behind.URL)
	if err != nil {
		t.Fatal(err)
	}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		if strips {
			r.Out.URL.Path = "/" + strings.TrimPrefix(strings.TrimPrefix(r.In.URL.Path, "/shop"), "/")
			r.Out.URL.RawPath = strings.TrimPrefix(r.In.URL.RawPath, "/shop")
		}
		r.SetURL(target) // and the Host of the backend
	}}
	proxy = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/shop" && !strings.HasPrefix(r.URL.Path, "/shop/") && !strings.HasPrefix(r.URL.Path, "/.well-known/oauth-protected-resource/shop") {
			http.Error(w, "not a path of the shop", http.StatusBadGateway)
			return
		}
		forward.ServeHTTP(w, r)
	})
	if prefix == "" {
		prefix = "/api"
	}
	return site{front, public, "/shop" + strings.TrimSuffix(prefix, "/"), behind.URL}
}
