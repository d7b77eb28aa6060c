package middleware_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/resource"
)

type Book struct {
	ID    int64  `json:"id"`
	Title string `json:"title"`
}

// newAPI is an API behind middleware.
func newAPI(t *testing.T, layers ...func(http.Handler) http.Handler) http.Handler {
	t.Helper()
	api, err := resource.New(resource.Config{Middleware: layers}, resource.Of[Book]{})
	if err != nil {
		t.Fatal(err)
	}
	api.Router().Get("/healthz", api.Healthz)
	return api
}

// send sends a request from a network address, with pairs of header fields.
func send(t *testing.T, api http.Handler, request, from string, fields ...string) *httptest.ResponseRecorder {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
	r.RemoteAddr = from
	for i := 0; i < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	return w
}

func TestARateThatIsTooHighIsAProblem(t *testing.T) {
	t.Parallel()
	api := newAPI(t, middleware.Rate(2))
	for range 2 {
		if got := send(t, api, "GET /api/books", "192.0.2.1:1").Code; got != http.StatusOK {
			t.Fatalf("got %d", got)
		}
	}
	refused := send(t, api, "GET /api/books/7", "192.0.2.1:2")
	if refused.Code != http.StatusTooManyRequests || refused.Header().Get("Content-Type") != "application/problem+json" || refused.Header().Get("Retry-After") == "" {
		t.Errorf("got %d, %v", refused.Code, refused.Header())
	}
	if got := send(t, api, "GET /healthz", "192.0.2.1:1").Code; got != http.StatusOK {
		t.Errorf("health gets %d", got)
	}
	if got := send(t, api, "GET /api/books", "192.0.2.2:1").Code; got != http.StatusOK {
		t.Errorf("another address gets %d", got)
	}
}

func TestIPAddressesThatCountAsOneClient(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		first, second string
		status        int
	}{
		"one of IPv4, two ports":    {"192.0.2.1:1", "192.0.2.1:2", 429},
		"IPv6 of one /64":           {"[2001:db8::1]:1", "[2001:db8::2]:1", 429},
		"IPv6 of two":               {"[2001:db8::1]:1", "[2001:db8:0:1::1]:1", 200},
		"sockets that have no port": {"@", "@", 429},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newAPI(t, middleware.Rate(1))
			if got := send(t, api, "GET /api/books", test.first).Code; got != http.StatusOK {
				t.Fatalf("the first gets %d", got)
			}
			if got := send(t, api, "GET /api/books", test.second).Code; got != test.status {
				t.Errorf("the second gets %d, want %d", got, test.status)
			}
		})
	}
}

func TestBehindAProxyTheClientsAddressCounts(t *testing.T) {
	t.Parallel()
	api := newAPI(t, middleware.RateBy(func(r *http.Request) string { return r.Header.Get("X-Real-IP") }, 1))
	for client, status := range map[string]int{"192.0.2.1": 200, "192.0.2.2": 200, "2001:db8::1": 200} {
		if got := send(t, api, "GET /api/books", "10.0.0.1:1", "X-Real-IP", client).Code; got != status {
			t.Errorf("%s gets %d, want %d", client, got, status)
		}
	}
	for _, client := range []string{"192.0.2.1", "::ffff:192.0.2.1", "::FFFF:c000:201"} {
		if got := send(t, api, "GET /api/books", "10.0.0.2:1", "X-Real-IP", client).Code; got != http.StatusTooManyRequests {
			t.Errorf("the first client gets %d as %s through another proxy", got, client)
		}
	}
}

func TestARateOfOperations(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Around: []resource.Around{
		{Operations: []string{"createBook", "getBook"}, Middleware: middleware.Rate(4)},
		{Operations: []string{"getBook"}, Middleware: middleware.Rate(1)},
	}}, resource.Of[Book]{})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		request string
		status  int
	}{
		{"GET /api/books", 200},
		{"POST /api/booksellers", 404},
		{"POST /api/books", 400},
		{"POST /api/books.json", 400}, // the same operation
		{"GET /api/books/1", 404},
		{"HEAD /api/books/1.json", 429},
		{"POST /api/%62ooks", 404}, // not a path of the API
		{"GET /api/books/%31", 429},
		{"GET /api/books", 200},
		{"DELETE /api/books", 405},
		{"OPTIONS /api/books", 204},
	} {
		if got := send(t, api, step.request, "192.0.2.1:1").Code; got != step.status {
			t.Errorf("%s returns %d, want %d", step.request, got, step.status)
		}
	}
}

