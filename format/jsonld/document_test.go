package jsonld_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
)

func TestTheDocumentHasTheSchemasOfJSONLD(t *testing.T) {
	t.Parallel()
	doc, err := openapi.Document(newAPI(t, resource.Config{}), openapi.Config{Title: "Fleet", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	schemas := map[string]json.RawMessage{}
	for name, of := range doc.Components.Schemas {
		if strings.HasSuffix(name, ".jsonld") {
			if schemas[name], err = of.MarshalJSON(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, at := range map[string]map[string]int{
		"GET /api/teams/{name}": {"#/components/schemas/Team.jsonld": 1}, "POST /api/teams": {"#/components/schemas/Team.jsonld": 1, "#/components/schemas/TeamCreate.jsonld": 1},
		"GET /api/teams": {"#/components/schemas/Team.jsonld": 1},
	} {
		method, path, _ := strings.Cut(name, " ")
		text, err := doc.Paths.Value(path).GetOperation(method).MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		for ref, want := range at {
			if got := strings.Count(string(text), `"`+ref+`"`); got != want {
				t.Errorf("%s refers to %s %d times, want %d: %s", name, ref, got, want, text)
			}
		}
	}
	text, err := json.MarshalIndent(schemas, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	answer{t: t, body: string(text)}.isGolden("schemas.json")
}

// The first format is the default, so Conform checks JSON-LD here.
func TestTheAPIIsAsDocumented(t *testing.T) {
	t.Parallel()
	for name, formats := range map[string][]format.Format{
		"first": append([]format.Format{jsonld.Format}, format.Standard()...),
		"alone": {jsonld.Format},
		"last":  append(format.Standard(), jsonld.Format),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			openapitest.Conform(t, newAPI(t, resource.Config{Formats: formats}), openapitest.Requests(60))
		})
	}
}
