package resource_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Oath has witnesses, each of whom sees himself alone.
type Oath struct {
	ID        int64   `json:"id"`
	Name      string  `json:"name"`
	Witnesses []int64 `json:"witnesses" validate:"max=3" api:"ref=Bosun,filter"`
}

func TestAHiddenRecordInListsIsLikeOneThatIsMissing(t *testing.T) {
	t.Parallel()
	self := access.Equal("id", func(c *Bosun) int64 { return c.ID })
	c := newClient(t, resource.Config{Authentication: []access.Scheme{
		access.APIKey("key", "X-API-Key", func(_ context.Context, key string) (*Bosun, access.Scopes, error) {
			if key != "one" {
				return nil, nil, access.ErrCredentials
			}
			return &Bosun{ID: 1}, nil, nil
		}),
	}},
		resource.Of[Oath]{
			Access:     access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public},
			Operations: append(operation.Standard(), operation.GetCollection{URITemplate: "/bosuns/{witnesses}/oaths"}),
		},
		resource.Of[Bosun]{Access: access.Rules{Read: self, Create: access.Public, Update: self, Delete: access.Public}})
	for range 2 {
		c.send("POST /api/bosuns", `{"name":"Ann","coin":5}`).hasStatus(http.StatusCreated)
	}
	c.send("POST /api/oaths", `{"name":"a","witnesses":["/api/bosuns/1"]}`, "X-API-Key", "one").hasStatus(http.StatusCreated)
	for query, want := range map[string]string{
		"witnesses=/api/bosuns/1":                           `[{"id":1,"name":"a","witnesses":["/api/bosuns/1"]}]`,
		"witnesses=/api/bosuns/2":                           `[]`,
		"witnesses=/api/bosuns/9":                           `[]`,
		"witnesses=/api/bosuns/2&witnesses=/api/bosuns/1":   `[{"id":1,"name":"a","witnesses":["/api/bosuns/1"]}]`,
		"witnesses=/api/bosuns/2&witnesses=/api/bosuns/999": `[]`,
	} {
		c.send("GET /api/oaths?"+query, "", "X-API-Key", "one").is(http.StatusOK, want)
	}
	c.send("GET /api/oaths?witnesses=/api/bosuns/1", "").is(http.StatusOK, `[]`)
	c.send("GET /api/bosuns/1/oaths", "", "X-API-Key", "one").mentions(`"name":"a"`)
	missing := c.send("GET /api/bosuns/9/oaths", "", "X-API-Key", "one").isProblem(http.StatusNotFound)
	c.send("GET /api/bosuns/2/oaths", "", "X-API-Key", "one").is(http.StatusNotFound, missing.body)
}
