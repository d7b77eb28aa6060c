package openapi_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Gem is shown in several ways.
type Gem struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank"`
	Value int    `json:"value" api:"filter,sort"`
}

func TestTheSchemaOfAViewHasItsName(t *testing.T) {
	t.Parallel()
	card := &operation.View{Name: "GemCard", Members: []string{"id", "name"}}
	gems := resource.Of[Gem]{Operations: []operation.Operation{
		operation.Get{}, operation.Post{},
		operation.GetCollection{View: card}, operation.Get{Name: "card", URITemplate: "/cards/{id}", View: card, SparseFields: true},
	}}
	if diff := cmp.Diff([]string{"Gem", "GemCard", "GemCardSparse", "GemCreate"}, schemaNames(t, gems)); diff != "" {
		t.Errorf("the names differ (-want +got):\n%s", diff)
	}
	document := documentOf(t, mounted(t, gems))
	schema := document.at(t, "components", "schemas", "GemCard").(map[string]any)
	if diff := cmp.Diff([]any{"id", "name"}, schema["required"]); diff != "" {
		t.Errorf("the required members differ (-want +got):\n%s", diff)
	}
	if properties := schema["properties"].(map[string]any); len(properties) != 2 {
		t.Errorf("the schema has the members %v", properties)
	}
	items := document.at(t, "paths", "/api/gems", "get", "responses", "200", "content", "application/json", "schema", "items", "$ref")
	if items != "#/components/schemas/GemCard" {
		t.Errorf("the collection is of %v", items)
	}
}
