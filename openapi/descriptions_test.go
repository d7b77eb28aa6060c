package openapi_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// HTTPRoute has a name with an acronym.
type HTTPRoute struct {
	ID   string `json:"id" example:"home"`
	Path string `json:"path" validate:"required"`
	Note string `json:"note" api:"writeonly" validate:"required"`
}

func TestOperationsAreDescribed(t *testing.T) {
	t.Parallel()
	replace := map[string]any{"standard_put": true}
	tests := map[string]struct {
		operation                              operation.Operation
		path, method, id, summary, description string
	}{
		"a collection": {
			operation.GetCollection{},
			"/api/http_routes", "get",
			"listHTTPRoutes", "List HTTP routes", "Returns a page of HTTP routes.",
		},
		"a record": {
			operation.Get{},
			"/api/http_routes/{id}", "get",
			"getHTTPRoute", "Get an HTTP route", "Returns an HTTP route by ID.",
		},
		"a creation": {
			operation.Post{},
			"/api/http_routes", "post",
			"createHTTPRoute", "Create an HTTP route", "Creates an HTTP route.",
		},
		"an update": {
			operation.Put{},
			"/api/http_routes/{id}", "put",
			"updateHTTPRoute", "Update an HTTP route",
			"Updates an HTTP route. Omitted fields keep their values; null clears a nullable field.",
		},
		"an update that creates": {
			operation.Put{AllowCreate: true},
			"/api/http_routes/{id}", "put",
			"updateHTTPRoute", "Update an HTTP route",
			"Updates an HTTP route. Omitted fields keep their values; null clears a nullable field. " +
				"Creates it if it does not exist; the body then requires `path` and `note`.",
		},
		"a replacement that creates": {
			operation.Put{AllowCreate: true, ExtraProperties: replace},
			"/api/http_routes/{id}", "put",
			"replaceHTTPRoute", "Replace an HTTP route",
			"Replaces an HTTP route. Omitted fields get their default, or else null or their zero value; read-only and " +
				"write-only fields keep their values. Creates it if it does not exist; the body then requires `note`.",
		},
		"a patch": {
			operation.Patch{},
			"/api/http_routes/{id}", "patch",
			"patchHTTPRoute", "Patch an HTTP route",
			"Updates an HTTP route with a JSON merge patch (RFC 7396): omitted fields keep their values; null clears a nullable field.",
		},
		"a removal": {
			operation.Delete{},
			"/api/http_routes/{id}", "delete",
			"deleteHTTPRoute", "Delete an HTTP route", "Deletes an HTTP route.",
		},
		"in the user's words": {
			operation.Get{Summary: "One", Description: "Of **many**."},
			"/api/http_routes/{id}", "get",
			"getHTTPRoute", "One", "Of **many**.",
		},
		"by a name": {
			operation.Get{Name: "lastUsed"},
			"/api/http_routes/{id}", "get",
			"lastUsedHTTPRoute", "Last used", "Returns an HTTP route by ID.",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := documentOf(t, mounted(t, resource.Of[HTTPRoute]{Operations: only(test.operation)}))
			op := tree(document.at(t, "paths", test.path, test.method).(map[string]any))
			got := []any{op["operationId"], op["summary"], op["description"]}
			if diff := cmp.Diff([]any{test.id, test.summary, test.description}, got); diff != "" {
				t.Errorf("the operation differs (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]any{"HTTPRoute"}, op["tags"]); diff != "" {
				t.Errorf("the tags differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestResourcesAreTags(t *testing.T) {
	t.Parallel()
	document := documentOf(t, mounted(t, resource.Of[HTTPRoute]{}, resource.Of[Category]{Description: "What things are."}))
	want := []any{
		map[string]any{"name": "HTTPRoute", "description": "Operations on HTTP routes."},
		map[string]any{"name": "Category", "description": "What things are."},
	}
	if diff := cmp.Diff(want, document.at(t, "tags")); diff != "" {
		t.Errorf("the tags differ (-want +got):\n%s", diff)
	}
}

func TestParametersAreThoseOfTheTemplate(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		declaration resource.Declaration
		path        string
		want        []any
	}{
		"an integer": {
			resource.Of[Category]{},
			"/api/categories/{id}",
			[]any{map[string]any{
				"name": "id", "in": "path", "required": true, "description": "The ID of the category.", "example": 1.0,
				"schema": map[string]any{"type": "integer", "format": "int64"},
			}},
		},
		"a text with its example": {
			resource.Of[HTTPRoute]{},
			"/api/http_routes/{id}",
			[]any{map[string]any{
				"name": "id", "in": "path", "required": true, "description": "The ID of the HTTP route.", "example": "home",
				"schema": map[string]any{"type": "string", "minLength": 1.0},
			}},
		},
		"a UUID": {
			resource.Of[Order]{},
			"/api/orders/{id}",
			[]any{map[string]any{
				"name": "id", "in": "path", "required": true, "description": "The ID of the order.",
				"example": "01890a5d-ac96-774b-bcce-b302099a8057",
				"schema":  map[string]any{"type": "string", "format": "uuid"},
			}},
		},
		"others beside it": {
			resource.Of[DragonTreasure]{Operations: only(operation.Get{URITemplate: "/caves/{caveName}/{id}", Handler: operation.Handle(polish)})},
			"/api/caves/{caveName}/{id}",
			[]any{
				map[string]any{
					"name": "caveName", "in": "path", "required": true, "description": "Cave name.",
					"schema": map[string]any{"type": "string", "minLength": 1.0},
				},
				map[string]any{
					"name": "id", "in": "path", "required": true, "description": "The ID of the dragon treasure.", "example": 1.0,
					"schema": map[string]any{"type": "integer", "format": "int64"},
				},
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := documentOf(t, mounted(t, test.declaration))
			if diff := cmp.Diff(test.want, pathParametersOf(document.at(t, "paths", test.path, "get", "parameters"))); diff != "" {
				t.Errorf("the parameters differ (-want +got):\n%s", diff)
			}
		})
	}
}

// pathParametersOf leaves the parameters of the header out.
func pathParametersOf(parameters any) any {
	return slices.DeleteFunc(parameters.([]any), func(p any) bool { return p.(map[string]any)["in"] == "header" })
}

func TestLocationIsSaidWhereARecordCanBeRead(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		operations []operation.Operation
		example    any
	}{
		"with a Get":                  {only(operation.Post{}, operation.Get{}), "/api/http_routes/home"},
		"with a Get elsewhere":        {only(operation.Post{}, operation.Get{URITemplate: "/at/{id}"}), "/api/at/home"},
		"not without a Get":           {only(operation.Post{}, operation.GetCollection{}), nil},
		"not where nothing is new":    {only(operation.Post{Status: 200}, operation.Get{}), nil},
		"with a Put that creates too": {only(operation.Put{AllowCreate: true}, operation.Get{}), "/api/http_routes/home"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := documentOf(t, mounted(t, resource.Of[HTTPRoute]{Operations: test.operations}))
			method, path := test.operations[0].Kind().Method(), "/api/http_routes"
			if method == "PUT" {
				path += "/{id}"
			}
			responses := document.at(t, "paths", path, strings.ToLower(method), "responses").(map[string]any)
			var example any
			for _, status := range []string{"200", "201"} {
				if response, ok := responses[status].(map[string]any); ok && response["headers"] != nil {
					if location, ok := tree(response).at(t, "headers").(map[string]any)["Location"]; ok {
						example = location.(map[string]any)["example"]
					}
				}
			}
			if example != test.example {
				t.Errorf("the example of Location is %v, want %v", example, test.example)
			}
		})
	}
}
