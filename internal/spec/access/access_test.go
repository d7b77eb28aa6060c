package access_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
)

func TestMissingCredentialsAreReportedInOrder(t *testing.T) {
	t.Parallel()
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{}, resource.Of[spec.Captain]{})
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
			f.Send(test.request, test.body).IsProblem(401).Has("WWW-Authenticate", `Bearer realm="token"`)
		})
	}
	f.Send("POST /api/hoards", `{}`, "Accept", "text/csv", "Content-Type", "text/csv").IsProblem(401)
}

func TestPathsAndMethodsAreTheSameForEveryone(t *testing.T) {
	t.Parallel()
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{}, resource.Of[spec.Captain]{})
	f.Send("OPTIONS /api/hoards", "").HasStatus(204)
	f.Send("GET /api/nope", "").IsProblem(404)
	f.Send("DELETE /api/hoards", "").IsProblem(405)
	f.As("ann", "GET /api/hoards?access_token=ann", "").IsProblem(400).Mentions("access_token")
}

func TestScopesAreCheckedBeforeTheBody(t *testing.T) {
	t.Parallel()
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{}, resource.Of[spec.Captain]{})
	for _, request := range []string{"POST /api/hoards", "PATCH /api/hoards/1", "PATCH /api/hoards/2", "PATCH /api/hoards/99"} {
		f.As("ann-plain", request, `{"name"`).IsProblem(403).
			Has("WWW-Authenticate", `Bearer realm="token", error="insufficient_scope", scope="hoard:write"`)
	}
	f.As("forged", "POST /api/hoards", `{}`).IsProblem(401).Has("WWW-Authenticate", `Bearer realm="token", error="invalid_token"`)
	f.As("forged", "GET /api/captains", "").IsProblem(401).Has("WWW-Authenticate", `Bearer realm="token", error="invalid_token"`)
	// A right that no scope gives names none.
	f.As("bob-plain", "DELETE /api/hoards/1", "").IsProblem(403).Has("WWW-Authenticate", "")
}

func TestARecordThatMayNotBeSeenIsMissing(t *testing.T) {
	t.Parallel()
	spec.OnStores(t, func(f spec.Crewed) {
		for _, who := range []string{"", "bob"} {
			for _, request := range []string{"GET /api/hoards/%", "HEAD /api/hoards/%", "GET /api/hoards/%.json"} {
				hidden := f.As(who, strings.Replace(request, "%", "2", 1), "")
				missing := f.As(who, strings.Replace(request, "%", "99", 1), "")
				if hidden.HasStatus(404).Body != missing.HasStatus(404).Body || !spec.SameHeader(hidden.Header, missing.Header) {
					t.Errorf("%s tells %q: %s %v, and of a missing one %s %v", request, who, hidden.Body, hidden.Header, missing.Body, missing.Header)
				}
			}
		}
		hidden, missing := f.As("bob", "PATCH /api/hoards/2", `{"name":""}`, "If-Match", `"x"`), f.As("bob", "PATCH /api/hoards/99", `{"name":""}`, "If-Match", `"x"`)
		if hidden.HasStatus(404).Body != missing.HasStatus(404).Body {
			t.Errorf("a change tells: %s, and of a missing one %s", hidden.Body, missing.Body)
		}
		f.As("ann", "GET /api/hoards/2", "").Is(200, `{"id":2,"name":"draft","published":false,"owner":1,"worth":5}`)
		f.As("root", "GET /api/hoards/2", "").HasStatus(200)
		f.As("", "GET /api/hoards/1", "").HasStatus(200)
	})
}

func TestARecordThatMayBeSeenButNotChangedIsForbidden(t *testing.T) {
	t.Parallel()
	spec.OnStores(t, func(f spec.Crewed) {
		for _, body := range []string{`{"name":"mine"}`, `{"name":`, `{"name":7}`, `{"nope":1}`} {
			f.As("bob", "PATCH /api/hoards/1", body).IsProblem(403)
			f.As("bob", "PUT /api/hoards/1", body, "If-Match", `"stale"`).IsProblem(403)
		}
		f.As("bob", "DELETE /api/hoards/3", "").IsProblem(403)
		f.As("ann", "GET /api/hoards/1", "").Mentions(`"name":"gold"`)
		f.As("ann", "PATCH /api/hoards/1", `{"name":`).IsProblem(400)
		f.As("ann", "PATCH /api/hoards/1", `{"name":"more gold"}`, "If-Match", `"stale"`).IsProblem(412)
		f.As("ann", "PATCH /api/hoards/1", `{"name":"more gold"}`).HasStatus(200)
	})
}

