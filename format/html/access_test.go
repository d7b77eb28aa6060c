package html_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// caller is the principal of a request.
type caller struct{ Name string }

// Diary is a record that only its owner reads, with a field that only root reads and another that only root writes.
type Diary struct {
	ID     int64  `json:"id"`
	Title  string `json:"title"`
	Owner  string `json:"owner" api:"readonly"`
	Secret string `json:"hushword" api:"filter,sort"`
	Stamp  string `json:"stamp"`
}

// Notice is read by everyone, and changed by its owner.
type Notice struct {
	ID    int64  `json:"id"`
	Title string `json:"title"`
	Owner string `json:"owner" api:"readonly"`
}

// Session is a sign-in.
type Session struct{ ID int64 }

type login struct {
	Name     string `json:"name"`
	Password string `json:"password"`
}

func signIn(ctx context.Context, _ *Session, in login) (none struct{}, err error) {
	if in.Password != "open sesame" {
		return none, operation.Error{Status: http.StatusUnauthorized, Detail: "Invalid credentials."}
	}
	req, _ := operation.RequestFrom(ctx)
	req.ResponseHeader.Set("Set-Cookie", "sid="+in.Name+"; Path=/; HttpOnly; SameSite=Lax")
	return none, nil
}

func signOut(ctx context.Context, _ *Session, _ struct{}) (none struct{}, err error) {
	req, _ := operation.RequestFrom(ctx)
	req.ResponseHeader.Set("Set-Cookie", "sid=; Path=/; Max-Age=0")
	return none, nil
}

// bySession authenticates the caller that a cookie names.
func bySession(_ context.Context, secret string) (*caller, access.Scopes, error) {
	if secret == "ended" {
		return nil, nil, access.ErrCredentials
	}
	return &caller{secret}, access.Unlimited, nil
}

func newClub(t *testing.T) client {
	t.Helper()
	root := access.If("root", func(c *caller) bool { return c.Name == "root" })
	owner := access.Equal("owner", func(c *caller) string { return c.Name })
	cookie := map[string]string{"Set-Cookie": "The session."}
	c := newClient(t, resource.Config{Authentication: []access.Scheme{access.Cookie("session", "sid", bySession)}},
		resource.Of[Diary]{
			Stamp: operation.Stamp(func(c *caller, d *Diary) { d.Owner = c.Name }),
			Access: access.Rules{
				Read: access.Any(owner, root), Create: access.Authenticated, Update: owner, Delete: root,
				Members: map[string]access.Member{"hushword": {Read: root, Write: root}, "stamp": {Write: root}},
			},
		},
		resource.Of[Notice]{
			Stamp:  operation.Stamp(func(c *caller, n *Notice) { n.Owner = c.Name }),
			Access: access.Rules{Read: access.Public, Create: access.Authenticated, Update: owner, Delete: owner},
		},
		resource.Of[Session]{Operations: []operation.Operation{
			operation.Post{Name: "login", URITemplate: "/login", Summary: "Sign in", Handler: operation.Handle(signIn), Access: access.Public, Anonymous: true, ResponseHeader: cookie},
			operation.Post{Name: "logout", URITemplate: "/logout", Handler: operation.Handle(signOut), Access: access.Public, Anonymous: true, ResponseHeader: cookie},
		}},
	)
	c.as("ann").json("POST /api/diaries", `{"title":"Ann's diary"}`).Mentions(201)
	c.as("bob").json("POST /api/diaries", `{"title":"Bob's diary"}`).Mentions(201)
	c.as("root").json("POST /api/diaries", `{"title":"Root's diary","hushword":"xyzzy"}`).Mentions(201)
	c.as("ann").json("POST /api/notices", `{"title":"Ann's notice"}`).Mentions(201)
	return c
}

// as returns the client of a caller.
func (c client) as(name string) client { return c.with("Cookie", "sid="+name) }

