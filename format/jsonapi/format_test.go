package jsonapi_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestOtherValuesAreMeta(t *testing.T) {
	t.Parallel()
	type Wish struct {
		Text string `json:"text" validate:"required"`
	}
	type Reply struct {
		Text string `json:"text"`
	}
	c := newClient(t, resource.Config{}, resource.Of[User]{Operations: append(operation.Standard(),
		operation.Post{Name: "wish", URITemplate: "/users/{id}/wish", Handler: operation.Handle(func(_ context.Context, _ *User, in Wish) (Reply, error) {
			return Reply{in.Text + "!"}, nil
		})},
		operation.Post{Name: "count", URITemplate: "/users/count", Handler: operation.Handle(func(context.Context, *User, Wish) (int, error) { return 3, nil })},
		operation.Post{Name: "wishes", URITemplate: "/users/wishes", Handler: operation.Handle(func(_ context.Context, _ *User, in []Wish) (int, error) { return len(in), nil })},
		operation.GetCollection{Name: "chiefs", URITemplate: "/chiefs", Handler: operation.Handle(func(context.Context, *User, struct{}) ([]User, error) {
			return []User{{ID: 1, Name: "Ann"}}, nil
		})},
	)})
	c.Send("POST /api/users.jsonapi", `{"data":{"type":"users","attributes":{"name":"Ann"}}}`).Mentions(201)
	accept := []string{"Accept", jsonapi.MediaType}
	c.Send("POST /api/users/1/wish", `{"meta":{"text":"Gold"}}`, accept...).Is(200, open+`"meta":{"text":"Gold!"}}`)
	c.Send("POST /api/users/1/wish", `{"meta":{"txt":"Gold"}}`, accept...).Mentions(400, `"pointer":"/meta/txt"`, `"pointer":"/meta/text"`)
	c.Send("POST /api/users/1/wish", `{"text":"Gold"}`, accept...).Mentions(400, "field meta")
	c.Send("POST /api/users/count", `{"meta":{"text":"x"}}`, accept...).Is(200, open+`"meta":{"value":3}}`)
	c.Send("POST /api/users/wishes", `{"meta":{"value":[{"text":"x"},{"text":"y"}]}}`, accept...).Is(200, open+`"meta":{"value":2}}`)
	c.Send("POST /api/users/wishes", `{"meta":{"value":[{"text":"x"},{}]}}`, accept...).Mentions(400, `"pointer":"/meta/value/1/text"`)
	c.Send("POST /api/users/wishes", `{"meta":[]}`, accept...).Mentions(400, `"pointer":"/meta"`)
	c.Send("POST /api/users/count", `{"meta":[1]}`, accept...).Mentions(400, `"errors":[`)
	c.Send("GET /api/chiefs", "", accept...).Is(200, open+`"data":[{"type":"users","id":"1","attributes":{"name":"Ann"},"relationships":{"boss":{"data":null}},"links":{"self":"/api/users/1"}}],"links":{"self":"/api/chiefs"}}`)
}

func TestTypesAreCalledAsTheirCollections(t *testing.T) {
	t.Parallel()
	type HTTPServer struct {
		ID   int64  `json:"id"`
		Next *int64 `json:"next" api:"ref=HTTPServer"`
	}
	type Robot struct {
		Serial string `json:"serial" api:"id"`
	}
	c := newClient(t, resource.Config{},
		resource.Of[HTTPServer]{},
		resource.Of[Robot]{Operations: []operation.Operation{operation.Get{URITemplate: "/machines/{serial}{._format}"}, operation.Post{URITemplate: "/machines{._format}"}}})
	c.Send("POST /api/http_servers.jsonapi", `{"data":{"type":"http_servers"}}`).Mentions(201, `{"type":"http_servers","id":"1"`)
	c.Send("POST /api/http_servers.jsonapi", `{"data":{"type":"http_servers","relationships":{"next":{"data":{"type":"http_servers","id":"1"}}}}}`).
		Mentions(201, `"next":{"data":{"type":"http_servers","id":"1"}`)
	c.Send("POST /api/machines.jsonapi", `{"data":{"type":"machines","id":"x\ny"}}`).Mentions(201, `{"type":"machines","id":"x\ny","attributes":{},`)
}

func TestNamesThatJSONAPIDoesNotAllowAreMistakes(t *testing.T) {
	t.Parallel()
	type Odd struct {
		ID   int64  `json:"id"`
		Kind string `json:"type"`
	}
	type Other struct {
		Key  string `json:"key" api:"id"`
		ID   int64  `json:"id"`
		Last string `json:"_last"`
	}
	_, err := resource.New(resource.Config{Formats: append(format.Standard(), jsonapi.Format)}, resource.Of[Odd]{}, resource.Of[Other]{})
	for _, want := range []string{"JSON:API reserves the field name type; rename it with its json tag", "JSON:API reserves the field name id"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not told by %v", want, err)
		}
	}
}

// Clients read only the format they requested, so errors about permissions have it too.
func TestDeniedRequestsAreRejectedInTheFormat(t *testing.T) {
	t.Parallel()
	nobody := access.Bearer("token", func(context.Context, string) (string, access.Scopes, error) { return "", nil, access.ErrCredentials })
	c := newClient(t, resource.Config{Authentication: []access.Scheme{nobody}}, resource.Of[User]{Access: access.Rules{
		Read: access.Authenticated, Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated,
	}})
	for _, request := range []string{"GET /api/users.jsonapi", "POST /api/users.jsonapi"} {
		c.Send(request, "").Has("Content-Type", jsonapi.MediaType).Mentions(401, `"errors":[{"status":"401"`)
	}
	accept := []string{"Accept", jsonapi.MediaType}
	c.Send("GET /api/users", "", append(accept, "Authorization", "Bearer x")...).Mentions(401, `"errors":[{"status":"401"`)
	c.Send("GET /api/users", "", "Accept", "text/x-unheard").Has("Content-Type", "application/problem+json").Mentions(401, `"status":401`)
	c.Send("GET /api/users.unheard", "").Has("Content-Type", "application/problem+json")
}
