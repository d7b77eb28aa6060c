package resource_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/resource"
)

func TestMembersAreAbsentForThoseWhoMayNotSeeThem(t *testing.T) {
	t.Parallel()
	onStores(t, func(f crewed) {
		theirs := f.as("bob", "GET /api/captains/1", "").is(200, `{"id":1,"name":"ann"}`).
			has("Cache-Control", "private, no-cache").has("Vary", "Accept, Authorization")
		own := f.as("ann", "GET /api/captains/1", "").is(200, `{"id":1,"name":"ann","email":"ann@x.example","admin":false}`)
		if theirs.header.Get("ETag") == own.header.Get("ETag") {
			t.Error("two views have one tag")
		}
		f.as("bob", "GET /api/captains?sort=name", "").
			is(200, `[{"id":1,"name":"ann"},{"id":2,"name":"bob","email":"bob@x.example","admin":false},{"id":3,"name":"root"}]`)
		f.as("bob", "GET /api/captains.ndjson?q=ann", "").is(200, `{"id":1,"name":"ann"}`)
		f.as("bob", "PATCH /api/captains/1", `{}`, "If-Match", theirs.header.Get("ETag")).isProblem(403)
		f.as("ann", "PATCH /api/captains/1", `{"name":"anne"}`, "If-Match", theirs.header.Get("ETag")).hasStatus(200)
		f.as("ann", "PATCH /api/captains/1", `{"name":"ann"}`, "If-Match", own.header.Get("ETag")).isProblem(412)
		f.as("bob", "GET /api/captains/1", "", "If-None-Match", theirs.header.Get("ETag")).hasStatus(200)
		again := f.as("bob", "GET /api/captains/1", "")
		f.as("bob", "GET /api/captains/1", "", "If-None-Match", again.header.Get("ETag")).hasStatus(304)
		f.as("root", "GET /api/captains/1", "", "If-None-Match", again.header.Get("ETag")).hasStatus(200)
	})
}

func TestNothingTellsAHiddenMember(t *testing.T) {
	t.Parallel()
	onStores(t, func(f crewed) {
		for _, query := range []string{"email=ann@x.example", "q=ann@x", "email=ann@x.example&q=ann"} {
			f.as("bob", "GET /api/captains?"+query, "").is(200, `[]`).has("X-Total-Count", "0")
			f.as("ann", "GET /api/captains?"+query, "").has("X-Total-Count", "1")
			f.as("root", "GET /api/captains?"+query, "").has("X-Total-Count", "1")
		}
		f.as("bob", "GET /api/captains?email[ne]=ann@x.example", "").has("X-Total-Count", "1") // his own
		f.as("root", "GET /api/captains?email[ne]=ann@x.example", "").has("X-Total-Count", "2")
		for who, want := range map[string]string{"bob": "bob root ann", "": "root bob ann", "root": "root bob ann", "ann": "ann root bob"} {
			if names := namesIn(f.as(who, "GET /api/captains?sort=-email", "").body); names != want {
				t.Errorf("%q has the order %s, want %s", who, names, want)
			}
			var walked []string
			for next := "/api/captains?sort=-email&itemsPerPage=1&cursor="; next != ""; {
				page := f.as(who, "GET "+next, "").hasStatus(200)
				walked = append(walked, namesIn(page.body))
				next = addressIn("next", page.header.Get("Link"))
			}
			if got := strings.Join(walked, " "); got != want {
				t.Errorf("%q walks by cursor through %s, want %s", who, got, want)
			}
		}
	})
}

// addressIn returns the address in a Link, "" for none.
func addressIn(rel, link string) string {
	for part := range strings.SplitSeq(link, ", ") {
		if address, ok := strings.CutSuffix(part, `>; rel="`+rel+`"`); ok {
			return strings.TrimPrefix(address, "<")
		}
	}
	return ""
}

func TestSparseFieldsShowNoHiddenMember(t *testing.T) {
	t.Parallel()
	onlyOwn := captainRules
	f := newCrew(t, resource.Of[Hoard]{}, resource.Of[Captain]{SparseFields: true, Access: onlyOwn})
	f.as("bob", "GET /api/captains/1?fields=name,email", "").is(200, `{"id":1,"name":"ann"}`)
	f.as("ann", "GET /api/captains/1?fields=name,email", "").is(200, `{"id":1,"name":"ann","email":"ann@x.example"}`)
	f.as("bob", "GET /api/captains?fields=email", "").is(200, `[{"id":1},{"id":2,"email":"bob@x.example"},{"id":3}]`)
}

