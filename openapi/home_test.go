package openapi_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// hostile is text that would be markup if it were not escaped.
const hostile = `"'></style></code><script>alert(1)</script><img src=x onerror=alert(1)>`

type user struct{ Name string }

type book struct {
	ID    int64  `json:"id"`
	Owner string `json:"owner"`
}

type diary struct {
	ID int64 `json:"id"`
}

type ledger struct {
	ID int64 `json:"id"`
}

type session struct{ ID int64 }

type login struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

var (
	owner = access.Equal("owner", func(u *user) string { return u.Name })
	admin = access.If("admin", func(u *user) bool { return u.Name == "root" })
)

func byName(_ context.Context, name string) (*user, access.Scopes, error) {
	if !slices.Contains([]string{"ann", "root"}, name) {
		return nil, nil, access.ErrCredentials
	}
	return &user{name}, access.Unlimited, nil
}

// newLibrary returns an API with rules that differ between callers.
func newLibrary(t *testing.T, documentation openapi.Config) *resource.API {
	t.Helper()
	nothing := func(context.Context, *session, struct{}) (struct{}, error) { return struct{}{}, nil }
	signIn := func(context.Context, *session, login) (struct{}, error) { return struct{}{}, nil }
	cookie := map[string]string{"Set-Cookie": "The session."}
	lend := func(context.Context, *book, struct{}) (struct{}, error) { return struct{}{}, nil }
	config := resource.Config{
		Authentication: []access.Scheme{access.Bearer("token", byName), access.Cookie("session", "sid", byName)},
		Logger:         slog.New(slog.DiscardHandler),
	}
	api, err := resource.New(config,
		resource.Of[book]{
			ShortName: "Book", Description: "A book of `everyone`.\n\nSecond paragraph.",
			Access: access.Rules{Read: access.Public, Create: owner, Update: owner, Delete: admin},
			Operations: append(operation.Standard(),
				operation.Post{Name: "lend", URITemplate: "/books/{id}/lend", Summary: "Lend it out", Handler: operation.Handle(lend)},
				operation.Post{Name: "burn", URITemplate: "/books/{id}/burn", Hidden: true, Handler: operation.Handle(lend), Access: access.Public}),
		},
		resource.Of[diary]{
			ShortName: "Diary", Description: "Only users keep one.",
			Access: access.Rules{Read: access.Authenticated, Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated},
		},
		resource.Of[ledger]{
			ShortName: "Ledger", Description: "Only the admin sees it.",
			Access: access.Rules{Read: admin, Create: admin, Update: admin, Delete: admin},
		},
		resource.Of[session]{ShortName: "Session", Operations: []operation.Operation{
			operation.Post{Name: "login", URITemplate: "/login", Summary: "Sign in", Handler: operation.Handle(signIn), Access: access.Public, Anonymous: true, ResponseHeader: cookie},
			operation.Post{Name: "logout", URITemplate: "/logout", Summary: "Sign out", Handler: operation.Handle(nothing), Access: access.Public, Anonymous: true, ResponseHeader: cookie},
		}},
	)
	if err == nil {
		err = openapi.Mount(api, documentation)
	}
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// getAs sends a GET as a caller, "" for an anonymous one, with the Accept of a browser and pairs of header fields.
func getAs(t *testing.T, api *resource.API, path, caller string, fields ...string) *httptest.ResponseRecorder {
	t.Helper()
	method, target, ok := strings.Cut(path, " ")
	if !ok {
		method, target = http.MethodGet, path
	}
	r := httptest.NewRequestWithContext(t.Context(), method, target, http.NoBody)
	r.Header.Set("Accept", browser)
	if caller != "" {
		r.Header.Set("Authorization", "Bearer "+caller)
	}
	for i := 0; i < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	return w
}

var (
	titles  = regexp.MustCompile(`(?s)<h3>(?:<a href="([^"]*)">)?([^<]*)`)
	cards   = regexp.MustCompile(`(?s)<li class="panel.*?</ul>`)
	actions = regexp.MustCompile(`<li class="tag(?: accent)?">([^<]*)</li>`)
)

// shown returns the resources of a page with their links and actions.
func shown(page string) []string {
	var list []string
	for _, card := range cards.FindAllString(page, -1) {
		title := titles.FindStringSubmatch(card)
		line := title[2] + " " + title[1] + ":"
		for _, action := range actions.FindAllStringSubmatch(card, -1) {
			line += " " + action[1] + ","
		}
		list = append(list, strings.TrimSuffix(line, ","))
	}
	return list
}

func TestThePageShowsWhatTheCallerMayDo(t *testing.T) {
	t.Parallel()
	api := newLibrary(t, openapi.Config{Title: "Library"})
	diaries := "Diaries /api/docs#/Diary: Get a diary, List diaries, Create a diary, Update a diary, Patch a diary, Delete a diary"
	for caller, want := range map[string][]string{
		"":    {"Books /api/docs#/Book: Get a book, List books"},
		"ann": {"Books /api/docs#/Book: Get a book, List books, Create a book, Update a book, Patch a book, Lend it out", diaries},
		"root": {
			"Books /api/docs#/Book: Get a book, List books, Create a book, Update a book, Patch a book, Delete a book, Lend it out", diaries,
			"Ledgers /api/docs#/Ledger: Get a ledger, List ledgers, Create a ledger, Update a ledger, Patch a ledger, Delete a ledger",
		},
	} {
		page := getAs(t, api, "/api", caller)
		if page.Code != http.StatusOK {
			t.Fatalf("%q gets %d", caller, page.Code)
		}
		if diff := cmp.Diff(want, shown(page.Body.String())); diff != "" {
			t.Errorf("the page of %q (-want +got):\n%s", caller, diff)
		}
		if strings.Contains(strings.ToLower(page.Body.String()), "burn") {
			t.Errorf("the page of %q has a hidden operation", caller)
		}
		if caller != "root" && strings.Contains(page.Body.String(), "Only the admin sees it") {
			t.Errorf("the page of %q describes a resource that only root may use", caller)
		}
	}
}

func TestBrowsersGetThePageAndProgramsJSON(t *testing.T) {
	t.Parallel()
	api := newLibrary(t, openapi.Config{})
	for accept, want := range map[string]string{
		browser: "text/html; charset=utf-8", "text/html": "text/html; charset=utf-8", "text/*": "text/html; charset=utf-8",
		"": "application/json", "*/*": "application/json", "application/json": "application/json",
		"text/html;q=0.5, application/json": "application/json", "text/html, application/json": "application/json",
		"text/html;q=0, */*": "application/json", "application/*": "application/json",
	} {
		w := getAs(t, api, "/api", "", "Accept", accept)
		if got := w.Header().Get("Content-Type"); w.Code != http.StatusOK || got != want {
			t.Errorf("Accept: %s returns %d with %s, want %s", accept, w.Code, got, want)
		}
		if w.Header().Values("Vary")[0] != "Accept" {
			t.Errorf("Accept: %s returns Vary: %q", accept, w.Header().Values("Vary"))
		}
	}
	if w := getAs(t, api, "/api", "", "Accept", "image/png"); w.Code != http.StatusNotAcceptable {
		t.Errorf("Accept: image/png returns %d, want 406", w.Code)
	}
}

func TestThePageIsSafe(t *testing.T) {
	t.Parallel()
	api := newLibrary(t, openapi.Config{Title: hostile, Description: hostile + "\n\n`" + hostile + "`"})
	w := getAs(t, api, "/api", "ann", "Host", `"><script>`)
	for _, part := range []string{"<script src", "alert(1)</script", "<img", "javascript:", "http-equiv", "@import", "url("} {
		if strings.Contains(w.Body.String(), part) {
			t.Errorf("the page has %q", part)
		}
	}
	policy := w.Header().Get("Content-Security-Policy")
	for _, name := range []string{"style", "script"} {
		parts := regexp.MustCompile(`(?s)<`+name+`>(.*?)</`+name+`>`).FindAllStringSubmatch(w.Body.String(), -1)
		if len(parts) != 1 || strings.Count(w.Body.String(), "<"+name) != 1 {
			t.Fatalf("the page has %d elements %s, want one", len(parts), name)
		}
		sum := sha256.Sum256([]byte(parts[0][1]))
		if want := name + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "';"; !strings.Contains(policy, want) {
			t.Errorf("the policy is %q, want %s in it", policy, want)
		}
	}
	for _, part := range []string{"default-src 'none'", "form-action 'none'", "frame-ancestors 'none'", "base-uri 'none'"} {
		if !strings.Contains(policy, part) {
			t.Errorf("the policy is %q, want %s in it", policy, part)
		}
	}
	if strings.Contains(policy, "unsafe") || strings.Contains(policy, "'self'; script") {
		t.Errorf("the policy is %q", policy)
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin", "Cache-Control": "private, no-cache",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := w.Header().Values("Vary"); !cmp.Equal(got, []string{"Accept", "Authorization, Cookie"}) {
		t.Errorf("Vary is %q", got)
	}
}

func TestHEADHasTheHeaderOfThePage(t *testing.T) {
	t.Parallel()
	api := newLibrary(t, openapi.Config{})
	whole, head := getAs(t, api, "/api", "ann"), getAs(t, api, "HEAD /api", "ann")
	if diff := cmp.Diff(whole.Header(), head.Header()); diff != "" || head.Body.Len() > 0 || head.Code != http.StatusOK {
		t.Errorf("HEAD returns %d with %d bytes, and its header (-GET +HEAD):\n%s", head.Code, head.Body.Len(), diff)
	}
}

func TestAnEndedSessionSeesThePageOfAnonymousCallers(t *testing.T) {
	t.Parallel()
	api := newLibrary(t, openapi.Config{})
	w := getAs(t, api, "/api", "", "Cookie", "sid=ended")
	if w.Code != http.StatusUnauthorized || !strings.Contains(w.Body.String(), "have expired") || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("the response is %d with %v", w.Code, w.Header())
	}
	if got := w.Header().Values("WWW-Authenticate"); len(got) != 2 {
		t.Errorf("WWW-Authenticate is %q, want a challenge of each scheme", got)
	}
	if diff := cmp.Diff(shown(getAs(t, api, "/api", "").Body.String()), shown(w.Body.String())); diff != "" {
		t.Errorf("the page differs from that of an anonymous caller (-anonymous +got):\n%s", diff)
	}
	twice := getAs(t, api, "/api", "", "Cookie", "sid=ann; sid=root")
	if twice.Code != http.StatusUnauthorized || !strings.Contains(twice.Body.String(), "have expired") {
		t.Errorf("two valid sessions return %d with %s", twice.Code, twice.Body)
	}
}

