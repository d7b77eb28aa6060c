package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
)

// client is the browser of one user.
type client struct {
	t       *testing.T
	url     string
	browser *http.Client
}

// start serves the API with an empty database, until the test ends. It compares each response with the document.
func start(t *testing.T) *httptest.Server {
	t.Helper()
	api, err := newAPI(t.Context(), ":memory:", false)
	if err == nil {
		err = openapi.Mount(api, documentation)
	}
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewTLSServer(openapitest.Record(t, api)) // the cookie is Secure
	t.Cleanup(server.Close)
	return server
}

// register returns a client who has registered and signed in.
func register(t *testing.T, server *httptest.Server, name string) client {
	t.Helper()
	jar, _ := cookiejar.New(nil) // never fails
	c := client{t, server.URL, &http.Client{Jar: jar, Transport: server.Client().Transport}}
	credentials := `{"username":"` + name + `","password":"correct horse battery"}`
	c.send("POST /api/users", credentials, 201)
	c.send("POST /api/login", credentials, 204)
	return c
}

// send sends a request such as "GET /api/notes", checks the status, and returns the body of the response.
func (c client) send(request, body string, want int) string {
	c.t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := c.browser.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != want {
		c.t.Errorf("%s returns %d, want %d: %s (%v)", request, response.StatusCode, want, got, err)
	}
	return string(got)
}

func TestUsersSeeAndChangeOnlyTheirOwnNotes(t *testing.T) {
	t.Parallel()
	server := start(t)
	ann, bob := register(t, server, "ann"), register(t, server, "bob")
	ann.send("POST /api/notes", `{"title":"Groceries"}`, 201)
	ann.send("PATCH /api/notes/1", `{"done":true}`, 200)
	for _, request := range []string{"GET /api/notes/1", "PATCH /api/notes/1", "DELETE /api/notes/1", "GET /api/users/1"} {
		bob.send(request, `{}`, 404)
	}
	if got := bob.send("GET /api/notes", "", 200); got != "[]" {
		t.Errorf("bob sees %s", got)
	}
	bob.send("POST /api/logout", "", 204)
	bob.send("GET /api/notes", "", 401)
}

func TestTheDemoHasANote(t *testing.T) {
	t.Parallel()
	api, err := newAPI(t.Context(), ":memory:", true)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewTLSServer(api)
	t.Cleanup(server.Close)
	jar, _ := cookiejar.New(nil) // never fails
	demo := client{t, server.URL, &http.Client{Jar: jar, Transport: server.Client().Transport}}
	demo.send("POST /api/login", `{"username":"demo","password":"correct horse battery"}`, 204)
	if got := demo.send("GET /api/notes", "", 200); !strings.Contains(got, "Groceries") {
		t.Errorf("demo sees %s", got)
	}
}

func TestPeopleGetPages(t *testing.T) {
	t.Parallel()
	ann := register(t, start(t), "ann")
	for _, path := range []string{"/api/docs", "/admin"} {
		if got := ann.send("GET "+path, "", 200); !strings.Contains(got, "<html") {
			t.Errorf("%s is not a page: %s", path, got)
		}
	}
}

// Conform registers and signs in by itself.
func TestTheAPIDoesWhatItsDocumentSays(t *testing.T) {
	t.Parallel()
	api, err := newAPI(t.Context(), ":memory:", false)
	if err != nil {
		t.Fatal(err)
	}
	openapitest.Conform(t, api, openapitest.Requests(20)) // for each operation; the default is 1000
}
