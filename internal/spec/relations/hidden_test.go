package relations_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Bosun is a user who sees only their own record.
type Bosun struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Coin int    `json:"coin"`
}

type Vow struct {
	ID    int64 `json:"id"`
	Bosun int64 `json:"bosun" api:"ref=Bosun,expand"`
}

// newVows returns an API in which bosuns 1 and 2 see themselves, and vow 1 is the first one's.
func newVows(t testing.TB) spec.Client {
	t.Helper()
	self := access.Equal("id", func(c *Bosun) int64 { return c.ID })
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{
		access.APIKey("key", "X-API-Key", func(_ context.Context, key string) (*Bosun, access.Scopes, error) {
			ids := map[string]int64{"one": 1, "two": 2}
			if ids[key] == 0 {
				return nil, nil, access.ErrCredentials
			}
			return &Bosun{ID: ids[key]}, nil, nil
		}),
	}},
		resource.Of[Vow]{
			Access: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public},
			Operations: append(operation.Standard(),
				operation.GetCollection{URITemplate: "/bosuns/{bosun}/vows"}, operation.Post{URITemplate: "/bosuns/{bosun}/vows"}),
		},
		resource.Of[Bosun]{Access: access.Rules{
			Read: self, Create: access.Public, Update: self, Delete: self,
			Fields: map[string]access.Field{"coin": {Read: access.Not(self)}},
		}})
	c.Send("POST /api/bosuns", `{"name":"Ann","coin":5}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/bosuns", `{"name":"Bob","coin":7}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/vows", `{"bosun":"/api/bosuns/1"}`, "X-API-Key", "one").HasStatus(http.StatusCreated)
	return c
}

func TestARecordThatMayNotBeSeenIsLikeOneThatIsMissing(t *testing.T) {
	t.Parallel()
	c := newVows(t)
	hidden := c.Send("POST /api/vows", `{"bosun":"/api/bosuns/1"}`, "X-API-Key", "two")
	missing := c.Send("POST /api/vows", `{"bosun":"/api/bosuns/99"}`, "X-API-Key", "two")
	hidden.Is(http.StatusBadRequest, missing.Body)
	c.Send("POST /api/vows", `{"bosun":"/api/bosuns/1"}`).Is(http.StatusBadRequest, missing.Body)
	for _, method := range []string{"GET", "POST"} {
		body := ""
		if method == "POST" {
			body = "{}"
		}
		missing = c.Send(method+" /api/bosuns/99/vows", body, "X-API-Key", "two").HasStatus(http.StatusNotFound)
		c.Send(method+" /api/bosuns/1/vows", body, "X-API-Key", "two").Is(http.StatusNotFound, missing.Body)
	}
	c.Send("GET /api/bosuns/1/vows", "", "X-API-Key", "one").Is(http.StatusOK, `[{"id":1,"bosun":"/api/bosuns/1"}]`)
	c.Send("PATCH /api/vows/1", `{}`, "X-API-Key", "two").HasStatus(http.StatusOK)
}

func TestEmbeddedRecordsAreThoseOfTheCallersGet(t *testing.T) {
	t.Parallel()
	c := newVows(t)
	own := c.Send("GET /api/bosuns/1", "", "X-API-Key", "one").Is(http.StatusOK, `{"id":1,"name":"Ann"}`)
	c.Send("GET /api/vows/1?expand=bosun", "", "X-API-Key", "one").
		Is(http.StatusOK, `{"id":1,"bosun":"/api/bosuns/1","_embedded":{"bosun":`+own.Body+`}}`).Has("Cache-Control", "private, no-cache")
	for _, key := range []string{"two", ""} {
		var header []string
		if key != "" {
			header = []string{"X-API-Key", key}
		}
		c.Send("GET /api/vows/1?expand=bosun", "", header...).Is(http.StatusOK, `{"id":1,"bosun":"/api/bosuns/1","_embedded":{"bosun":null}}`)
		c.Send("GET /api/vows?expand=bosun", "", header...).Is(http.StatusOK, `[{"id":1,"bosun":"/api/bosuns/1","_embedded":{"bosun":null}}]`)
	}
}

// Spy is a record that is hidden unless open.
type Spy struct {
	ID   int64 `json:"id"`
	Open bool  `json:"open"`
}

type Dossier struct {
	Spy *int64 `json:"spy" api:"ref=Spy"`
}

