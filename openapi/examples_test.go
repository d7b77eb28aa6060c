package openapi_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/openapi"
)

// TestExamplesObeyTheirSchemas finds every example and default of the golden documents.
func TestExamplesObeyTheirSchemas(t *testing.T) {
	t.Parallel()
	for name := range configurations() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			var document tree
			if err := json.Unmarshal(text, &document); err != nil {
				t.Fatal(err)
			}
			if checkExamples(t, document, map[string]any(document), nil) == 0 {
				t.Error("found no example")
			}
		})
	}
}

// checkExamples checks the examples in a node of a document, and counts them.
func checkExamples(t *testing.T, document tree, node any, path []string) int {
	t.Helper()
	count := 0
	check := func(schema []string, example any) {
		count++
		if err := document.schemaAt(t, pointer(schema...)).Validate(example); err != nil {
			t.Errorf("the example %v at %v breaks its schema: %v", example, path, err)
		}
	}
	switch value := node.(type) {
	case []any:
		for i, element := range value {
			count += checkExamples(t, document, element, append(slices.Clip(path), strconv.Itoa(i)))
		}
	case map[string]any:
		isProperties := len(path) > 0 && path[len(path)-1] == "properties"
		if example, ok := value["example"]; ok && value["schema"] != nil {
			check(append(slices.Clip(path), "schema"), example)
		}
		if examples, ok := value["examples"].([]any); ok && !isProperties {
			for _, example := range examples {
				check(path, example)
			}
		}
		if fallback, ok := value["default"]; ok && value["type"] != nil && !isProperties {
			check(path, fallback)
		}
		for name, inner := range value {
			if name != "example" {
				count += checkExamples(t, document, inner, append(slices.Clip(path), name))
			}
		}
	}
	return count
}

func TestExamplesOfRequestsHaveNoReadOnlyMembers(t *testing.T) {
	t.Parallel()
	for name, c := range configurations() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.config.Prefix = ""
			api := newAPI(t, c)
			if err := openapi.Mount(api, openapi.Config{}); err != nil {
				t.Fatal(err)
			}
			for _, op := range operations(t, documentOf(t, api)) {
				body, ok := op.tree["requestBody"].(map[string]any)
				if !ok {
					continue
				}
				for _, media := range body["content"].(map[string]any) {
					example := media.(map[string]any)["example"].(map[string]any)
					for _, readOnly := range []string{"id", "plunderedAt", "userId", "placedAt"} {
						if _, found := example[readOnly]; found {
							t.Errorf("the example of %s %s has %s", op.method, op.path, readOnly)
						}
					}
				}
			}
		})
	}
}
