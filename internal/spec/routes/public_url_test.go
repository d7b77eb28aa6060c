package routes_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
)

func TestThePublicURLIsAbsoluteAndComplete(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ public, prefix, want string }{
		{"example.com", "", `PublicURL is "example.com"; allowed: http or https, a host and a path, such as "https://example.com/shop"`},
		{"/shop", "", `PublicURL is "/shop"; allowed: http or https, a host and a path, such as "https://example.com/shop"`},
		{"ftp://example.com", "", `PublicURL is "ftp://example.com"; allowed: http or https, a host and a path, such as "https://example.com/shop"`},
		{"https://", "", `PublicURL is "https://"; allowed: http or https, a host and a path, such as "https://example.com/shop"`},
		{"https://:80", "", `PublicURL is "https://:80"; allowed: http or https, a host and a path, such as "https://example.com/shop"`},
		{"https://a b/", "", `PublicURL is not a URL; allowed: a URL such as "https://example.com/shop"`},
		{`https://a"b`, "", `PublicURL is "https://a\"b"; allowed: http or https, a host and a path, such as "https://example.com/shop"`},
		{"https://exämple.com", "", `PublicURL is "https://exämple.com"; allowed: http or https, a host and a path, such as "https://example.com/shop"`},
		{"https://ann:secret@example.com", "", `PublicURL is "https://ann:xxxxx@example.com"; allowed: http or https, a host and a path, such as "https://example.com/shop"`},
		{"https://example.com?a=1", "", `PublicURL is "https://example.com?a=1"; allowed: http or https, a host and a path, such as "https://example.com/shop"`},
		{"https://example.com#a", "", `PublicURL is "https://example.com#a"; allowed: http or https, a host and a path, such as "https://example.com/shop"`},
		{"https://example.com/", "", `PublicURL is "https://example.com/"; write it as "https://example.com"`},
		{"https://example.com/shop/", "", `PublicURL is "https://example.com/shop/"; write it as "https://example.com/shop"`},
		{"https://example.com/a/../b", "", `PublicURL is "https://example.com/a/../b"; write it as "https://example.com/b"`},
		{"HTTPS://Example.com:443/shop", "", `PublicURL is "HTTPS://Example.com:443/shop"; write it as "https://example.com/shop"`},
		{"https://example.com/a%20b", "", `PublicURL is "https://example.com/a%20b"; its path may have only letters, digits, -, _, . and ~, such as "https://example.com/shop"`},
		{"https://example.com/{shop}", "", `PublicURL is "https://example.com/{shop}"; its path may have only letters, digits, -, _, . and ~, such as "https://example.com/shop"`},
		{"https://example.com/shop", "/shop/v1", `Prefix is "/shop/v1", but the path of PublicURL, "/shop", is added to it; write it as "/v1"`},
		{"https://example.com/api", "", `Prefix is "/api", but the path of PublicURL, "/api", is added to it; write it as "/"`},
		{"https://example.com", "", ""},
		{"http://localhost:8000/shop", "", ""},
		{"https://[::1]:8000/a/b.c", "/v1", ""},
	} {
		_, err := resource.New(resource.Config{PublicURL: test.public, Prefix: test.prefix}, resource.Of[author]{ShortName: "Author"})
		got := ""
		if err != nil {
			got = strings.TrimPrefix(err.Error(), "Config: ")
		}
		if got != test.want {
			t.Errorf("%s: the error is\n%s, want\n%s", test.public, got, test.want)
		}
	}
}

