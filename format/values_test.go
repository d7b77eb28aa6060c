package format_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/internal/formattest"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func returning[T any](name string, value T) operation.Get {
	return operation.Get{Name: name, URITemplate: "/" + name, Handler: operation.Handle(func(context.Context, *Lamp, struct{}) (T, error) { return value, nil })}
}

// A handler's result that is not an object with fields becomes a value inside one, in formats whose documents are
// objects. Names of a map are data, even if the format gives them a meaning.
func TestValuesThatAreNotObjectsAreWrapped(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format)}, resource.Of[Lamp]{Operations: []operation.Operation{
		returning("number", 42), returning("text", "=a"), returning("list", []string{"a"}),
		returning("map", map[string]any{"@context": "http://example.com/", "_links": 1}), returning("object", struct {
			A int `json:"a"`
		}{1}),
	}})
	if err != nil {
		t.Fatal(err)
	}
	c := formattest.Client{T: t, API: api, MediaType: format.JSON}
	const node = `{"@context":{"value":{"@id":"http://www.w3.org/1999/02/22-rdf-syntax-ns#value","@type":"@json"}},"value":`
	for name, value := range map[string]string{
		"number": "42", "text": `"=a"`, "list": `["a"]`, "map": `{"@context":"http://example.com/","_links":1}`,
	} {
		c.Send("GET /api/"+name, "", "Accept", hal.MediaType).Is(http.StatusOK, `{"value":`+value+`}`)
		c.Send("GET /api/"+name, "", "Accept", jsonld.MediaType).Is(http.StatusOK, node+value+`}`)
	}
	c.Send("GET /api/object", "", "Accept", hal.MediaType).Is(http.StatusOK, `{"a":1}`)
	c.Send("GET /api/object", "", "Accept", jsonld.MediaType).Mentions(http.StatusOK, `"@vocab":"/api/docs.jsonld#"`, `,"a":1}`)
	c.Send("GET /api/map", "", "Accept", jsonapi.MediaType).Mentions(http.StatusOK, `"meta":{`)
}
