package access_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
)

func TestHiddenFieldsAreOmitted(t *testing.T) {
	t.Parallel()
	spec.OnStores(t, func(f spec.Crewed) {
		theirs := f.As("bob", "GET /api/captains/1", "").Is(200, `{"id":1,"name":"ann"}`).
			Has("Cache-Control", "private, no-cache").Has("Vary", "Accept, Authorization")
		own := f.As("ann", "GET /api/captains/1", "").Is(200, `{"id":1,"name":"ann","email":"ann@x.example","admin":false}`)
		if theirs.Header.Get("ETag") == own.Header.Get("ETag") {
			t.Error("two views have one tag")
		}
		f.As("bob", "GET /api/captains?sort=name", "").
			Is(200, `[{"id":1,"name":"ann"},{"id":2,"name":"bob","email":"bob@x.example","admin":false},{"id":3,"name":"root"}]`)
		f.As("bob", "GET /api/captains.ndjson?q=ann", "").Is(200, `{"id":1,"name":"ann"}`)
		f.As("bob", "PATCH /api/captains/1", `{}`, "If-Match", theirs.Header.Get("ETag")).IsProblem(403)
		f.As("ann", "PATCH /api/captains/1", `{"name":"anne"}`, "If-Match", theirs.Header.Get("ETag")).HasStatus(200)
		f.As("ann", "PATCH /api/captains/1", `{"name":"ann"}`, "If-Match", own.Header.Get("ETag")).IsProblem(412)
		f.As("bob", "GET /api/captains/1", "", "If-None-Match", theirs.Header.Get("ETag")).HasStatus(200)
		again := f.As("bob", "GET /api/captains/1", "")
		f.As("bob", "GET /api/captains/1", "", "If-None-Match", again.Header.Get("ETag")).HasStatus(304)
		f.As("root", "GET /api/captains/1", "", "If-None-Match", again.Header.Get("ETag")).HasStatus(200)
	})
}

func TestNothingDisclosesAHiddenField(t *testing.T) {
	t.Parallel()
	spec.OnStores(t, func(f spec.Crewed) {
		for _, query := range []string{"email=ann@x.example", "q=ann@x", "email=ann@x.example&q=ann"} {
			f.As("bob", "GET /api/captains?"+query, "").Is(200, `[]`).Has("X-Total-Count", "0")
			f.As("ann", "GET /api/captains?"+query, "").Has("X-Total-Count", "1")
			f.As("root", "GET /api/captains?"+query, "").Has("X-Total-Count", "1")
		}
		f.As("bob", "GET /api/captains?email[ne]=ann@x.example", "").Has("X-Total-Count", "1") // bob alone
		f.As("root", "GET /api/captains?email[ne]=ann@x.example", "").Has("X-Total-Count", "2")
		for who, want := range map[string]string{"bob": "bob root ann", "": "root bob ann", "root": "root bob ann", "ann": "ann root bob"} {
			if names := namesIn(f.As(who, "GET /api/captains?sort=-email", "").Body); names != want {
				t.Errorf("%q has the order %s, want %s", who, names, want)
			}
			var walked []string
			for next := "/api/captains?sort=-email&itemsPerPage=1&cursor="; next != ""; {
				page := f.As(who, "GET "+next, "").HasStatus(200)
				walked = append(walked, namesIn(page.Body))
				next = spec.AddressIn("next", page.Header.Get("Link"))
			}
			if got := strings.Join(walked, " "); got != want {
				t.Errorf("%q walks by cursor through %s, want %s", who, got, want)
			}
		}
	})
}

func TestSparseFieldsShowNoHiddenField(t *testing.T) {
	t.Parallel()
	onlyOwn := spec.CaptainRules
	f := spec.NewCrew(t, resource.Of[spec.Hoard]{}, resource.Of[spec.Captain]{SparseFields: true, Access: onlyOwn})
	f.As("bob", "GET /api/captains/1?fields=name,email", "").Is(200, `{"id":1,"name":"ann"}`)
	f.As("ann", "GET /api/captains/1?fields=name,email", "").Is(200, `{"id":1,"name":"ann","email":"ann@x.example"}`)
	f.As("bob", "GET /api/captains?fields=email", "").Is(200, `[{"id":1},{"id":2,"email":"bob@x.example"},{"id":3}]`)
}

