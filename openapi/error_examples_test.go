package openapi_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/format/msgpack"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

func TestErrorsBeginWithTheProblem(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"BadRequest", "Invalid", "NotFound", "Conflict", "Error"} {
		text := get(t, newHarbour(t), "/api/docs.json").Body.Bytes()
		at := bytes.Index(text, []byte(`"`+name+`": {`))
		if at < 0 {
			t.Fatalf("there is no response %s", name)
		}
		_, content, _ := bytes.Cut(text[at:], []byte(`"content": {`))
		if first := strings.TrimSpace(string(content[:200])); !strings.HasPrefix(first, `"application/problem+json"`) {
			t.Errorf("the first media type of %s is at %s", name, first)
		}
	}
}

// Each format of each error has an example, which its schema allows.
func TestErrorsHaveExamplesInEachFormat(t *testing.T) {
	t.Parallel()
	for name, shape := range map[string]validation.Shape{"map": validation.Map, "problem": validation.Problem} {
		for _, every := range []bool{false, true} {
			api, err := resource.New(resource.Config{Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, msgpack.Format), Errors: shape},
				resource.Of[Boat]{}, resource.Of[Pier]{})
			if err == nil {
				err = openapi.Mount(api, openapi.Config{Title: "Fleet", Version: "1", EveryStatus: every})
			}
			if err != nil {
				t.Fatal(err)
			}
			document := documentOf(t, api)
			all := document.at(t, "components", "responses").(map[string]any)
			for _, response := range slices.Sorted(maps.Keys(all)) {
				if strings.HasSuffix(response, "Response") || response == "NotModified" {
					continue
				}
				for mediaType, media := range tree(all[response].(map[string]any)).at(t, "content").(map[string]any) {
					assertExample(t, document, media.(map[string]any)["example"], name, response, mediaType)
				}
			}
		}
	}
}

func assertExample(t *testing.T, document tree, example any, shape, response, mediaType string) {
	t.Helper()
	text, err := json.Marshal(example)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if example == nil || bytes.Contains(text, []byte("path/index")) {
		t.Errorf("%s, %s in %s has the example %s", shape, response, mediaType, text)
	}
	schema := document.schemaAt(t, pointer("components", "responses", response, "content", mediaType, "schema"))
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s, the example %s of %s in %s is not valid: %v", shape, text, response, mediaType, err)
	}
}