func TestNoRateIsNoLimit(t *testing.T) {
	t.Parallel()
	api := newAPI(t, middleware.Rate(0), middleware.Rate(-1))
	for range 50 {
		if got := send(t, api, "GET /api/books", "192.0.2.1:1").Code; got != http.StatusOK {
			t.Fatalf("got %d", got)
		}
	}
}

func TestPagesOfOtherOrigins(t *testing.T) {
	t.Parallel()
	api := newAPI(t, middleware.Origins("https://a.example", "https://*.b.example"))
	for origin, want := range map[string]string{
		"https://a.example": "https://a.example", "https://shop.b.example": "https://shop.b.example", "https://c.example": "", "http://a.example": "",
	} {
		preflight := send(t, api, "OPTIONS /api/books", "192.0.2.1:1", "Origin", origin, "Access-Control-Request-Method", "PATCH",
			"Access-Control-Request-Headers", "authorization,x-of-its-own").Header()
		if got := preflight.Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("%s: a preflight lets in %q, want %q", origin, got, want)
		}
		if got := preflight.Get("Access-Control-Allow-Credentials"); got != "" {
			t.Errorf("%s: cookies are let in: %q", origin, got)
		}
		answer := send(t, api, "GET /api/books", "192.0.2.1:1", "Origin", origin)
		if got := answer.Header().Get("Access-Control-Allow-Origin"); got != want || answer.Code != http.StatusOK {
			t.Errorf("%s: an answer is for %q, want %q", origin, got, want)
		}
		if got := answer.Header().Get("Access-Control-Expose-Headers"); strings.Contains(strings.ToLower(got), "etag") != (want != "") {
			t.Errorf("%s: exposed is %q", origin, got)
		}
		if !strings.Contains(strings.Join(answer.Header().Values("Vary"), ", "), "Origin") {
			t.Errorf("%s: the answer does not vary by Origin", origin)
		}
	}
	all := send(t, newAPI(t, middleware.Origins("*")), "GET /api/books", "192.0.2.1:1", "Origin", "https://any.example").Header()
	if got := all.Get("Access-Control-Allow-Origin"); got != "*" {
		t.Errorf("all origins: %q", got)
	}
}

// safelisted are the header fields that pages of other origins may read anyway (Fetch standard, section 2.2.2).
var safelisted = []string{"Cache-Control", "Content-Language", "Content-Length", "Content-Type", "Expires", "Last-Modified", "Pragma"}

func TestPagesMayReadEveryFieldOfAResponse(t *testing.T) {
	t.Parallel()
	api := newAPI(t, middleware.Origins("https://a.example"), middleware.Rate(6))
	origin := []string{"Origin", "https://a.example"}
	body := func(method, path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Header.Set("Origin", origin[1])
		r.Header.Set("Content-Type", "application/json")
		r.RemoteAddr = "192.0.2.1:1"
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		return w
	}
	for name, w := range map[string]*httptest.ResponseRecorder{
		"created":      body("POST", "/api/books", `{"title":"Dune"}`),
		"changed":      body("PATCH", "/api/books/1", `{"title":"Emma"}`),
		"a page":       send(t, api, "GET /api/books", "192.0.2.1:1", origin...),
		"methods":      send(t, api, "OPTIONS /api/books", "192.0.2.1:1", origin...),
		"not a method": send(t, api, "PUT /api/books", "192.0.2.1:1", origin...),
		"a record":     send(t, api, "GET /api/books/1", "192.0.2.1:1", origin...),
		"too many":     send(t, api, "GET /api/books/1", "192.0.2.1:1", origin...),
	} {
		exposed := strings.Split(w.Header().Get("Access-Control-Expose-Headers"), ", ")
		for field := range w.Header() {
			isSetForBrowsers := strings.HasPrefix(field, "Access-Control-") || field == "Vary" || field == "X-Content-Type-Options"
			is := func(other string) bool { return strings.EqualFold(other, field) }
			if !isSetForBrowsers && !slices.ContainsFunc(exposed, is) && !slices.ContainsFunc(safelisted, is) {
				t.Errorf("%s: pages may not read %s", name, field)
			}
		}
	}
}

func TestNoOriginsChangeNothing(t *testing.T) {
	t.Parallel()
	options := send(t, newAPI(t, middleware.Origins()), "OPTIONS /api/books", "192.0.2.1:1", "Origin", "https://a.example", "Access-Control-Request-Method", "POST")
	if options.Code != http.StatusNoContent || options.Header().Get("Access-Control-Allow-Origin") != "" || options.Header().Get("Allow") == "" {
		t.Errorf("got %d, %v", options.Code, options.Header())
	}
}