// Codebook refers to spies in fields that its writers cannot see.
type Codebook struct {
	ID      int64   `json:"id"`
	Auditor *int64  `json:"auditor" api:"ref=Spy"`
	Spies   []int64 `json:"spies" validate:"max=5" api:"ref=Spy"`
	Dossier Dossier `json:"dossier"`
	Handler *int64  `json:"handler" api:"writeonly,ref=Spy"`
	Known   *int64  `json:"known" api:"ref=Spy"`
}

// saveEach saves the codebooks of a bulk update.
func saveEach(ctx context.Context, _ *Codebook, in []operation.PatchOf[Codebook]) (struct{}, error) {
	for _, each := range in {
		if _, err := each.Save(ctx); err != nil {
			return struct{}{}, err
		}
	}
	return struct{}{}, nil
}

// newCodebook returns an API with a codebook all of whose hidden fields refer to a spy. Spies 1 and 2 are hidden, spy 3
// is not.
func newCodebook(t *testing.T, spy int64) spec.Client {
	t.Helper()
	hidden := access.Field{Read: spec.IsAdmin}
	api := func(operations []operation.Operation, kept Codebook) resource.Of[Codebook] {
		return resource.Of[Codebook]{Store: memory.New(kept), Operations: operations, Access: access.Rules{
			Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public,
			Fields: map[string]access.Field{"auditor": hidden, "spies": hidden, "dossier": hidden},
		}}
	}
	return spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}, Formats: append(format.Standard(), jsonapi.Format)},
		resource.Of[Spy]{
			Store: memory.New(Spy{}, Spy{}, Spy{Open: true}), Operations: []operation.Operation{operation.Get{}},
			Access: access.Rules{Read: access.Any(access.Where("open", true), spec.IsAdmin)},
		},
		api(append(operation.Standard(),
			operation.Put{URITemplate: "/codebooks/{id}/spies/{spies}"}, operation.Delete{URITemplate: "/codebooks/{id}/spies/{spies}"},
			operation.Patch{Name: "change", URITemplate: "/codebooks", Handler: operation.Handle(saveEach), Access: access.Public},
		), Codebook{Auditor: &spy, Spies: []int64{spy}, Dossier: Dossier{Spy: &spy}, Handler: &spy, Known: new(int64(1))}))
}

// A body may repeat a stored reference to a hidden record, so that clients can send back what they read. In a hidden
// field it must be rejected: otherwise a caller could find the stored reference by trying paths.
func TestAcceptedValuesDoNotDiscloseHiddenReferences(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, request, body string
		status              int
	}{
		{"a reference in a patch", "PATCH /api/codebooks/1", `{"auditor":"/api/spies/1"}`, 400},
		{"a reference in a Put", "PUT /api/codebooks/1", `{"auditor":"/api/spies/1"}`, 400},
		{"a list", "PATCH /api/codebooks/1", `{"spies":["/api/spies/1"]}`, 400},
		{"a list with one that is seen", "PATCH /api/codebooks/1", `{"spies":["/api/spies/3","/api/spies/1"]}`, 400},
		{"a reference within a hidden member", "PATCH /api/codebooks/1", `{"dossier":{"spy":"/api/spies/1"}}`, 400},
		{"a reference that no answer shows", "PATCH /api/codebooks/1", `{"handler":"/api/spies/1"}`, 400},
		{"a record of a bulk update", "PATCH /api/codebooks", `[{"id":1,"auditor":"/api/spies/1"}]`, 400},
		{"a membership", "PUT /api/codebooks/1/spies/1", "", 404},
		{"the end of a membership", "DELETE /api/codebooks/1/spies/1", "", 204},
		{"what the caller does not send", "PATCH /api/codebooks/1", `{"known":"/api/spies/3"}`, 200},
		{"what the caller has seen", "PATCH /api/codebooks/1", `{"known":"/api/spies/1"}`, 200},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			isIt := newCodebook(t, 1).As("bob", test.request, test.body).HasStatus(test.status)
			newCodebook(t, 2).As("bob", test.request, test.body).Is(test.status, isIt.Body)
		})
	}
}

type Vault struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Secret string `json:"secret"`
}

type Strongbox struct {
	ID    int64  `json:"id"`
	Code  string `json:"code"`
	Vault int64  `json:"vault" api:"ref=Vault,expand"`
}

