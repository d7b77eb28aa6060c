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
