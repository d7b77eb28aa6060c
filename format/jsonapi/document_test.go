package jsonapi_test

import (
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

func TestTheDocumentHasTheSchemasOfJSONAPI(t *testing.T) {
	t.Parallel()
	doc, err := openapi.Document(newHoard(t, resource.Config{}).api, openapi.Config{Title: "Hoard", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	got := doc.Paths.Value("/api/treasures/{id}").Get.Responses.Value("200").Value.Content[jsonapi.MediaType].Schema.Value.Properties["data"].Value
	attributes, relationships := got.Properties["attributes"].Value, got.Properties["relationships"].Value
	if attributes.Properties["name"] == nil || attributes.Properties["id"] != nil || attributes.Properties["owner"] != nil {
		t.Errorf("attributes are described as %v", attributes.Properties)
	}
	if relationships.Properties["owner"] == nil || relationships.Properties["name"] != nil {
		t.Errorf("relationships are described as %v", relationships.Properties)
	}
	if name := got.Properties["type"].Value.Enum; len(name) != 1 || name[0] != "treasures" {
		t.Errorf("the type is described as %v", name)
	}
}

func TestTheAPIIsAsDocumented(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		openapitest.Conform(t, newHoard(t, resource.Config{References: references}).api, openapitest.Requests(60))
	}
}

// Responses and errors are documents here, because no client requests JSON.
func TestDocumentsAreAsDocumented(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Formats: append([]format.Format{jsonapi.Format}, format.Standard()...)},
		resource.Of[User]{Inverse: map[string]string{"treasures": "Treasure.owner"}, SparseFields: true},
		resource.Of[Tag]{Errors: validation.Problem},
		resource.Of[Treasure]{Operations: append(operation.Standard(), operation.GetCollection{URITemplate: "/users/{owner}/treasures"})})
	if err != nil {
		t.Fatal(err)
	}
	openapitest.Conform(t, api, openapitest.Requests(60))
}
