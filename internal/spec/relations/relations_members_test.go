package relations_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

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