// Rules of fields with the same name in two resources are separate, even if one caller reads both.
func TestRulesOfFieldsBelongToTheirResource(t *testing.T) {
	t.Parallel()
	keeper := access.If("keeper", func(name string) bool { return name == "keeper" })
	guest := access.If("guest", func(name string) bool { return name == "guest" })
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{
		access.APIKey("key", "X-API-Key", func(_ context.Context, key string) (string, access.Scopes, error) { return key, nil, nil }),
	}},
		resource.Of[Strongbox]{Store: memory.New(Strongbox{Code: "7", Vault: 1}), Access: access.Rules{
			Read: access.Public, Create: keeper, Update: keeper, Delete: keeper,
			Fields: map[string]access.Field{"code": {Read: keeper}},
		}},
		resource.Of[Vault]{Store: memory.New(Vault{Name: "Deep", Secret: "x"}), Access: access.Rules{
			Read: access.Public, Create: keeper, Update: keeper, Delete: keeper,
			Fields: map[string]access.Field{"secret": {Read: guest}},
		}})
	for key, want := range map[string]string{
		"keeper": `{"id":1,"code":"7","vault":"/api/vaults/1","_embedded":{"vault":{"id":1,"name":"Deep"}}}`,
		"guest":  `{"id":1,"vault":"/api/vaults/1","_embedded":{"vault":{"id":1,"name":"Deep","secret":"x"}}}`,
		"nobody": `{"id":1,"vault":"/api/vaults/1","_embedded":{"vault":{"id":1,"name":"Deep"}}}`,
	} {
		c.Send("GET /api/strongboxes/1?expand=vault", "", "X-API-Key", key).Is(http.StatusOK, want)
		c.Send("GET /api/strongboxes?expand=vault", "", "X-API-Key", key).Is(http.StatusOK, "["+want+"]")
	}
}

type Corsair struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// Booty keeps from all but the keeper whose it is.
type Booty struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	Corsair int64  `json:"corsair" api:"ref=Corsair,expand"`
}

// newBooty returns an API in which booty 1 is corsair 1's, which only the keeper sees and sets.
func newBooty(t *testing.T) spec.Client {
	t.Helper()
	keeper := access.If("keeper", func(name string) bool { return name == "keeper" })
	return spec.NewClient(t, resource.Config{Authentication: []access.Scheme{
		access.APIKey("key", "X-API-Key", func(_ context.Context, key string) (string, access.Scopes, error) { return key, nil, nil }),
	}},
		resource.Of[Corsair]{
			Store:      memory.New(Corsair{Name: "Ann"}, Corsair{Name: "Bob"}),
			Operations: []operation.Operation{operation.Get{}}, Access: access.Rules{Read: access.Public},
		},
		resource.Of[Booty]{
			Store: memory.New(Booty{Name: "Gold", Corsair: 1}),
			Access: access.Rules{
				Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public,
				Fields: map[string]access.Field{"corsair": {Read: keeper, Write: keeper}},
			},
			Operations: append(operation.Standard(),
				operation.GetCollection{URITemplate: "/corsairs/{corsair}/booty"}, operation.Post{URITemplate: "/corsairs/{corsair}/booty"},
				operation.Get{URITemplate: "/corsairs/{corsair}/booty/{id}"}, operation.Patch{URITemplate: "/corsairs/{corsair}/booty/{id}"}),
		})
}

func TestAPathDisclosesNothingOfAHiddenReference(t *testing.T) {
	t.Parallel()
	c := newBooty(t)
	c.Send("GET /api/corsairs/1/booty/1", "", "X-API-Key", "keeper").HasStatus(http.StatusOK)
	for _, method := range []string{"GET", "PATCH"} {
		body := ""
		if method == "PATCH" {
			body = "{}"
		}
		other := c.Send(method+" /api/corsairs/2/booty/1", body, "X-API-Key", "guest").HasStatus(http.StatusNotFound)
		c.Send(method+" /api/corsairs/1/booty/1", body, "X-API-Key", "guest").Is(http.StatusNotFound, other.Body)
	}
	c.Send("GET /api/corsairs/1/booty", "", "X-API-Key", "guest").Is(http.StatusOK, "[]")
}

func TestAPathSetsNoReferenceThatItsCallerMayNotWrite(t *testing.T) {
	t.Parallel()
	c := newBooty(t)
	c.Send("POST /api/corsairs/2/booty", `{"name":"Silver"}`, "X-API-Key", "guest").HasStatus(http.StatusForbidden)
	c.Send("GET /api/booties", "", "X-API-Key", "keeper").Is(http.StatusOK, `[{"id":1,"name":"Gold","corsair":"/api/corsairs/1"}]`)
	c.Send("POST /api/corsairs/2/booty", `{"name":"Silver"}`, "X-API-Key", "keeper").HasStatus(http.StatusCreated)
	c.Send("PATCH /api/corsairs/2/booty/2", `{"name":"Tin"}`, "X-API-Key", "keeper").HasStatus(http.StatusOK)
}