// The texts and links of the documentation are only for callers who may read it.
func TestThePageRevealsNoMoreThanTheDocumentation(t *testing.T) {
	t.Parallel()
	api := newLibrary(t, openapi.Config{Title: "Library", Description: "Secret plans.", Access: admin})
	for caller, reads := range map[string]bool{"": false, "ann": false, "root": true} {
		page := getAs(t, api, "/api", caller).Body.String()
		for _, part := range []string{"Secret plans.", "Second paragraph.", `href="/api/docs"`, "/api/docs.json", "Lend it out"} {
			if strings.Contains(page, part) != reads {
				t.Errorf("the page of %q has %q: %v, want %v", caller, part, !reads, reads)
			}
		}
	}
}

func TestThePageSaysHowToSignIn(t *testing.T) {
	t.Parallel()
	api := newLibrary(t, openapi.Config{})
	for caller, parts := range map[string]map[string]bool{
		"":    {"Authorization: Bearer TOKEN": true, "POST /api/login": true, "<code>sid</code>": true, `Sign in on the <a href="/api/docs">Documentation</a> page.`: true, "Signed in": false},
		"ann": {"Authorization: Bearer TOKEN": false, "POST /api/login": false, "In a browser": false, "Signed in": true},
	} {
		page := getAs(t, api, "/api", caller).Body.String()
		for part, want := range parts {
			if strings.Contains(page, part) != want {
				t.Errorf("the page of %q has %q: %v, want %v", caller, part, !want, want)
			}
		}
	}
}

