package relations_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
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
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{
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
		c.Send("POST /api/bosuns", `{"name":"Ann","coin":5}`).HasStatus(http.StatusCreated)
	}
	c.Send("POST /api/oaths", `{"name":"a","witnesses":["/api/bosuns/1"]}`, "X-API-Key", "one").HasStatus(http.StatusCreated)
	for query, want := range map[string]string{
		"witnesses=/api/bosuns/1":                           `[{"id":1,"name":"a","witnesses":["/api/bosuns/1"]}]`,
		"witnesses=/api/bosuns/2":                           `[]`,
		"witnesses=/api/bosuns/9":                           `[]`,
		"witnesses=/api/bosuns/2&witnesses=/api/bosuns/1":   `[{"id":1,"name":"a","witnesses":["/api/bosuns/1"]}]`,
		"witnesses=/api/bosuns/2&witnesses=/api/bosuns/999": `[]`,
	} {
		c.Send("GET /api/oaths?"+query, "", "X-API-Key", "one").Is(http.StatusOK, want)
	}
	c.Send("GET /api/oaths?witnesses=/api/bosuns/1", "").Is(http.StatusOK, `[]`)
	c.Send("GET /api/bosuns/1/oaths", "", "X-API-Key", "one").Mentions(`"name":"a"`)
	missing := c.Send("GET /api/bosuns/9/oaths", "", "X-API-Key", "one").IsProblem(http.StatusNotFound)
	c.Send("GET /api/bosuns/2/oaths", "", "X-API-Key", "one").Is(http.StatusNotFound, missing.Body)
}
