package routes_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/spec"
)

// placesIn returns the strings in a JSON value that are paths, or URLs of the site.
func placesIn(value any, origin string) (places []string) {
	switch value := value.(type) {
	case string:
		if strings.HasPrefix(value, "/") || strings.HasPrefix(value, origin) {
			places = append(places, value)
		}
	case []any:
		for _, each := range value {
			places = append(places, placesIn(each, origin)...)
		}
	case map[string]any:
		for _, each := range value {
			places = append(places, placesIn(each, origin)...)
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// follow follows all links in a JSON body, of which there must be some, as a client of a media type.
func (s site) follow(body, mediaType string, least int) {
	s.T.Helper()
	var value any
	if err := json.Unmarshal([]byte(body), &value); err != nil {
		s.T.Fatalf("%v: %s", err, body)
	}
	places := placesIn(value, strings.TrimSuffix(s.url, "/shop"))
	if len(places) < least {
		s.T.Errorf("only %q lead anywhere in %s", places, body)
	}
	for _, place := range places {
		place, _, _ = strings.Cut(place, "{") // a template
		place, _, _ = strings.Cut(place, "#")
		s.get(place, "Accept", mediaType+", */*;q=0.5").HasStatus(http.StatusOK)
	}
}

// fill creates an author and three books.
func (s site) fill() {
	s.T.Helper()
	s.Send("POST "+s.prefix+"/authors", `{"name":"Ada"}`).HasStatus(http.StatusCreated)
	for range 3 {
		s.Send("POST "+s.prefix+"/books", `{"title":"One","author":"`+s.prefix+`/authors/1"}`).HasStatus(http.StatusCreated)
	}
}

func TestLinksOfRecordsWorkBehindAProxy(t *testing.T) {
	t.Parallel()
	behind(t, func(s site) {
		s.fill()
		made := s.Send("POST "+s.prefix+"/books", `{"title":"Two","author":"`+s.prefix+`/authors/1"}`).HasStatus(http.StatusCreated)
		made.Has("Location", s.prefix+"/books/4")
		s.get(made.Header.Get("Location")).Is(http.StatusOK, `{"id":4,"title":"Two","author":"`+s.prefix+`/authors/1"}`)
		s.Send("POST "+s.prefix+"/books", `{"title":"Two","author":"/authors/1"}`).HasStatus(http.StatusBadRequest)
		s.get(s.prefix + "/books?author=" + s.prefix + "/authors/1&itemsPerPage=9").Mentions(`"id":4`)
		page := s.get(s.prefix + "/books?itemsPerPage=1").HasStatus(http.StatusOK)
		s.get(page.Link("next")).HasStatus(http.StatusOK).Mentions(`"id":2`)
		s.get(s.prefix + "/books.json?itemsPerPage=1").HasStatus(http.StatusOK)
		for _, mediaType := range []string{"application/hal+json", "application/vnd.api+json", "application/ld+json"} {
			for _, path := range []string{"/books?itemsPerPage=1&page=2", "/books/2"} {
				s.follow(s.get(s.prefix+path, "Accept", mediaType).HasStatus(http.StatusOK).Body, mediaType, 2)
			}
		}
		linked := s.get(s.prefix+"/books/1", "Accept", "application/ld+json")
		lead, _, _ := strings.Cut(strings.TrimPrefix(linked.Header.Get("Link"), "<"), ">")
		if !strings.HasPrefix(lead, s.url+"/") {
			t.Errorf("the documentation is at %s", linked.Header.Get("Link"))
		}
		s.get(lead).HasStatus(http.StatusOK)
		s.follow(s.get(s.prefix, "Accept", "application/json").HasStatus(http.StatusOK).Body, "application/json", 2)
	})
}

var attribute = regexp.MustCompile(`(?:src|href)="([^"]+)"`)

// load loads what a page refers to.
func (s site) load(page spec.Response) {
	s.T.Helper()
	page.HasStatus(http.StatusOK)
	found := attribute.FindAllStringSubmatch(page.Body, -1)
	if len(found) < 2 {
		s.T.Errorf("the page refers to %q", found)
	}
	for _, match := range found {
		isOther := strings.HasPrefix(match[1], "data:") || strings.HasPrefix(match[1], "#") || strings.HasPrefix(match[1], "https://id.example.com")
		if !isOther && !strings.HasSuffix(match[1], "/mcp") {
			s.get(match[1], "Accept", "text/html, */*;q=0.5").HasStatus(http.StatusOK)
		}
	}
}

func TestPagesWorkBehindAProxy(t *testing.T) {
	t.Parallel()
	behind(t, func(s site) {
		s.fill()
		for _, path := range []string{s.prefix + "/docs", "/shop/admin", s.prefix} {
			s.load(s.get(path, "Accept", "text/html"))
		}
		s.get(s.prefix+"/docs/").HasStatus(http.StatusFound).Has("Location", s.prefix+"/docs")
		s.get(s.prefix, "Accept", "text/html").Mentions(s.url)
		model := s.get("/shop/admin/model").HasStatus(http.StatusOK)
		model.Mentions(`"`+s.prefix+`/books"`, `"`+s.prefix+`/docs"`, `"`+s.prefix+`/login"`)
		s.get("/shop/admin").Mentions(`data-path="/shop/admin"`)
		if home := s.get("/shop/", "Accept", "text/html"); s.prefix != "/shop" {
			s.load(s.get(home.HasStatus(http.StatusFound).Header.Get("Location"), "Accept", "text/html"))
		} else {
			s.load(home)
		}
	})
}

func TestTheDocumentHasTheURLsThatClientsSee(t *testing.T) {
	t.Parallel()
	behind(t, func(s site) {
		var document struct {
			Servers []struct {
				URL string `json:"url"`
			} `json:"servers"`
			Paths map[string]any `json:"paths"`
		}
		if err := json.Unmarshal([]byte(s.get(s.prefix+"/docs.json").HasStatus(http.StatusOK).Body), &document); err != nil {
			t.Fatal(err)
		}
		if len(document.Servers) > 0 || document.Paths[s.prefix+"/books"] == nil { // developers open the page elsewhere
			t.Errorf("the servers are %v, the paths %v", document.Servers, document.Paths)
		}
	})
}

// session signs a user in, and returns the cookie.
func (s site) session() string {
	s.T.Helper()
	s.Send("POST "+s.prefix+"/users", sends).HasStatus(http.StatusCreated)
	// A browser without Sec-Fetch-Site has only Origin, which differs from the Host that the proxy sends.
	set := s.Send("POST "+s.prefix+"/login", sends, "Origin", strings.TrimSuffix(s.url, "/shop")).HasStatus(http.StatusNoContent).Header.Get("Set-Cookie")
	if !strings.Contains(set, "; Path=/;") {
		s.T.Errorf("the cookie is %s", set)
	}
	cookie, _, _ := strings.Cut(set, ";")
	return cookie
}

func TestSessionsWorkBehindAProxy(t *testing.T) {
	t.Parallel()
	behind(t, func(s site) {
		s.fill()
		cookie := s.session()
		s.Send("PATCH "+s.prefix+"/books/1", `{"title":"New"}`, "Cookie", cookie, "Origin", strings.TrimSuffix(s.url, "/shop")).HasStatus(http.StatusOK)
		s.Send("PATCH "+s.prefix+"/books/1", `{"title":"New"}`, "Cookie", cookie, "Origin", "https://evil.example").HasStatus(http.StatusForbidden)
		s.Send("POST "+s.prefix+"/login", sends, "Origin", "https://evil.example").HasStatus(http.StatusForbidden)
	})
}

func TestAgentsWorkBehindAProxy(t *testing.T) {
	t.Parallel()
	behind(t, func(s site) {
		s.fill()
		origin := strings.TrimSuffix(s.url, "/shop")
		post := func(method, params string) spec.Response {
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
			return s.Send("POST /shop/mcp", body, "Accept", "application/json, text/event-stream", "Origin", origin).HasStatus(http.StatusOK)
		}
		post("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`).Mentions("serverInfo")
		post("tools/call", `{"name":"getBook","arguments":{"id":1}}`).Mentions(s.prefix + "/authors/1")
		post("tools/call", `{"name":"createBook","arguments":{"title":"x","author":"`+s.prefix+`/authors/1"}}`).Lacks(`"isError":true`)
		post("resources/templates/list", `{}`).Mentions(`"` + s.prefix + `/books/{id}"`)
		for _, uri := range []string{s.prefix + "/books/1", origin + s.prefix + "/books/1"} {
			post("resources/read", `{"uri":"`+uri+`"}`).Mentions("One")
		}
		for _, uri := range []string{s.backend + s.prefix + "/books/1", "https://evil.example" + s.prefix + "/books/1"} {
			post("resources/read", `{"uri":"`+uri+`"}`).Mentions("Resource not found")
		}
		s.Send("POST /shop/mcp", `{}`, "Origin", "https://evil.example").HasStatus(http.StatusForbidden)
	})
}

func TestWellKnownDocumentsWorkBehindAProxy(t *testing.T) {
	t.Parallel()
	behind(t, func(s site) {
		catalog := s.get("/shop/.well-known/api-catalog").HasStatus(http.StatusOK)
		var linkset struct {
			Linkset []map[string]any `json:"linkset"`
		}
		if err := json.Unmarshal([]byte(catalog.Body), &linkset); err != nil {
			t.Fatal(err)
		}
		origin, places := strings.TrimSuffix(s.url, "/shop"), 0
		for _, place := range placesIn([]any{linkset.Linkset[0], linkset.Linkset[1]}, origin) {
			if !strings.HasSuffix(place, "/mcp") {
				s.get(place, "Accept", "application/json, */*;q=0.5").HasStatus(http.StatusOK)
				places++
			}
		}
		if places < 6 || linkset.Linkset[1]["anchor"] != origin+s.prefix {
			t.Errorf("the catalog is %s", catalog.Body)
		}
		index := s.get(s.prefix, "Accept", "application/json")
		index.HasStatus(http.StatusOK)
		if links := strings.Join(index.Header.Values("Link"), ", "); !strings.Contains(links, `</shop/.well-known/api-catalog>; rel="api-catalog"`) {
			t.Errorf("the links are %s", links)
		}
	})
}

var metadataURL = regexp.MustCompile(`resource_metadata="([^"]+)"`)

func TestChallengesLeadToTheMetadataBehindAProxy(t *testing.T) {
	t.Parallel()
	behind(t, func(s site) {
		s.fill()
		origin := strings.TrimSuffix(s.url, "/shop")
		for request, path := range map[string]string{"PATCH " + s.prefix + "/books/1": s.prefix, "POST /shop/mcp": "/shop/mcp"} {
			refused := s.Send(request, `{}`, "Authorization", "Bearer wrong", "Accept", "application/json").HasStatus(http.StatusUnauthorized)
			found := metadataURL.FindStringSubmatch(strings.Join(refused.Header.Values("WWW-Authenticate"), ", "))
			if found == nil || !strings.HasPrefix(found[1], s.url+"/.well-known/") {
				t.Errorf("%s leads to %q", request, found)
				continue
			}
			// The origin's own path is the one of RFC 9728, section 3.1.
			for _, place := range []string{found[1], "/.well-known/oauth-protected-resource" + path} {
				document := s.get(place).HasStatus(http.StatusOK)
				document.Mentions(`"resource":"`+origin+path+`"`, `"resource_documentation":"`+origin+s.prefix+`/docs"`)
			}
		}
		s.get("/shop/.well-known/oauth-protected-resource").HasStatus(http.StatusOK).Mentions(`"resource":"` + s.url + `"`)
	})
}

func TestOwnRoutesWorkBehindAProxy(t *testing.T) {
	t.Parallel()
	behind(t, func(s site) {
		s.fill()
		for path, says := range map[string]string{
			"/shop/about": "/about", "/shop/files/a/b": "/a/b",
			s.prefix + "/books/1/cover": strings.TrimPrefix(s.prefix+"/books/1/cover", "/shop"),
		} {
			if got := s.get(path).HasStatus(http.StatusOK).Body; got != "own "+says {
				t.Errorf("%s returns %s, want own %s", path, got, says)
			}
		}
		s.get(s.prefix + "/unknown").IsProblem(http.StatusNotFound)
		s.get("/shop/shop" + strings.TrimPrefix(s.prefix, "/shop") + "/unknown").IsProblem(http.StatusNotFound)
		s.Send("PUT "+s.prefix+"/books", `{}`).IsProblem(http.StatusMethodNotAllowed).Has("Allow", "GET, HEAD, QUERY, POST, OPTIONS")
		s.Send("OPTIONS "+s.prefix+"/books", "").HasStatus(http.StatusNoContent).Has("Allow", "GET, HEAD, QUERY, POST, OPTIONS")
		s.Send("POST /shop/about", `{}`).IsProblem(http.StatusMethodNotAllowed)
		s.Send("POST "+s.prefix+"/docs", `{}`).IsProblem(http.StatusMethodNotAllowed)
	})
}

func TestOperationsTakePrecedenceOverARouteOfAllPaths(t *testing.T) {
	t.Parallel()
	for _, strips := range []bool{true, false} {
		for _, prefix := range []string{"", "/"} {
			s := newSite(t, strips, prefix, func(router chi.Router) {
				router.Get("/*", func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprint(w, "site "+r.URL.Path) })
			})
			s.fill()
			s.get(s.prefix + "/books/1").HasStatus(http.StatusOK).Mentions(`"title":"One"`)
			s.get(s.prefix + "/books/1.json").HasStatus(http.StatusOK).Mentions(`"title":"One"`)
			s.get(s.prefix + "/docs.json").HasStatus(http.StatusOK).Mentions(`"openapi"`)
			s.get("/shop/about").HasStatus(http.StatusOK).Mentions("own /about")
			if got := s.get("/shop/other").HasStatus(http.StatusOK).Body; got != "site /other" {
				t.Errorf("the site returns %s", got)
			}
			// Only one base is removed.
			if got := s.get("/shop/shop/shop" + strings.TrimPrefix(s.prefix, "/shop") + "/books/1").HasStatus(http.StatusOK).Body; !strings.HasPrefix(got, "site ") {
				t.Errorf("twice the base leads to %s", got)
			}
		}
	}
}