func TestARuleThatPanicsHidesItsOperations(t *testing.T) {
	t.Parallel()
	broken := access.If("broken", func(*user) bool { panic("in a rule") })
	api, err := resource.New(
		resource.Config{Authentication: []access.Scheme{access.Bearer("token", byName)}, Logger: slog.New(slog.DiscardHandler)},
		resource.Of[book]{ShortName: "Book", Access: access.Rules{Read: access.Public, Create: broken, Update: broken, Delete: broken}},
	)
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Access: access.Any(broken, admin)})
	}
	if err != nil {
		t.Fatal(err)
	}
	w := getAs(t, api, "/api", "ann") // who may not read the documentation, so operations have their ids
	if diff := cmp.Diff([]string{"Books /api/books: getBook, listBooks"}, shown(w.Body.String())); diff != "" || w.Code != http.StatusOK {
		t.Errorf("the page is %d (-want +got):\n%s", w.Code, diff)
	}
}

func TestAnAPIWithoutRulesNeedsNoSignIn(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Prefix: "/"}, resource.Of[book]{ShortName: "Book"})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Title: "Open"})
	}
	if err != nil {
		t.Fatal(err)
	}
	page := getAs(t, api, "/", "").Body.String()
	if diff := cmp.Diff([]string{"Books /docs#/Book: Get a book, List books, Create a book, Update a book, Patch a book, Delete a book"}, shown(page)); diff != "" || strings.Contains(page, "Sign in") {
		t.Errorf("the page mentions signing in: %v; its resources (-want +got):\n%s", strings.Contains(page, "Sign in"), diff)
	}
}