func TestAbsoluteURLsDoNotDependOnTheHostOfTheRequest(t *testing.T) {
	t.Parallel()
	for public, path := range map[string]string{"https://example.com": "", "https://example.com/shop": "/shop"} {
		c := spec.Client{T: t, Handler: newAPI(t, resource.Config{PublicURL: public})}
		c.Send("POST /api/authors", `{"name":"Ada"}`).HasStatus(http.StatusCreated)
		for request, header := range map[string][]string{
			"GET /.well-known/api-catalog":                                          {},
			"GET /.well-known/oauth-protected-resource":                             {},
			"GET /.well-known/oauth-protected-resource" + path + "/api":             {},
			"GET /.well-known/oauth-protected-resource" + path + "/mcp":             {},
			"GET " + path + "/.well-known/oauth-protected-resource" + path + "/api": {},
			"GET /api":             {"Accept", "text/html"},
			"GET /api/authors":     {"Accept", "application/ld+json"},
			"PATCH /api/authors/1": {"Authorization", "Bearer wrong"},
			"POST /mcp":            {"Authorization", "Bearer wrong", "Accept", "application/json"},
		} {
			w := c.Send(strings.Replace(request, " /", " http://evil.example/", 1), "", header...)
			var all strings.Builder
			_ = w.Header.Write(&all)
			if all.WriteString(w.Body); strings.Contains(all.String(), "evil") || !strings.Contains(all.String(), "https://example.com") {
				t.Errorf("%s at %s returns\n%s", request, public, all.String())
			}
		}
	}
}

// A program behind such routers is like one behind a proxy.
func TestOtherRoutersCanRemoveThePath(t *testing.T) {
	t.Parallel()
	api := newAPI(t, resource.Config{PublicURL: "https://example.com/shop"})
	mounted, root, nested, mux := chi.NewRouter(), chi.NewRouter(), chi.NewRouter(), http.NewServeMux()
	mounted.Mount("/shop", api)
	root.Mount("/", api)
	nested.Route("/shop", func(r chi.Router) { r.Mount("/", api) })
	mux.Handle("/shop/", http.StripPrefix("/shop", api))
	for name, router := range map[string]http.Handler{"chi's Mount": mounted, "chi at the root": root, "chi's Route": nested, "StripPrefix": mux} {
		t.Run(name, func(t *testing.T) {
			c := spec.Client{T: t, Handler: router}
			made := c.Send("POST /shop/api/authors", `{"name":"Ada"}`).HasStatus(http.StatusCreated)
			c.Send("GET "+made.Header.Get("Location"), "").HasStatus(http.StatusOK).Mentions("Ada")
			c.Send("GET "+made.Header.Get("Location")+".json", "").HasStatus(http.StatusOK).Mentions("Ada")
			c.Send("GET /shop/about", "").HasStatus(http.StatusOK).Mentions("own /about")
			c.Send("GET /shop/api/docs.json", "").HasStatus(http.StatusOK)
			c.Send("PUT /shop/api/authors", `{}`).IsProblem(http.StatusMethodNotAllowed).Has("Allow", "GET, HEAD, QUERY, POST, OPTIONS")
			c.Send("GET /shop/api/unknown", "").IsProblem(http.StatusNotFound)
		})
	}
}

// seen is an observer of templates and paths.
type seen struct{ list *[]string }

func (s seen) Begin(ctx context.Context, op observe.Operation, r *http.Request) context.Context {
	*s.list = append(*s.list, "observer "+op.Route+" "+r.URL.Path)
	return ctx
}

func (seen) End(context.Context, *observe.Outcome) {}

func TestMiddlewareSeesTheWholePathOfOperations(t *testing.T) {
	t.Parallel()
	var list []string
	note := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			list = append(list, "middleware "+r.URL.EscapedPath())
			next.ServeHTTP(w, r)
			list = append(list, "route "+chi.RouteContext(r.Context()).RoutePattern())
		})
	}
	api := newAPI(t, resource.Config{
		PublicURL: "https://example.com/shop", Observers: []observe.Observer{seen{&list}}, Middleware: []func(http.Handler) http.Handler{note},
	})
	c := spec.Client{T: t, Handler: api}
	for _, request := range []string{"GET /api/authors/1%2F2", "GET /shop/api/authors/1", "PUT /api/authors", "GET /about", "GET /shop/about", "GET /shop/none"} {
		c.Send(request, "")
	}
	want := []string{
		"middleware /shop/api/authors/1%2F2", "observer /shop/api/authors/{id} /shop/api/authors/1/2", "route /shop/api/authors/{id}",
		"middleware /shop/api/authors/1", "observer /shop/api/authors/{id} /shop/api/authors/1", "route /shop/api/authors/{id}",
		"middleware /shop/api/authors", "observer /shop/api/authors /shop/api/authors", "route ",
		"middleware /about", "route /about",
		"middleware /about", "route /about",
		"middleware /none", "observer  /none", "route ",
	}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Error(diff)
	}
}

