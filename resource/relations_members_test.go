package resource_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/trove-api/trove/access"
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

// The members of two resources have their rules each, though one caller asks for both.
func TestRulesOfMembersAreThoseOfTheirOwnResource(t *testing.T) {
	t.Parallel()
	keeper := access.If("keeper", func(name string) bool { return name == "keeper" })
	guest := access.If("guest", func(name string) bool { return name == "guest" })
	c := newClient(t, resource.Config{Authentication: []access.Scheme{
		access.APIKey("key", "X-API-Key", func(_ context.Context, key string) (string, access.Scopes, error) { return key, nil, nil }),
	}},
		resource.Of[Strongbox]{Store: memory.New(Strongbox{Code: "7", Vault: 1}), Access: access.Rules{
			Read: access.Public, Create: keeper, Update: keeper, Delete: keeper,
			Members: map[string]access.Member{"code": {Read: keeper}},
		}},
		resource.Of[Vault]{Store: memory.New(Vault{Name: "Deep", Secret: "x"}), Access: access.Rules{
			Read: access.Public, Create: keeper, Update: keeper, Delete: keeper,
			Members: map[string]access.Member{"secret": {Read: guest}},
		}})
	for key, want := range map[string]string{
		"keeper": `{"id":1,"code":"7","vault":"/api/vaults/1","_embedded":{"vault":{"id":1,"name":"Deep"}}}`,
		"guest":  `{"id":1,"vault":"/api/vaults/1","_embedded":{"vault":{"id":1,"name":"Deep","secret":"x"}}}`,
		"nobody": `{"id":1,"vault":"/api/vaults/1","_embedded":{"vault":{"id":1,"name":"Deep"}}}`,
	} {
		c.send("GET /api/strongboxes/1?expand=vault", "", "X-API-Key", key).is(http.StatusOK, want)
		c.send("GET /api/strongboxes?expand=vault", "", "X-API-Key", key).is(http.StatusOK, "["+want+"]")
	}
}