type leaf struct {
	ID int64 `json:"id"`
}

func TestTheRootLeadsToTheHomePage(t *testing.T) {
	t.Parallel()
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	own := func(api *resource.API) {
		api.Router().Get("/*", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	}
	for name, test := range map[string]struct {
		request, accept string
		documented      bool
		routes          func(*resource.API)
		status          int
		location        string
	}{
		"a browser":                          {"GET /", browser, true, nil, 302, "/v1"},
		"a browser that asks for a header":   {"HEAD /", browser, true, nil, 302, "/v1"},
		"a program":                          {"GET /", "*/*", true, nil, 302, "/v1"},
		"a program that wants JSON":          {"GET /", "application/json", true, nil, 302, "/v1"},
		"a program that names no type":       {"GET /", "", true, nil, 302, "/v1"},
		"another method":                     {"POST /", browser, true, nil, 404, ""},
		"another path":                       {"GET /x", browser, true, nil, 404, ""},
		"an API without documentation":       {"GET /", browser, false, nil, 404, ""},
		"a program at such an API":           {"GET /", "*/*", false, nil, 404, ""},
		"a program at a route of the user's": {"GET /", "*/*", true, own, 418, ""},
		"a route of the user's, added late":  {"GET /", browser, true, own, 418, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := declared(t, resource.Config{Prefix: "/v1"}, resource.Of[leaf]{})
			if test.documented {
				if err := openapi.Mount(api, openapi.Config{}); err != nil {
					t.Fatal(err)
				}
			}
			if test.routes != nil {
				test.routes(api)
			}
			method, path, _ := strings.Cut(test.request, " ")
			r := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
			if test.accept != "" {
				r.Header.Set("Accept", test.accept)
			}
			w := httptest.NewRecorder()
			api.ServeHTTP(w, r)
			if w.Code != test.status || w.Header().Get("Location") != test.location {
				t.Errorf("the response is %d to %q, want %d to %q", w.Code, w.Header().Get("Location"), test.status, test.location)
			}
		})
	}
}
