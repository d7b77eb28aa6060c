package openapi_test

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// TestSecurityIsWhatTheUserDeclares guards that operations document only declared security, because it would override
// that of the document.
func TestSecurityIsWhatTheUserDeclares(t *testing.T) {
	t.Parallel()
	key := openapi3.SecurityRequirement{"key": {}}
	public := func(op *openapi3.Operation) { op.Security = openapi3.NewSecurityRequirements() }
	declared := openapi.Config{Customize: func(doc *openapi3.T) {
		doc.Components.SecuritySchemes = openapi3.SecuritySchemes{
			"key": {Value: openapi3.NewSecurityScheme().WithType("apiKey").WithIn("header").WithName("X-API-Key")},
		}
		doc.Security = openapi3.SecurityRequirements{key}
	}}
	for name, config := range map[string]openapi.Config{"declared": declared, "not declared": {}} {
		config.Operations = map[string]func(*openapi3.Operation){"peekCategory": public}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Category]{
				Operations: append(operation.Standard(), operation.Get{Name: "peek", URITemplate: "/peek/{id}"}),
			}}})
			if err := openapi.Mount(api, config); err != nil {
				t.Fatal(err)
			}
			for _, form := range []string{"", "?version=3.0"} {
				var document tree
				if err := json.Unmarshal(get(t, api, "/api/docs.json"+form).Body.Bytes(), &document); err != nil {
					t.Fatal(err)
				}
				if list, is := document["security"].([]any); !is || (len(list) > 0) != (name == "declared") {
					t.Errorf("%q: the security of the document is %v", form, document["security"])
				}
				for _, op := range operations(t, document) {
					security, found := op.tree["security"]
					if isPublic := op.tree["operationId"] == "peekCategory"; found != isPublic {
						t.Errorf("%q: the security of %s %s is %v", form, op.method, op.path, security)
					}
				}
			}
		})
	}
}
