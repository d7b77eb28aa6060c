package resource_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/resource"
)

func TestNobodyIsAskedForCredentialsBeforeAnythingElse(t *testing.T) {
	t.Parallel()
	f := newCrew(t, resource.Of[Hoard]{}, resource.Of[Captain]{})
	for name, test := range map[string]struct{ request, body string }{
		"a malformed body":       {"POST /api/hoards", `{"name"`},
		"an unknown parameter":   {"POST /api/hoards?x=1", `{}`},
		"an unknown suffix type": {"PATCH /api/hoards/1", `[]`},
		"a missing record":       {"PATCH /api/hoards/99", `{}`},
		"a hidden record":        {"PATCH /api/hoards/2", `{}`},
		"a delete":               {"DELETE /api/hoards/1", ""},
		"no number":              {"DELETE /api/hoards/x", ""},
	} {
		t.Run(name, func(*testing.T) {
			f.send(test.request, test.body).isProblem(401).has("WWW-Authenticate", `Bearer realm="token"`)
		})
	}
	f.send("POST /api/hoards", `{}`, "Accept", "text/csv", "Content-Type", "text/csv").isProblem(401)
}

func TestPathsAndMethodsAreTheSameForEverybody(t *testing.T) {
	t.Parallel()
	f := newCrew(t, resource.Of[Hoard]{}, resource.Of[Captain]{})
	f.send("OPTIONS /api/hoards", "").hasStatus(204)
	f.send("GET /api/nope", "").isProblem(404)
	f.send("DELETE /api/hoards", "").isProblem(405)
	f.as("ann", "GET /api/hoards?access_token=ann", "").isProblem(400).mentions("access_token")
}

func TestScopesAreAskedBeforeTheBody(t *testing.T) {
	t.Parallel()
	f := newCrew(t, resource.Of[Hoard]{}, resource.Of[Captain]{})
	for _, request := range []string{"POST /api/hoards", "PATCH /api/hoards/1", "PATCH /api/hoards/2", "PATCH /api/hoards/99"} {
		f.as("ann-plain", request, `{"name"`).isProblem(403).
			has("WWW-Authenticate", `Bearer realm="token", error="insufficient_scope", scope="hoard:write"`)
	}
	f.as("forged", "POST /api/hoards", `{}`).isProblem(401).has("WWW-Authenticate", `Bearer realm="token", error="invalid_token"`)
	f.as("forged", "GET /api/captains", "").isProblem(401).has("WWW-Authenticate", `Bearer realm="token", error="invalid_token"`)
	// A right that no scope gives names none.
	f.as("bob-plain", "DELETE /api/hoards/1", "").isProblem(403).has("WWW-Authenticate", "")
}

func TestARecordThatMayNotBeSeenIsMissing(t *testing.T) {
	t.Parallel()
	onStores(t, func(f crewed) {
		for _, who := range []string{"", "bob"} {
			for _, request := range []string{"GET /api/hoards/%", "HEAD /api/hoards/%", "GET /api/hoards/%.json"} {
				hidden := f.as(who, strings.Replace(request, "%", "2", 1), "")
				missing := f.as(who, strings.Replace(request, "%", "99", 1), "")
				if hidden.hasStatus(404).body != missing.hasStatus(404).body || !sameHeader(hidden.header, missing.header) {
					t.Errorf("%s tells %q: %s %v, and of a missing one %s %v", request, who, hidden.body, hidden.header, missing.body, missing.header)
				}
			}
		}
		hidden, missing := f.as("bob", "PATCH /api/hoards/2", `{"name":""}`, "If-Match", `"x"`), f.as("bob", "PATCH /api/hoards/99", `{"name":""}`, "If-Match", `"x"`)
		if hidden.hasStatus(404).body != missing.hasStatus(404).body {
			t.Errorf("a change tells: %s, and of a missing one %s", hidden.body, missing.body)
		}
		f.as("ann", "GET /api/hoards/2", "").is(200, `{"id":2,"name":"draft","published":false,"owner":1,"worth":5}`)
		f.as("root", "GET /api/hoards/2", "").hasStatus(200)
		f.as("", "GET /api/hoards/1", "").hasStatus(200)
	})
}

func sameHeader(a, b http.Header) bool {
	if len(a) != len(b) {
		return false
	}
	for name := range a {
		if strings.Join(a[name], "\n") != strings.Join(b[name], "\n") {
			return false
		}
	}
	return true
}

func TestARecordThatMayBeSeenButNotChangedIsForbidden(t *testing.T) {
	t.Parallel()
	onStores(t, func(f crewed) {
		for _, body := range []string{`{"name":"mine"}`, `{"name":`, `{"name":7}`, `{"nope":1}`} {
			f.as("bob", "PATCH /api/hoards/1", body).isProblem(403)
			f.as("bob", "PUT /api/hoards/1", body, "If-Match", `"stale"`).isProblem(403)
		}
		f.as("bob", "DELETE /api/hoards/3", "").isProblem(403)
		f.as("ann", "GET /api/hoards/1", "").mentions(`"name":"gold"`)
		f.as("ann", "PATCH /api/hoards/1", `{"name":`).isProblem(400)
		f.as("ann", "PATCH /api/hoards/1", `{"name":"more gold"}`, "If-Match", `"stale"`).isProblem(412)
		f.as("ann", "PATCH /api/hoards/1", `{"name":"more gold"}`).hasStatus(200)
	})
}

