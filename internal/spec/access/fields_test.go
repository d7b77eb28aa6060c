package access_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

func TestHiddenFieldsAreOmitted(t *testing.T) {
	t.Parallel()
	onStores(t, func(f spec.Crewed) {
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
	onStores(t, func(f spec.Crewed) {
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
				next = page.Link("next")
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
	onStores(t, func(f spec.Crewed) {
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
			f := spec.NewCrew(t, resource.Of[spec.Hoard]{}, resource.Of[spec.Captain]{Store: store, Operations: replacing(), Access: rules})
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

// Locker has hidden fields that only the service uses.
type Locker struct {
	ID     int64  `json:"id"`
	Owner  string `json:"owner" validate:"notblank" api:"filter,sort"`
	Digest string `json:"digest" api:"hidden,unique"`
	Tries  int    `json:"tries" api:"hidden"`
	Door   Door   `json:"door"`
}

// Door is a part of a locker.
type Door struct {
	Colour string  `json:"colour"`
	Secret *string `json:"secret" api:"hidden"`
}

// lockers counts changes in a hidden field, and hides another field from all but the owner.
func lockers(kept store.Store[Locker]) resource.Of[Locker] {
	return resource.Of[Locker]{
		Store: kept, SparseFields: true,
		Operations: append(operation.Standard(), operation.Put{
			Name: "replace", URITemplate: "/lockers/{id}/whole", ExtraProperties: map[string]any{"standard_put": true},
		}),
		Prepare: func(_ context.Context, _ *operation.Request, l *Locker) error {
			l.Digest = "digest of " + strings.ToLower(l.Owner)
			l.Door.Secret = &l.Digest
			l.Tries++
			return nil
		},
	}
}

func TestHiddenFieldsAreInNoMessage(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, kept store.Store[Locker]) {
		t.Helper()
		formats := append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format)
		api, err := resource.New(resource.Config{Formats: formats}, lockers(kept))
		if err == nil {
			err = openapi.Mount(api, openapi.Config{})
		}
		if err != nil {
			t.Fatal(err)
		}
		c := spec.Client{T: t, Handler: api}
		const shown = `{"id":1,"owner":"Ann","door":{"colour":"red"}}`
		c.Send("POST /api/lockers", `{"owner":"Ann","door":{"colour":"red"}}`).Is(201, shown)
		for request, body := range map[string]string{
			"POST /api/lockers":        `{"owner":"Bob","digest":"x","door":{"secret":"x"}}`,
			"PATCH /api/lockers/1":     `{"digest":null,"door":{"secret":null}}`,
			"PUT /api/lockers/1":       `{"digest":"x","door":{"secret":"x"}}`,
			"PUT /api/lockers/1/whole": `{"owner":"Ann","digest":"digest of ann","door":{"secret":"x"}}`,
		} {
			refused := c.Send(request, body).HasStatus(400).Mentions(`"digest":`, `"door.secret":`, "Unknown field")
			if strings.Contains(refused.Body, "did you mean") {
				t.Errorf("%s: %s", request, refused.Body)
			}
		}
		c.Send("GET /api/lockers?fields=digest", "").IsProblem(400)
		c.Send("GET /api/lockers?digest=x", "").IsProblem(400)
		c.Send("GET /api/lockers?sort=tries", "").IsProblem(400)
		c.Send("PATCH /api/lockers/1", `{"door":{"colour":"blue"}}`).Is(200, `{"id":1,"owner":"Ann","door":{"colour":"blue"}}`)
		c.Send("PUT /api/lockers/1/whole", `{"owner":"ANN","door":{"colour":"red"}}`).Is(200, `{"id":1,"owner":"ANN","door":{"colour":"red"}}`)
		if l, err := kept.Get(t.Context(), int64(1)); err != nil || l.Tries != 3 || l.Digest != "digest of ann" || *l.Door.Secret != l.Digest {
			t.Errorf("the record is %+v, %v", l, err)
		}
		for _, path := range []string{
			"/api/lockers", "/api/lockers/1", "/api/lockers.ndjson", "/api/lockers.jsonld", "/api/lockers/1.jsonld", "/api/lockers.jsonhal",
			"/api/lockers/1.jsonapi", "/api/lockers.csv", "/api/docs.json", "/api/docs.jsonld", "/api/contexts/Locker",
		} {
			if got := c.Send("GET "+path, ""); strings.Contains(got.Body, "digest") || strings.Contains(got.Body, "tries") || strings.Contains(got.Body, "secret") {
				t.Errorf("%s has a hidden member: %s", path, got.Body)
			}
		}
		if taken := c.Send("POST /api/lockers", `{"owner":"ann","door":{"colour":"red"}}`).IsProblem(409); strings.Contains(taken.Body, "digest") {
			t.Errorf("a conflict tells of a hidden member: %s", taken.Body)
		}
	})
}

func TestTagsDoNotDiscloseHiddenFields(t *testing.T) {
	t.Parallel()
	tag := func(key string) string {
		c := spec.NewClient(t, resource.Config{CursorKey: []byte(key)}, lockers(nil))
		return c.Send("POST /api/lockers", `{"owner":"Ann","door":{"colour":"red"}}`).HasStatus(201).Header.Get("ETag")
	}
	if one, other := tag("0123456789abcdef"), tag("fedcba9876543210"); one == other || one != tag("0123456789abcdef") {
		t.Errorf("the tags are %s and %s; want keyed ones", one, other)
	}
}

func TestAccessRulesSeeHiddenFields(t *testing.T) {
	t.Parallel()
	declared := lockers(nil)
	declared.Access = access.Rules{Read: access.Where("digest", "digest of ann"), Create: access.Public, Update: access.Public, Delete: access.Public}
	c := spec.NewClient(t, resource.Config{}, declared)
	c.Send("POST /api/lockers", `{"owner":"Ann","door":{"colour":"red"}}`).HasStatus(201)
	c.Send("POST /api/lockers", `{"owner":"Bob","door":{"colour":"red"}}`).HasStatus(201)
	c.Send("GET /api/lockers", "").HasStatus(200).Has("X-Total-Count", "1").Mentions("Ann")
	c.Send("GET /api/lockers/2", "").IsProblem(404)
}

func TestMistakesInHiddenFields(t *testing.T) {
	t.Parallel()
	type secret struct {
		ID   int64  `json:"id" api:"id"`
		A    string `json:"a" api:"hidden,filter,sort"`
		B    string `json:"b" api:"hidden,readonly"`
		C    string `json:"c" api:"hidden,createonly"`
		D    string `json:"d" api:"hidden"`
		Last string `json:"last" api:"hiden"`
	}
	type keyed struct {
		Key string `json:"key" api:"id,hidden"`
	}
	_, err := resource.New(resource.Config{},
		resource.Of[secret]{}, resource.Of[keyed]{},
		resource.Of[Locker]{View: &operation.View{Name: "Card", Fields: []string{"digest"}}, Access: access.Rules{
			Fields: map[string]access.Field{"tries": {Read: access.Public}},
		}})
	for _, want := range []string{
		`secret.A: a hidden field cannot have the word "filter"; allowed: hidden, password, unique, index, deleted, ref, ondelete`, `secret.A: a hidden field cannot have the word "sort"; allowed: hidden, password, unique, index, deleted, ref, ondelete`,
		`secret.B: a hidden field cannot have the word "readonly"; allowed: hidden, password, unique, index, deleted, ref, ondelete`, `secret.C: a hidden field cannot have the word "createonly"; allowed: hidden, password, unique, index, deleted, ref, ondelete`,
		`"hiden"`, `did you mean "hidden"?`, `keyed.Key: a hidden field cannot have the word "id"; allowed: hidden, password, unique, index, deleted, ref, ondelete`,
		`View "Card": the field "digest" is hidden`, `View "Card": the field "digest" is hidden`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the mistakes are %v, want %s among them", err, want)
		}
	}
}

// Session has a hidden field that must be unique, and one that is looked up.
type Session struct {
	ID   int64  `json:"id"`
	Hash string `json:"hash" api:"hidden,unique" message:"unique: You are signed in already."`
	Seal string `json:"seal" api:"hidden,unique"`
	Key  string `json:"key" api:"hidden,index"`
	Name string `json:"name"`
}

func TestTheMessageOfAHiddenUniqueFieldIsSent(t *testing.T) {
	t.Parallel()
	for name, sessions := range spec.Stores[Session](t) {
		t.Run(name, func(t *testing.T) {
			c := spec.NewClient(t, resource.Config{}, resource.Of[Session]{Store: sessions, Prepare: func(_ context.Context, _ *operation.Request, s *Session) error {
				s.Hash, s.Seal, _ = strings.Cut(s.Name, "/")
				return nil
			}})
			c.Send("POST /api/sessions", `{"name":"a/x"}`).HasStatus(201)
			got := c.Send("POST /api/sessions", `{"name":"a/y"}`)
			if got.Status != 409 || !strings.Contains(got.Body, "You are signed in already.") || strings.Contains(got.Body, "hash") {
				t.Errorf("the message of the field: %d %s", got.Status, got.Body)
			}
			got = c.Send("POST /api/sessions", `{"name":"b/x"}`)
			if got.Status != 409 || strings.Contains(got.Body, "seal") || strings.Contains(got.Body, "Read the record again") {
				t.Errorf("without a message: %d %s", got.Status, got.Body)
			}
		})
	}
}

func TestTheWordIndexMakesAnIndexAndNoParameter(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "index.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Create(t.Context(), sqlstore.Table[Session](db)); err != nil {
		t.Fatal(err)
	}
	rows, err := db.Query(t.Context(), "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql LIKE '%(`key`%' AND sql NOT LIKE '%UNIQUE%'")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	if !rows.Next() {
		t.Error("Create makes no index of the field")
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Session]{})
	c.Send("GET /api/sessions?key=x", "").HasStatus(400)
}

func TestTheWordIndexIsForValuesThatHaveAnOrder(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[struct {
		ID  int64    `json:"id"`
		Box spec.Box `json:"box" api:"index"`
	}]{ShortName: "Crate"})
	spec.WantLine(t, err, "Crate: struct{…}.Box: index does not support the type spec.Box; allowed: a bool, number, string, time.Time or a type that marshals itself as text")
}

func TestNewWarnsOfAUniqueWriteonlyFieldOnce(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]int{"loud": 1, "quiet": 0} {
		var log strings.Builder
		config := resource.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}
		var declared resource.Declaration = resource.Of[struct {
			ID  int64  `json:"id"`
			PIN string `json:"pin" api:"writeonly,unique"`
		}]{ShortName: "Badge"}
		if tag == "quiet" {
			declared = resource.Of[struct {
				ID  int64  `json:"id"`
				PIN string `json:"pin" api:"writeonly,index"`
			}]{ShortName: "Badge"}
		}
		if _, err := resource.New(config, declared); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(log.String(), "level=WARN"); got != want || want == 1 && !strings.Contains(log.String(), "resource=Badge field=pin") {
			t.Errorf("%s: the log is %q", tag, log.String())
		}
	}
}

// replacing returns the standard operations and a Put that replaces.
func replacing() []operation.Operation {
	return append(operation.Standard(), operation.Put{
		Name: "swap", URITemplate: "/swaps/{id}", ExtraProperties: map[string]any{"standard_put": true},
	})
}