func TestAPageShowsOnlyWhatTheCallerMaySeeAndDo(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	for _, test := range []struct {
		caller, path string
		status       int
		has, hasNot  []string
	}{
		{"ann", "/api/diaries", 200, []string{"Ann&#39;s diary", "New diary", "Sign out", "1 record<"}, []string{"Bob", "Root", "hushword", "Hushword", "name=\"stamp\"", "#sign-in"}},
		{"bob", "/api/diaries", 200, []string{"Bob&#39;s diary"}, []string{"Ann", "Root"}},
		{"root", "/api/diaries", 200, []string{"Ann&#39;s diary", "xyzzy", "name=\"hushword\"", "name=\"stamp\"", "3 records"}, nil},
		{"", "/api/diaries", 401, []string{"Authentication required.", `action="/api/login?_next=%2Fapi%2Fdiaries"`}, []string{"Ann", "diary<", "New", "Sign out", "hushword"}},
		{"ann", "/api/diaries/1", 200, []string{"Edit diary", `name="title"`}, []string{"Delete diary", "ushword", "name=\"stamp\"", "name=\"owner\""}},
		{"ann", "/api/diaries/2", 404, []string{"The diary does not exist."}, []string{"Bob", "Edit", "Delete"}},
		{"root", "/api/diaries/1", 200, []string{"Delete diary", "Hushword"}, []string{"Edit diary"}},
		{"", "/api/diaries/1", 401, []string{`autocomplete="current-password"`}, []string{"Ann"}},
		{"", "/api/notices", 200, []string{"Ann&#39;s notice", "#sign-in", `action="/api/login?_next=%2Fapi%2Fnotices"`}, []string{"New notice", "Sign out"}},
		{"", "/api/notices/1", 200, []string{"Ann&#39;s notice"}, []string{"Edit notice", "Delete notice"}},
		{"bob", "/api/notices/1", 200, []string{"Ann&#39;s notice"}, []string{"Edit notice", "Delete notice"}},
		{"ann", "/api/notices/1", 200, []string{"Edit notice", "Delete notice"}, nil},
		{"ended", "/api/notices/1", 401, []string{"Invalid credentials.", "/api/login"}, []string{"Ann"}},
	} {
		as := c
		if test.caller != "" {
			as = c.as(test.caller)
		}
		page := as.get(test.path).Mentions(test.status, test.has...)
		for _, text := range test.hasNot {
			if strings.Contains(page.Body, text) {
				t.Errorf("%s sees %q at %s:\n%s", test.caller, text, test.path, page.Body)
			}
		}
		if !strings.Contains(page.Header.Get("Cache-Control"), "no-store") {
			t.Errorf("%s at %s: Cache-Control is %q", test.caller, test.path, page.Header.Get("Cache-Control"))
		}
	}
}

// A conflict shows the record as it is, so it must not show more than a response would.
func TestAConflictShowsNothingThatTheCallerMayNotSee(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	for request, status := range map[string]int{"/api/diaries/1": 412, "/api/diaries/2": 404, "/api/notices/1": 412} {
		page := c.as("ann").post(request+"?_method=PATCH&_if_match=%22old%22", "title", "x").Mentions(status)
		if strings.Contains(page.Body, "ushword") || strings.Contains(page.Body, "Bob") {
			t.Errorf("the page of %s shows what is hidden: %s", request, page.Body)
		}
	}
	page := c.as("bob").post("/api/notices/1?_method=PATCH&_if_match=%22old%22", "title", "x").Mentions(403)
	if strings.Contains(page.Body, "Saved meanwhile") || strings.Contains(page.Body, "Ann") {
		t.Errorf("a caller who may not change the notice sees %s", page.Body)
	}
	page = c.as("bob").post("/api/diaries/2?_method=PATCH", "hushword", "x").Mentions(403)
	if strings.Contains(page.Body, "xyzzy") {
		t.Error("the page shows a hidden value")
	}
}

func TestSigningInLeadsBackToThePage(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	action, fields := formIn(t, c.get("/api/diaries?page=1"), "/login")
	page := c.post(action, filled(fields, "name", "ann", "password", "wrong")...).Mentions(401, "Invalid credentials.", `value="ann"`)
	if strings.Contains(page.Body, "wrong") {
		t.Error("the page has the password")
	}
	action, fields = formIn(t, page, "/login")
	c.post(action, filled(fields, "name", "ann", "password", "open sesame")...).Mentions(303).Has("Location", "/api/diaries?page=1").
		Has("Set-Cookie", "sid=ann; Path=/; HttpOnly; SameSite=Lax").Has("Cache-Control", "no-store")
	action, _ = formIn(t, c.as("ann").get("/api/diaries"), "/logout")
	c.as("ann").post(action).Mentions(303).Has("Location", "/api").Has("Set-Cookie", "sid=; Path=/; Max-Age=0")
	c.send("POST /api/login", "name=ann&password=open+sesame", "Content-Type", "application/x-www-form-urlencoded").Mentions(204)
	for _, next := range []string{"//evil.example", `/\evil.example`, "https://evil.example", "javascript:x"} {
		if got := c.post("/api/login?_next="+next, "name", "ann", "password", "open sesame").Mentions(303); strings.Contains(got.Header.Get("Location"), "evil") {
			t.Errorf("%s leads to %s", next, got.Header.Get("Location"))
		}
	}
	c.send("POST /api/login", "name=eve&password=open+sesame", "Content-Type", "application/x-www-form-urlencoded", "Accept", browser, "Sec-Fetch-Site", "cross-site").
		Mentions(403, "Requests from other origins are not allowed.")
}

func TestAFormOfAnAnonymousCallerLeadsToTheSignIn(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.post("/api/notices", "title", "x").Mentions(401, `action="/api/login?_next=%2Fapi%2Fnotices"`)
	c.post("/api/notices/1?_method=DELETE").Mentions(401, `action="/api/login?_next=%2Fapi%2Fnotices%2F1"`)
	c.as("bob").post("/api/notices/1?_method=DELETE").Mentions(403, "You do not have permission", "Back to the notice")
	if page := c.get("/api/diaries").Mentions(401, "Authentication required."); strings.Contains(page.Body, "Back to") {
		t.Error("a page without permission has a link to itself")
	}
}
