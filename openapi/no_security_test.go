package openapi_test

import (
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

func TestAnAPIWithoutSchemesListsNoSecurity(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[DragonTreasure]{})
	for _, path := range []string{"/api/docs.json", "/api/docs.json?version=3.0"} {
		if text := get(t, api, path).Body.String(); !strings.Contains(text, "\n  \"security\": [],\n") {
			t.Errorf("%s has no empty list of security requirements", path)
		}
	}
	if text := get(t, api, "/api/docs.yaml").Body.String(); !strings.Contains(text, "\nsecurity: []\n") {
		t.Error("the YAML has no empty list of security requirements")
	}
}

func TestSecurityOfTheUsersOwnStays(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[DragonTreasure]{})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Title: "x", Version: "1", Customize: func(doc *openapi3.T) {
			doc.Components.SecuritySchemes = openapi3.SecuritySchemes{"key": {Value: openapi3.NewJWTSecurityScheme()}}
			doc.Security = openapi3.SecurityRequirements{openapi3.NewSecurityRequirement().Authenticate("key")}
		}})
	}
	if err != nil {
		t.Fatal(err)
	}
	document := documentOf(t, api)
	if list, _ := document["security"].([]any); len(list) != 1 {
		t.Errorf("the document lists %v", document["security"])
	}
}

func TestAnAPIWithSchemesHasSecurityAtItsOperations(t *testing.T) {
	t.Parallel()
	if list, is := documentOf(t, guardedDocs(t, nil))["security"]; is {
		t.Errorf("the document lists %v", list)
	}
}

// Generators and validators give up on parameters of several types.
func TestBooleanParametersAreBooleans(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{declarations: fleet})
	if err := openapi.Mount(api, openapi.Config{Title: "x", Version: "1"}); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, item := range documentOf(t, api).at(t, "paths").(map[string]any) {
		op, _ := item.(map[string]any)["get"].(map[string]any)
		for _, p := range list(op["parameters"]) {
			schema, _ := p["schema"].(map[string]any)
			if _, several := schema["type"].([]any); several {
				t.Errorf("%s has the type %v", p["name"], schema["type"])
			}
			if schema["type"] == "boolean" && schema["enum"] == nil {
				found++
			}
		}
	}
	if found == 0 {
		t.Error("there is no boolean parameter")
	}
	for query, status := range map[string]int{"exists[cook]=false": 200, "exists[cook]=0": 400} {
		if w := get(t, api, "/api/sloops?"+query); w.Code != status {
			t.Errorf("%s returns %d, want %d", query, w.Code, status)
		}
	}
}
