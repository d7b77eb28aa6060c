package hal_test

import (
	"testing"

	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/internal/formattest"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
)

func apiOf(t *testing.T, c formattest.Client) *resource.API {
	t.Helper()
	api, ok := c.API.(*resource.API)
	if !ok {
		t.Fatalf("the API is a %T", c.API)
	}
	return api
}

func TestTheDocumentHasTheSchemasOfHAL(t *testing.T) {
	t.Parallel()
	c := newHoard(t, hal.Format, resource.Config{})
	doc, err := openapi.Document(apiOf(t, c), openapi.Config{Title: "Hoard", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	got := doc.Paths.Value("/api/treasures/{id}").Get.Responses.Value("200").Value.Content[hal.MediaType]
	links := got.Schema.Value.Properties["_links"].Value
	if links.Properties["owner"] == nil || links.Properties["self"] == nil || links.Properties["name"] != nil {
		t.Errorf("links are described as %v", links.Properties)
	}
	if name := got.Schema.Value.Properties["name"]; name == nil || !name.Value.Type.Is("string") {
		t.Errorf("a member is described as %+v", name)
	}
}

func TestTheAPIIsAsDocumented(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		openapitest.Conform(t, apiOf(t, newHoard(t, hal.Format, resource.Config{References: references})), openapitest.Requests(60))
	}
}
