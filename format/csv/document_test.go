package csv_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
)

func TestTheDocumentNamesTheColumns(t *testing.T) {
	t.Parallel()
	api := newAPI(t)
	doc, err := openapi.Document(api, openapi.Config{Title: "Gems", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	path := doc.Paths.Value("/api/gems")
	answered, taken := path.Get.Responses.Value("200").Value.Content[asCSV], path.Post.RequestBody.Value.Content[asCSV]
	if answered == nil || !answered.Schema.Value.Type.Is("string") || !strings.HasSuffix(answered.Schema.Value.Description, "Columns: "+strings.ReplaceAll(strings.TrimSpace(header), ",", ", ")+".") {
		t.Errorf("a collection is described as %+v", answered)
	}
	if taken == nil || !strings.Contains(taken.Schema.Value.Description, "any, hidden.") || strings.Contains(taken.Schema.Value.Description, ": id,") {
		t.Errorf("a body is described as %+v", taken)
	}
	if other := path.Post.RequestBody.Value.Content[format.JSON]; other == nil || other.Schema.Ref == "" {
		t.Errorf("JSON is described as %+v", other)
	}
}

func TestTheAPIIsAsDocumented(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, newAPI(t), openapitest.Requests(60))
}
