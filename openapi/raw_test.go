package openapi_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/resource"
)

// letter has required fields of any JSON.
type letter struct {
	ID      int64            `json:"id"`
	Subject string           `json:"subject" validate:"notblank"`
	Content json.RawMessage  `json:"content" validate:"required"`
	Value   jsontext.Value   `json:"value" validate:"required"`
	Any     any              `json:"any" validate:"required"`
	Maybe   *json.RawMessage `json:"maybe"`
	Parts   []part           `json:"parts" validate:"min=1"`
}

type part struct {
	Content json.RawMessage `json:"content" validate:"required"`
}

func TestABodyWithAnyJSONHasAnExample(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[letter]{ShortName: "Letter", ExtraProperties: map[string]any{"standard_put": true}})
	document := documentOf(t, api)
	path := create(t, api, document, "Letter")
	for _, method := range []string{"put", "patch"} {
		example := document.at(t, "paths", "/api/letters/{id}", method, "requestBody", "content", "application/json", "example")
		if tree(example.(map[string]any))["content"] == nil && method == "put" {
			t.Errorf("the example of %s is %v", method, example)
		}
		body, err := json.Marshal(example)
		if err != nil {
			t.Fatal(err)
		}
		if w := send(t, api, map[string]string{"put": http.MethodPut, "patch": http.MethodPatch}[method], path, string(body)); w.Code != http.StatusOK {
			t.Errorf("the example %s of %s returns %d: %s", body, method, w.Code, w.Body)
		}
	}
}