func TestARuleOfAMemberLooksAtWhatClientsLeaveOut(t *testing.T) {
	t.Parallel()
	rules := readByAll()
	rules.Members = map[string]access.Member{"worth": {Read: access.Any(isOwner, isAdmin)}}
	hoards := stores[Hoard](t)
	for name, store := range hoards {
		t.Run(name, func(t *testing.T) {
			f := newCrew(t, resource.Of[Hoard]{Access: rules, SparseFields: true, Store: store}, resource.Of[Captain]{})
			f.as("ann", "GET /api/hoards?fields=worth", "").is(200, `[{"id":1,"worth":9},{"id":2,"worth":5},{"id":3}]`)
			f.as("bob", "GET /api/hoards?fields=worth&sort=worth", "").is(200, `[{"id":1},{"id":2},{"id":3,"worth":null}]`)
		})
	}
}

// readByAll returns rules of hoards that everybody may read.
func readByAll() access.Rules {
	return access.Rules{Read: access.Public, Create: mayWrite, Update: mayWrite, Delete: isAdmin}
}

func TestMembersAreWrittenByThoseWhoMay(t *testing.T) {
	t.Parallel()
	onStores(t, func(f crewed) {
		f.as("ann", "PATCH /api/captains/1", `{"admin":true}`).isProblem(403).mentions(`"field":"admin"`, "You may not set admin.")
		f.as("ann", "PATCH /api/captains/1", `{"admin":null}`).hasStatus(400) // is no value that it could have
		f.as("ann", "PATCH /api/captains/1", `{"admin":false,"name":"anne"}`).hasStatus(200)
		f.as("root", "PATCH /api/captains/1", `{"admin":true}`).hasStatus(200)
		f.as("ann", "PATCH /api/captains/1", `{"admin":false}`).isProblem(403)
		f.as("root", "PATCH /api/captains/1", `{"admin":false}`).hasStatus(200)
		// Of what nobody sees no value is known to be there.
		for _, body := range []string{`{"pin":"1"}`, `{"pin":""}`, `{"pin":7}`} {
			f.as("ann", "PATCH /api/captains/1", body).isProblem(403).mentions(`"field":"pin"`)
		}
		f.as("", "POST /api/captains", `{"name":"eve","admin":true}`).isProblem(401)
		f.as("bob", "POST /api/captains", `{"name":"eve","email":"eve@x.example","admin":true}`).isProblem(403)
		f.as("", "POST /api/captains", `{"name":"eve","email":"eve@x.example","admin":false}`).is(201, `{"id":4,"name":"eve"}`)
		f.as("root", "GET /api/captains", "").has("X-Total-Count", "4")
	})
}

func TestReadModifyWriteKeepsWhatItsSenderMayNotWrite(t *testing.T) {
	t.Parallel()
	rules := captainRules
	rules.Update = access.Authenticated
	for name, store := range stores[Captain](t) {
		t.Run(name, func(t *testing.T) {
			f := newCrew(t, resource.Of[Hoard]{}, resource.Of[Captain]{Store: store, Operations: replacing(), Access: rules})
			f.as("root", "PATCH /api/captains/1", `{"admin":true,"pin":"77"}`).hasStatus(200)
			body := f.as("ann", "GET /api/captains/1", "").body
			f.as("ann", "PUT /api/swaps/1", strings.Replace(body, `"ann"`, `"anne"`, 1)).hasStatus(200)
			f.as("ann", "PUT /api/swaps/1", `{"name":"ann","email":"ann@x.example"}`).hasStatus(200)
			f.as("bob", "PUT /api/swaps/1", `{"name":"annie"}`).is(200, `{"id":1,"name":"annie"}`)
			f.as("root", "GET /api/captains/1", "").is(200, `{"id":1,"name":"annie","email":"ann@x.example","admin":true}`)
			f.as("ann", "PUT /api/swaps/1", `{"name":"ann"}`).hasStatus(200) // sees her address, and leaves it out
			f.as("root", "GET /api/captains/1", "").is(200, `{"id":1,"name":"ann","email":"","admin":true}`)
		})
	}
}