func TestARuleOfAFieldAlsoChecksOmittedFields(t *testing.T) {
	t.Parallel()
	rules := readByAll()
	rules.Fields = map[string]access.Field{"worth": {Read: access.Any(spec.IsOwner, spec.IsAdmin)}}
	hoards := spec.Stores[spec.Hoard](t)
	for name, store := range hoards {
		t.Run(name, func(t *testing.T) {
			f := spec.NewCrew(t, resource.Of[spec.Hoard]{Access: rules, SparseFields: true, Store: store}, resource.Of[spec.Captain]{})
			f.As("ann", "GET /api/hoards?fields=worth", "").Is(200, `[{"id":1,"worth":9},{"id":2,"worth":5},{"id":3}]`)
			f.As("bob", "GET /api/hoards?fields=worth&sort=worth", "").Is(200, `[{"id":1},{"id":2},{"id":3,"worth":null}]`)
		})
	}
}

// readByAll returns rules under which everyone may read hoards.
func readByAll() access.Rules {
	return access.Rules{Read: access.Public, Create: spec.MayWrite, Update: spec.MayWrite, Delete: spec.IsAdmin}
}

func TestFieldsNeedWritePermission(t *testing.T) {
	t.Parallel()
	spec.OnStores(t, func(f spec.Crewed) {
		f.As("ann", "PATCH /api/captains/1", `{"admin":true}`).IsProblem(403).Mentions(`"field":"admin"`, "You do not have permission to set admin.")
		f.As("ann", "PATCH /api/captains/1", `{"admin":null}`).IsProblem(403) // also a value that is not valid
		f.As("ann", "PATCH /api/captains/1", `{"admin":false,"name":"anne"}`).HasStatus(200)
		f.As("root", "PATCH /api/captains/1", `{"admin":true}`).HasStatus(200)
		f.As("ann", "PATCH /api/captains/1", `{"admin":false}`).IsProblem(403)
		f.As("root", "PATCH /api/captains/1", `{"admin":false}`).HasStatus(200)
		// The values of a field that is hidden from everyone are unknown to callers.
		for _, body := range []string{`{"pin":"1"}`, `{"pin":""}`, `{"pin":7}`} {
			f.As("ann", "PATCH /api/captains/1", body).IsProblem(403).Mentions(`"field":"pin"`)
		}
		f.As("", "POST /api/captains", `{"name":"eve","admin":true}`).IsProblem(401)
		f.As("bob", "POST /api/captains", `{"name":"eve","email":"eve@x.example","admin":true}`).IsProblem(403)
		f.As("", "POST /api/captains", `{"name":"eve","email":"eve@x.example","admin":false}`).Is(201, `{"id":4,"name":"eve"}`)
		f.As("root", "GET /api/captains", "").Has("X-Total-Count", "4")
	})
}

func TestReadModifyWriteKeepsWhatItsSenderMayNotWrite(t *testing.T) {
	t.Parallel()
	rules := spec.CaptainRules
	rules.Update = access.Authenticated
	for name, store := range spec.Stores[spec.Captain](t) {
		t.Run(name, func(t *testing.T) {
			f := spec.NewCrew(t, resource.Of[spec.Hoard]{}, resource.Of[spec.Captain]{Store: store, Operations: spec.Replacing(), Access: rules})
			f.As("root", "PATCH /api/captains/1", `{"admin":true,"pin":"77"}`).HasStatus(200)
			body := f.As("ann", "GET /api/captains/1", "").Body
			f.As("ann", "PUT /api/swaps/1", strings.Replace(body, `"ann"`, `"anne"`, 1)).HasStatus(200)
			f.As("ann", "PUT /api/swaps/1", `{"name":"ann","email":"ann@x.example"}`).HasStatus(200)
			f.As("bob", "PUT /api/swaps/1", `{"name":"annie"}`).Is(200, `{"id":1,"name":"annie"}`)
			f.As("root", "GET /api/captains/1", "").Is(200, `{"id":1,"name":"annie","email":"ann@x.example","admin":true}`)
			f.As("ann", "PUT /api/swaps/1", `{"name":"ann"}`).HasStatus(200) // she sees the e-mail address and omits it
			f.As("root", "GET /api/captains/1", "").Is(200, `{"id":1,"name":"ann","email":"","admin":true}`)
		})
	}
}
