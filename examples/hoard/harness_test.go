package main

import (
	"encoding/json"
	"flag"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/resource"
)

var _ = flag.Bool("update", false, "write the golden files anew")

// TestMain hides log lines of denied requests, which tests cause on purpose.
func TestMain(m *testing.M) {
	flag.Parse()
	if !testing.Verbose() {
		slog.SetDefault(slog.New(slog.DiscardHandler))
	}
	os.Exit(m.Run())
}

// cheap makes passwords cost nothing in tests.
var cheap = &password.Hasher{Memory: 8, Passes: 1}

// newHoard opens a database with what -demo begins with.
func newHoard(t *testing.T, name string) *hoard {
	t.Helper()
	h, err := open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.db.Close() })
	h.accounts.Hasher = cheap
	if err := h.begin(t.Context(), true, "", io.Discard); err != nil {
		t.Fatal(err)
	}
	return h
}

func apiOf(t *testing.T, h *hoard) *resource.API {
	t.Helper()
	api, err := h.newAPI()
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// as is the header of the requests of who has a token.
func as(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }

// client sends requests to a service.
type client struct {
	t      *testing.T
	base   string
	header http.Header
}

// serveDemo serves a new demo in memory.
func serveDemo(t *testing.T) client {
	t.Helper()
	return serveHoard(t, newHoard(t, ":memory:"))
}

func serveHoard(t *testing.T, h *hoard) client {
	t.Helper()
	server := httptest.NewServer(apiOf(t, h))
	t.Cleanup(server.Close)
	return client{t: t, base: server.URL}
}

// as is the same client with a token.
func (c client) as(token string) client { return client{c.t, c.base, as(token)} }

// in is the same client in a session.
func (c client) in(secret string) client { return client{c.t, c.base, cookie(secret)} }

type answer struct {
	t       *testing.T
	request string
	status  int
	header  http.Header
	body    string
}

// send sends a request such as "GET /api/tags", with a body of JSON and pairs of header fields.
func (c client) send(request, body string, fields ...string) answer {
	c.t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.base+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(r.Header, c.header)
	for i := 0; i < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer{c.t, request, response.StatusCode, response.Header, string(content)}
}

// is fails the test unless the response has the status, and its body contains each of the texts.
func (a answer) is(status int, texts ...string) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Errorf("%s gets %d, want %d: %s", a.request, a.status, status, a.body)
	}
	for _, text := range texts {
		if !strings.Contains(a.body, text) {
			a.t.Errorf("%s gets a response without %s: %s", a.request, text, a.body)
		}
	}
	return a
}

// lacks fails the test if the body has one of the texts.
func (a answer) lacks(texts ...string) answer {
	a.t.Helper()
	for _, text := range texts {
		if strings.Contains(a.body, text) {
			a.t.Errorf("%s gets a response with %s: %s", a.request, text, a.body)
		}
	}
	return a
}

// has fails the test unless a field of the header has a text in it.
func (a answer) has(field, text string) answer {
	a.t.Helper()
	if got := strings.Join(a.header.Values(field), "\n"); !strings.Contains(got, text) {
		a.t.Errorf("%s gets a response with %s: %q, want %q", a.request, field, got, text)
	}
	return a
}

// field returns a field of the response's object, the digits of a number.
func (a answer) field(name string) string {
	a.t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(a.body), &members); err != nil {
		a.t.Fatalf("%s gets a response that is no object: %s", a.request, a.body)
	}
	return strings.Trim(string(members[name]), `"`)
}

// path returns the path of the created record.
func (a answer) path() string { return a.header.Get("Location") }

// cookie is the header of the requests of who has signed in.
func cookie(secret string) http.Header { return http.Header{"Cookie": {cookieName + "=" + secret}} }

// session returns the secret in the cookie that a response sets.
func (a answer) session() string {
	secret, _, _ := strings.Cut(strings.TrimPrefix(a.header.Get("Set-Cookie"), cookieName+"="), ";")
	return secret
}
