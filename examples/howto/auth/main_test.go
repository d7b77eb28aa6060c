package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/resource"
)

// start returns a new app and its API.
func start(t *testing.T) (*app, *resource.API) {
	t.Helper()
	a, err := newApp(t.Context(), &password.Hasher{Memory: 8, Passes: 1})
	if err != nil {
		t.Fatal(err)
	}
	api, err := a.newAPI()
	if err != nil {
		t.Fatal(err)
	}
	return a, api
}

// send sends a request, checks the status, and returns the response.
func send(t *testing.T, api http.Handler, header http.Header, request, body string, want int) *httptest.ResponseRecorder {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	if header != nil {
		r.Header = header.Clone()
	}
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	if w.Code != want {
		t.Fatalf("%s %s: %d, want %d: %s", request, body, w.Code, want, w.Body)
	}
	return w
}

// signIn returns the header fields of requests of the user with that e-mail address.
func signIn(t *testing.T, api http.Handler, email string) http.Header {
	t.Helper()
	body := `{"email":"` + email + `","password":"correct horse battery"}`
	cookie := send(t, api, nil, "POST /api/login", body, 204).Result().Cookies()[0]
	return http.Header{"Cookie": {cookie.Name + "=" + cookie.Value}}
}

func TestASessionLastsFromLoginToLogout(t *testing.T) {
	t.Parallel()
	a, api := start(t)
	send(t, api, nil, "GET /api/projects", "", 401)
	send(t, api, nil, "POST /api/login", `{"email":"ann@example.com","password":"wrong horse battery"}`, 401)
	send(t, api, nil, "POST /api/login", `{"email":"eve@example.com","password":"correct horse battery"}`, 401)
	ann := signIn(t, api, "ann@example.com")
	send(t, api, ann, "GET /api/projects", "", 200)
	session, err := a.sessions.Get(t.Context(), int64(1))
	if err != nil || strings.Contains(ann.Get("Cookie"), session.Hash) {
		t.Fatalf("the store has the secret itself: %v, %v", session, err)
	}
	send(t, api, ann, "POST /api/logout", "", 204)
	send(t, api, ann, "GET /api/projects", "", 401)
	send(t, api, nil, "POST /api/logout", "", 204)
}

func TestASessionEnds(t *testing.T) {
	t.Parallel()
	a, api := start(t)
	ann := signIn(t, api, "ann@example.com")
	expire(t, a)
	send(t, api, ann, "GET /api/projects", "", 401)
	send(t, api, ann, "POST /api/login", `{"email":"ann@example.com","password":"correct horse battery"}`, 204)
}

func TestTheCookieIsNotForScriptsAndOtherOrigins(t *testing.T) {
	t.Parallel()
	_, api := start(t)
	cookie := send(t, api, nil, "POST /api/login", `{"email":"ann@example.com","password":"correct horse battery"}`, 204).Header().Get("Set-Cookie")
	for _, want := range []string{"HttpOnly", "Secure", "SameSite=Lax", "Max-Age=1209600"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie is %q, without %s", cookie, want)
		}
	}
	ann := signIn(t, api, "ann@example.com")
	ann.Set("Origin", "https://evil.example")
	ann.Set("Sec-Fetch-Site", "cross-site")
	send(t, api, ann, "POST /api/projects", `{"name":"Trap"}`, 403)
}

func TestGuessesOfAPasswordAreLimited(t *testing.T) {
	t.Parallel()
	_, api := start(t)
	for range 10 {
		send(t, api, nil, "POST /api/login", `{"email":"ann@example.com","password":"guess"}`, 401)
	}
	for _, password := range []string{"guess", "correct horse battery"} {
		rejected := send(t, api, nil, "POST /api/login", `{"email":"ann@example.com","password":"`+password+`"}`, 429)
		if rejected.Header().Get("Retry-After") == "" {
			t.Error("the response does not say when to try again")
		}
	}
	signIn(t, api, "bob@example.com")
}

func TestAMembershipShowsWhatATeamHas(t *testing.T) {
	t.Parallel()
	_, api := start(t)
	ann, bob := signIn(t, api, "ann@example.com"), signIn(t, api, "bob@example.com")
	send(t, api, bob, "GET /api/reports/1", "", 404)
	send(t, api, ann, "POST /api/memberships", `{"team":"/api/teams/1","user":"/api/users/1"}`, 201)
	send(t, api, ann, "GET /api/reports/1", "", 200)
	if body := send(t, api, bob, "GET /api/reports", "", 200).Body.String(); strings.Contains(body, "wreck") || !strings.Contains(body, `"costs":2`) {
		t.Errorf("bob sees %s", body)
	}
	if body := send(t, api, ann, "GET /api/reports", "", 200).Body.String(); strings.Contains(body, "stew") || strings.Contains(body, "costs") {
		t.Errorf("ann sees %s", body)
	}
	// A report cannot be moved to another team by a member of one team.
	send(t, api, bob, "PATCH /api/reports/2", `{"team":"/api/teams/1"}`, 400)
	send(t, api, ann, "DELETE /api/memberships/4", "", 204)
	send(t, api, ann, "GET /api/reports/1", "", 404)
}

func TestATenantSeesItsOwnRecordsOnly(t *testing.T) {
	t.Parallel()
	_, api := start(t)
	ann, bob := signIn(t, api, "ann@example.com"), signIn(t, api, "bob@example.com")
	created := send(t, api, ann, "POST /api/projects", `{"name":"Lighthouse"}`, 201)
	path := created.Header().Get("Location")
	send(t, api, ann, "GET "+path, "", 200)
	for _, request := range []string{"GET ", "PATCH ", "DELETE "} {
		send(t, api, bob, request+path, "{}", 404)
	}
	if body := send(t, api, bob, "GET /api/projects", "", 200).Body.String(); strings.Contains(body, "Lighthouse") || !strings.Contains(body, "Bridge") {
		t.Errorf("bob sees %s", body)
	}
	// A reference to a project of another tenant is like one to a project that does not exist.
	other := send(t, api, bob, "POST /api/tasks", `{"title":"Spy","project":"/api/projects/1"}`, 400).Body.String()
	missing := send(t, api, bob, "POST /api/tasks", `{"title":"Spy","project":"/api/projects/99"}`, 400).Body.String()
	if other != missing {
		t.Errorf("%s differs from %s", other, missing)
	}
	send(t, api, bob, "POST /api/projects", `{"name":"Mine","tenant":"red"}`, 400)
}
