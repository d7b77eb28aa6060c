package msgpack_test

import (
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
)

func TestTheDocumentSaysOfMessagePackWhatItSaysOfJSON(t *testing.T) {
	t.Parallel()
	doc, err := openapi.Document(newAPI(t, resource.Of[gem]{}), openapi.Config{Title: "Gems", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	path := doc.Paths.Value("/api/gems")
	page := path.Get.Responses.Value("200").Value.Content
	body := path.Post.RequestBody.Value.Content
	if page[asMessagePack] == nil || page[asMessagePack].Schema.Value.Items.Ref != page[format.JSON].Schema.Value.Items.Ref {
		t.Errorf("a page is described as %+v", page[asMessagePack])
	}
	if refused := path.Post.Responses.Value("400").Value.Content[asMessagePack]; refused == nil || refused.Schema.Value.Properties["title"] == nil {
		t.Errorf("a refusal is described as %+v", refused)
	}
	if body[asMessagePack] == nil || body[asMessagePack].Schema.Ref != body[format.JSON].Schema.Ref {
		t.Errorf("a body is described as %+v", body[asMessagePack])
	}
}

func TestTheAPIIsAsDocumented(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, newAPI(t, resource.Of[gem]{}), openapitest.Requests(60))
}