func TestNobodyGivesAwayOrTakesWhatTheRuleForbids(t *testing.T) {
	t.Parallel()
	onStores(t, func(f crewed) {
		f.as("ann", "PATCH /api/hoards/1", `{"owner":2}`).isProblem(403)
		f.as("ann", "PUT /api/hoards/1", `{"owner":2}`).isProblem(403)
		f.as("ann", "PATCH /api/hoards/1", `{"owner":2,"name":""}`).hasStatus(400)
		f.as("ann", "GET /api/hoards/1", "").mentions(`"owner":1`)
		f.as("ann", "POST /api/hoards", `{"name":"theirs","owner":2}`).isProblem(403)
		f.as("ann", "POST /api/hoards", `{"name":"gold","owner":2}`).isProblem(403) // and not 409
		f.as("ann", "POST /api/hoards", `{"name":"gold","owner":1}`).isProblem(409)
		f.as("root", "PATCH /api/hoards/1", `{"owner":2}`).hasStatus(200)
		f.as("ann", "PATCH /api/hoards/1", `{"name":"mine again"}`).isProblem(403)
		f.as("root", "GET /api/hoards", "").has("X-Total-Count", "3")
	})
}

func TestCollectionsHaveWhatTheirReaderMaySee(t *testing.T) {
	t.Parallel()
	onStores(t, func(f crewed) {
		for who, want := range map[string]struct{ names, total string }{
			"":     {"gold silver", "2"},
			"bob":  {"gold silver", "2"},
			"ann":  {"draft gold silver", "3"},
			"root": {"draft gold silver", "3"},
		} {
			for _, query := range []string{"?sort=name", "?sort=name&itemsPerPage=10", "?order[name]=asc&page=1"} {
				got := f.as(who, "GET /api/hoards"+query, "").hasStatus(200).has("X-Total-Count", want.total).has("Vary", "Accept, Authorization").
					has("Cache-Control", "private, no-cache")
				if names := namesIn(got.body); names != want.names {
					t.Errorf("%q sees %s with %s, want %s", who, names, query, want.names)
				}
			}
			stream := f.as(who, "GET /api/hoards.ndjson?sort=name", "").hasStatus(200)
			if names := namesIn(stream.body); names != want.names {
				t.Errorf("%q streams %s, want %s", who, names, want.names)
			}
			f.as(who, "GET /api/hoards?itemsPerPage=0", "").is(200, `[]`).has("X-Total-Count", want.total)
		}
		for _, query := range []string{"name=draft", "q=draft", "published=false", "owner=1&worth[lt]=7"} {
			f.as("bob", "GET /api/hoards?"+query, "").is(200, `[]`).has("X-Total-Count", "0")
			f.as("ann", "GET /api/hoards?"+query, "").has("X-Total-Count", "1")
		}
	})
}

// namesIn returns the names in an answer, in order.
func namesIn(body string) string {
	var names []string
	for _, part := range strings.Split(body, `"name":"`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

func TestACursorIsNoCapability(t *testing.T) {
	t.Parallel()
	onStores(t, func(f crewed) {
		first := f.as("root", "GET /api/hoards?sort=-name&itemsPerPage=1&cursor=", "").hasStatus(200)
		_, rest, ok := strings.Cut(first.header.Get("Link"), `rel="first", <`)
		next, _, _ := strings.Cut(rest, ">")
		if !ok || next == "" {
			f.t.Fatalf("no next page: %s", first.header.Get("Link"))
		}
		next = strings.Replace(next, "itemsPerPage=1", "itemsPerPage=9", 1)
		if names := namesIn(f.as("root", "GET "+next, "").hasStatus(200).body); names != "gold draft" {
			t.Errorf("root goes on with %s", names)
		}
		if names := namesIn(f.as("bob", "GET "+next, "").hasStatus(200).body); names != "gold" {
			t.Errorf("bob goes on with %s", names)
		}
	})
}

func TestAnAnswerToACreateIsShownToItsWriter(t *testing.T) {
	t.Parallel()
	rules := hoardRules
	rules.Read, rules.Create = isAdmin, mayWrite
	f := newCrew(t, resource.Of[Hoard]{Access: rules}, resource.Of[Captain]{})
	f.as("bob", "POST /api/hoards", `{"name":"new"}`).hasStatus(201).mentions(`"name":"new"`)
	f.as("bob", "GET /api/hoards/4", "").isProblem(404)
	f.as("bob", "GET /api/hoards", "").isProblem(403) // no record could be seen
	f.send("GET /api/hoards", "").isProblem(401)
	f.send("GET /api/hoards/4", "").isProblem(401)
	f.send("GET /api/hoards/99", "").isProblem(401)
	f.as("root", "GET /api/hoards/4", "").hasStatus(200)
}

func TestTheReasonOfARefusalIsInTheLogAlone(t *testing.T) {
	t.Parallel()
	f := newCrew(t, resource.Of[Hoard]{}, resource.Of[Captain]{})
	refused := f.as("bob", "PATCH /api/hoards/1", `{}`).isProblem(403)
	hidden := f.as("bob", "GET /api/hoards/2", "").isProblem(404)
	for _, text := range []string{
		`rule="(owner or admin) and scope hoard:write" because="owner: no, admin: no, scope hoard:write: yes"`,
		`rule="published or owner or admin" because="published: no, owner: no, admin: no"`,
		"operation=patchHoard", "level=INFO",
	} {
		if !strings.Contains(f.log.String(), text) {
			t.Errorf("the log does not have %s: %s", text, f.log)
		}
	}
	for _, body := range []string{refused.body, hidden.body} {
		if strings.Contains(body, "owner") || strings.Contains(body, "admin") {
			t.Errorf("the answer tells of the rule: %s", body)
		}
	}
	if strings.Contains(f.log.String(), "Bearer") {
		t.Errorf("the log has credentials: %s", f.log)
	}
}
