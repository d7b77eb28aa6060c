package openapi_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Sailor, Flag and Sloop refer to one another.
type Sailor struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank,max=40" api:"filter=partial,sort"`
}

type Flag struct {
	Name string `json:"name" api:"id" validate:"max=20"`
}

type Sloop struct {
	ID        int64    `json:"id"`
	Name      string   `json:"name" validate:"max=40"`
	CaptainID int64    `json:"captain" api:"ref=Sailor,expand,filter"`
	CookID    *int64   `json:"cook" api:"ref=Sailor,expand,filter=exact|exists"`
	Flags     []string `json:"flags" validate:"max=3" api:"ref=Flag,expand"`
}

// sloops are those with operations below their captains.
var sloops = resource.Of[Sloop]{Operations: append(operation.Standard(),
	operation.GetCollection{URITemplate: "/sailors/{captain}/sloops"},
	operation.Post{URITemplate: "/sailors/{captain}/sloops"},
	operation.Get{URITemplate: "/sailors/{captain}/sloops/{id}"},
	operation.Get{Name: "whole", URITemplate: "/sloops/{id}/whole", Expand: []string{"captain", "flags"}},
	operation.Patch{URITemplate: "/sailors/{captain}/sloops/{id}"},
	operation.Put{URITemplate: "/sloops/{id}/flags/{flags}"},
	operation.Delete{URITemplate: "/sloops/{id}/flags/{flags}"},
)}

var sailors = resource.Of[Sailor]{Inverse: map[string]string{"sloops": "Sloop.captain"}}

var fleet = []resource.Declaration{sailors, resource.Of[Flag]{}, sloops}

// What an operation always embeds, its schema requires; what is embedded on demand, none requires.
func TestSchemasRequireWhatIsAlwaysEmbedded(t *testing.T) {
	t.Parallel()
	document := documentOf(t, mounted(t, fleet...))
	for path, want := range map[string][]any{"/api/sloops/{id}/whole": {"captain", "flags"}, "/api/sloops/{id}": nil} {
		var beside, within []any // what is required
		schema := document.at(t, "paths", path, "get", "responses", "200", "content", "application/json", "schema")
		for _, part := range partsOf(t, document, schema) {
			required, _ := part["required"].([]any)
			beside = append(beside, required...)
			properties, _ := part["properties"].(map[string]any)
			if embedded, ok := properties["_embedded"].(map[string]any); ok {
				within, _ = embedded["required"].([]any)
			}
		}
		if slices.Contains(beside, any("_embedded")) != (want != nil) || !slices.Equal(within, want) {
			t.Errorf("%s requires %v, and %v of what is embedded, want %v", path, beside, within, want)
		}
	}
}

// partsOf returns the schemas that a schema is made of, behind references.
func partsOf(t *testing.T, document tree, schema any) []map[string]any {
	t.Helper()
	node := schema.(map[string]any)
	if ref, ok := node["$ref"].(string); ok {
		return partsOf(t, document, document.at(t, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...))
	}
	parts := []map[string]any{node}
	list, _ := node["allOf"].([]any)
	for _, each := range list {
		parts = append(parts, partsOf(t, document, each)...)
	}
	return parts
}