func TestServeAcceptsThePublicHost(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	api := newAPI(t, resource.Config{PublicURL: "https://example.com:8443/shop"})
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- resource.Serve(ctx, listener, api) }()
	for host, status := range map[string]int{"example.com": 200, "example.com:8443": 200, "localhost": 200, "evil.example": 421} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+listener.Addr().String()+"/api/authors", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != status {
			t.Errorf("Host %s: %d, want %d", host, response.StatusCode, status)
		}
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestAgentsMayUseThePublicHost(t *testing.T) {
	t.Parallel()
	w := spec.NewWire(t, newAPI(t, resource.Config{PublicURL: "https://example.com/shop"}), 1)
	for host, status := range map[string]int{"example.com": http.StatusOK, "localhost": http.StatusOK, "evil.example": http.StatusForbidden} {
		r := w.Request("POST /mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`, "Accept", "application/json, text/event-stream")
		r.Host = host
		w.Do(r).HasStatus(status)
	}
}

// A regular expression in an own route leaves the routing of operations next to it to chi.
func TestOwnRoutesHaveTheirUsualPrecedence(t *testing.T) {
	t.Parallel()
	for _, strips := range []bool{true, false} {
		for _, prefix := range []string{"", "/"} {
			s := newSite(t, strips, prefix, func(router chi.Router) {
				for _, pattern := range []string{"/books/best", "/api/books/best", "/books/{name:[a-z]+}/x", "/api/books/{name:[a-z]+}/x"} {
					router.Get(pattern, func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("own " + r.URL.Path)) })
				}
				for _, pattern := range []string{"/books", "/api/books"} {
					router.Put(pattern, func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("own " + r.URL.Path)) })
				}
			})
			s.fill()
			own := strings.TrimPrefix(s.prefix, "/shop")
			s.get(s.prefix + "/books/best").HasStatus(http.StatusOK).Mentions("own " + own + "/books/best")
			s.get(s.prefix + "/books/abc/x").HasStatus(http.StatusOK).Mentions("own " + own + "/books/abc/x")
			s.get(s.prefix+"/books/1").Is(http.StatusOK, `{"id":1,"title":"One","author":"`+s.prefix+`/authors/1"}`)
			s.get(s.prefix+"/books/1.json").Is(http.StatusOK, `{"id":1,"title":"One","author":"`+s.prefix+`/authors/1"}`)
			s.get(s.get(s.prefix + "/books?itemsPerPage=1").Link("next")).HasStatus(http.StatusOK).Mentions(`"id":2`)
			s.Send("POST "+s.prefix+"/books/1", `{}`).IsProblem(http.StatusMethodNotAllowed).Has("Allow", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS")
			s.Send("PUT "+s.prefix+"/books", `{}`).HasStatus(http.StatusOK).Mentions("own " + own + "/books")
			s.Send("POST "+s.prefix+"/books", `{"title":"Two","author":"`+s.prefix+`/authors/1"}`).HasStatus(http.StatusCreated).Has("Location", s.prefix+"/books/4")
		}
	}
}

func TestAnOperationCanBeAtTheRoot(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{PublicURL: "https://example.com/shop", Prefix: "/"},
		resource.Of[author]{ShortName: "Author", Operations: []operation.Operation{
			operation.GetCollection{URITemplate: "/"}, operation.Post{URITemplate: "/"}, operation.Get{},
		}})
	for _, path := range []string{"/", "/shop", "/shop/"} {
		c.Send("POST "+path, `{"name":"Ada"}`).HasStatus(http.StatusCreated)
		c.Send("GET "+path, "").HasStatus(http.StatusOK).Mentions(`"name":"Ada"`)
	}
	if next := c.Send("GET /?itemsPerPage=1", "").Link("next"); !strings.HasPrefix(next, "/shop?") {
		t.Errorf("the next page is at %s", next)
	}
}