func TestNoCallerGivesAwayOrTakesARecordAgainstTheRule(t *testing.T) {
	t.Parallel()
	spec.OnStores(t, func(f spec.Crewed) {
		f.As("ann", "PATCH /api/hoards/1", `{"owner":2}`).IsProblem(403)
		f.As("ann", "PUT /api/hoards/1", `{"owner":2}`).IsProblem(403)
		f.As("ann", "PATCH /api/hoards/1", `{"owner":2,"name":""}`).HasStatus(400)
		f.As("ann", "GET /api/hoards/1", "").Mentions(`"owner":1`)
		f.As("ann", "POST /api/hoards", `{"name":"theirs","owner":2}`).IsProblem(403)
		f.As("ann", "POST /api/hoards", `{"name":"gold","owner":2}`).IsProblem(403) // and not 409
		f.As("ann", "POST /api/hoards", `{"name":"gold","owner":1}`).IsProblem(409)
		f.As("root", "PATCH /api/hoards/1", `{"owner":2}`).HasStatus(200)
		f.As("ann", "PATCH /api/hoards/1", `{"name":"mine again"}`).IsProblem(403)
		f.As("root", "GET /api/hoards", "").Has("X-Total-Count", "3")
	})
}

func TestCollectionsHaveWhatTheirReaderMaySee(t *testing.T) {
	t.Parallel()
	spec.OnStores(t, func(f spec.Crewed) {
		for who, want := range map[string]struct{ names, total string }{
			"":     {"gold silver", "2"},
			"bob":  {"gold silver", "2"},
			"ann":  {"draft gold silver", "3"},
			"root": {"draft gold silver", "3"},
		} {
			for _, query := range []string{"?sort=name", "?sort=name&itemsPerPage=10", "?order[name]=asc&page=1"} {
				got := f.As(who, "GET /api/hoards"+query, "").HasStatus(200).Has("X-Total-Count", want.total).Has("Vary", "Accept, Authorization").
					Has("Cache-Control", "private, no-cache")
				if names := namesIn(got.Body); names != want.names {
					t.Errorf("%q sees %s with %s, want %s", who, names, query, want.names)
				}
			}
			stream := f.As(who, "GET /api/hoards.ndjson?sort=name", "").HasStatus(200)
			if names := namesIn(stream.Body); names != want.names {
				t.Errorf("%q streams %s, want %s", who, names, want.names)
			}
			f.As(who, "GET /api/hoards?itemsPerPage=0", "").Is(200, `[]`).Has("X-Total-Count", want.total)
		}
		for _, query := range []string{"name=draft", "q=draft", "published=false", "owner=1&worth[lt]=7"} {
			f.As("bob", "GET /api/hoards?"+query, "").Is(200, `[]`).Has("X-Total-Count", "0")
			f.As("ann", "GET /api/hoards?"+query, "").Has("X-Total-Count", "1")
		}
	})
}

// namesIn returns the names in a response, in order.
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
	spec.OnStores(t, func(f spec.Crewed) {
		first := f.As("root", "GET /api/hoards?sort=-name&itemsPerPage=1&cursor=", "").HasStatus(200)
		_, rest, ok := strings.Cut(first.Header.Get("Link"), `rel="first", <`)
		next, _, _ := strings.Cut(rest, ">")
		if !ok || next == "" {
			f.T.Fatalf("no next page: %s", first.Header.Get("Link"))
		}
		next = strings.Replace(next, "itemsPerPage=1", "itemsPerPage=9", 1)
		if names := namesIn(f.As("root", "GET "+next, "").HasStatus(200).Body); names != "gold draft" {
			t.Errorf("root goes on with %s", names)
		}
		if names := namesIn(f.As("bob", "GET "+next, "").HasStatus(200).Body); names != "gold" {
			t.Errorf("bob goes on with %s", names)
		}
	})
}

func TestTheResponseToACreateShowsTheRecordToItsAuthor(t *testing.T) {
	t.Parallel()
	rules := spec.HoardRules
	rules.Read, rules.Create = spec.IsAdmin, spec.MayWrite
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{Access: rules}, resource.Of[spec.Captain]{})
	f.As("bob", "POST /api/hoards", `{"name":"new"}`).HasStatus(201).Mentions(`"name":"new"`)
	f.As("bob", "GET /api/hoards/4", "").IsProblem(404)
	f.As("bob", "GET /api/hoards", "").IsProblem(403) // no record could be seen
	f.Send("GET /api/hoards", "").IsProblem(401)
	f.Send("GET /api/hoards/4", "").IsProblem(401)
	f.Send("GET /api/hoards/99", "").IsProblem(401)
	f.As("root", "GET /api/hoards/4", "").HasStatus(200)
}

func TestOnlyTheLogHasTheReasonOfADenial(t *testing.T) {
	t.Parallel()
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{}, resource.Of[spec.Captain]{})
	refused := f.As("bob", "PATCH /api/hoards/1", `{}`).IsProblem(403)
	hidden := f.As("bob", "GET /api/hoards/2", "").IsProblem(404)
	for _, text := range []string{
		`rule="(owner or admin) and scope hoard:write" because="owner: no, admin: no, scope hoard:write: yes"`,
		`rule="published or owner or admin" because="published: no, owner: no, admin: no"`,
		"operation=patchHoard", "level=INFO",
	} {
		if !strings.Contains(f.Log.String(), text) {
			t.Errorf("the log does not have %s: %s", text, f.Log)
		}
	}
	for _, body := range []string{refused.Body, hidden.Body} {
		if strings.Contains(body, "owner") || strings.Contains(body, "admin") {
			t.Errorf("the answer tells of the rule: %s", body)
		}
	}
	if strings.Contains(f.Log.String(), "Bearer") {
		t.Errorf("the log has credentials: %s", f.Log)
	}
}
