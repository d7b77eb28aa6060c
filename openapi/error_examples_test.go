package openapi_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
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
			api, err := resource.New(resource.Config{Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format), Errors: shape},
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

// TestEachErrorShowsItsOwnStatus reads the examples of all errors of all operations.
func TestEachErrorShowsItsOwnStatus(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format)},
		resource.Of[Boat]{}, resource.Of[Pier]{Operations: []operation.Operation{operation.Get{}, operation.Post{}, operation.Patch{}}})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Title: "Fleet", Version: "1", EveryStatus: true})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"3.1", "3.0"} {
		var doc openapi3.T
		if err := doc.UnmarshalJSON(get(t, api, "/api/docs.json?version="+version).Body.Bytes()); err != nil {
			t.Fatal(err)
		}
		if err := openapi3.NewLoader().ResolveRefsIn(&doc, nil); err != nil {
			t.Fatal(err)
		}
		seen := 0
		for path, item := range doc.Paths.Map() {
			for method, op := range item.Operations() {
				for status, response := range op.Responses.Map() {
					code, err := strconv.Atoi(status)
					if err != nil || code < 400 {
						continue
					}
					for mediaType, media := range response.Value.Content {
						seen++
						assertOwnStatus(t, strings.Join([]string{version, method, path, mediaType}, " "), code, media.Example)
					}
				}
			}
		}
		if seen < 200 {
			t.Errorf("%d examples in version %s", seen, version)
		}
	}
}

// assertOwnStatus checks the status, title and detail of the example of an error.
func assertOwnStatus(t *testing.T, where string, code int, example any) {
	t.Helper()
	body, _ := example.(map[string]any)
	if errors, ok := body["errors"].([]any); ok && len(errors) > 0 { // JSON:API
		first, _ := errors[0].(map[string]any)
		body = maps.Clone(first)
		if number, err := strconv.Atoi(fmt.Sprint(body["status"])); err == nil {
			body["status"] = float64(number)
		}
	}
	if body["errors"] != nil && code == 400 {
		return // the errors of validation.Map have no status
	}
	if body["status"] != float64(code) {
		t.Errorf("%s: the example of %d has the status %v: %v", where, code, body["status"], example)
	}
	if title := http.StatusText(code); body["type"] == "about:blank" && body["title"] != title {
		t.Errorf("%s: the example of %d has the title %v, want %s", where, code, body["title"], title)
	}
	for detail, of := range map[string]int{"The record does not exist.": 404, "Authentication required.": 401} {
		if body["detail"] == detail && code != of {
			t.Errorf("%s: the example of %d has the detail of %d", where, code, of)
		}
	}
}
