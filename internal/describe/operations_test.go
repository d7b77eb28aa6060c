package describe_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type shelf struct {
	ID    int64  `json:"id"`
	Label string `json:"label" validate:"required,max=20" doc:"What it is called."`
	Books []book `json:"books"`
}

type book struct {
	Title string `json:"title" validate:"notblank"`
	Pages uint64 `json:"pages" validate:"lte=9007199254740991" default:"1"`
}

// TestSchemasOfOperationsCanBeReadAlone reads the schemas of bodies and responses without a document, as the tools of
// an agent do.
func TestSchemasOfOperationsCanBeReadAlone(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[shelf]{ShortName: "Shelf", Operations: []operation.Operation{operation.Post{}}})
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := describe.New(compiled.Of(api), false)
	if err != nil {
		t.Fatal(err)
	}
	post := compiled.Of(api).Resources[0].Operations[0]
	body := schemas.Body(post)
	answer, _ := schemas.Response(post)
	if _, err := schemas.Name(); err != nil {
		t.Fatal(err)
	}
	const label = `"label":{"type":"string","description":"What it is called.","minLength":1,"maxLength":20}`
	const wantBody = `{"type":"object","description":"Fields to create a shelf.","required":["label"],"properties":{"id":{"readOnly":true},` +
		label + `,"books":{"type":"array","items":{"$ref":"#/$defs/BookCreate"}}},"additionalProperties":false,"$defs":{"BookCreate":{`
	if got := string(body.Schema.SelfContained()); !strings.HasPrefix(got, wantBody) {
		t.Errorf("the body differs (-want +got):\n%s", cmp.Diff(wantBody, got))
	}
	if got := string(answer.SelfContained()); !strings.Contains(got, `"pages":{"type":"integer","format":"int64","minimum":0,"maximum":9007199254740991}`) {
		t.Errorf("the answer is %s", got)
	}
}
