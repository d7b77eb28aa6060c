package relations_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
)

// Kite has a list of each sort that filters look into.
type Kite struct {
	ID     int64    `json:"id"`
	Spices []int64  `json:"spices" validate:"max=5" api:"ref=Spice,filter"`
	Labels []string `json:"labels" validate:"max=5,dive,oneof=red green" api:"filter=contains"`
	Counts []int16  `json:"counts" api:"filter=contains"`
}

func TestFiltersOfListsAreDocumented(t *testing.T) {
	t.Parallel()
	for references, want := range map[resource.References]string{
		resource.Paths:       `"pattern":"^/api/spices/(0|-?[1-9][0-9]*)$"`,
		resource.Identifiers: `"type":"integer"`,
	} {
		api, err := resource.New(resource.Config{References: references}, resource.Of[Kite]{}, resource.Of[Spice]{})
		if err != nil {
			t.Fatal(err)
		}
		doc, err := openapi.Document(api, openapi.Config{Title: "Kites", Version: "1"})
		if err != nil {
			t.Fatal(err)
		}
		parameters := doc.Paths.Value("/api/kites").Get.Parameters
		for name, want := range map[string]string{"spices": want, "labels": `"enum":["red","green"]`, "counts": `"type":"integer"`} {
			text, err := json.Marshal(parameters.GetByInAndName("query", name).Schema)
			if err != nil || !strings.Contains(string(text), want) || !strings.Contains(string(text), `"type":"array"`) {
				t.Errorf("%s is described as %s, want %s (%v)", name, text, want, err)
			}
		}
		if parameters.GetByInAndName("query", "labels[ne]") != nil {
			t.Error("a list has a filter that is not known")
		}
		openapitest.Conform(t, api, openapitest.Requests(40))
	}
	api, err := resource.New(resource.Config{}, kitchen(nil, nil, nil)...)
	if err != nil {
		t.Fatal(err)
	}
	openapitest.Conform(t, api, openapitest.Requests(40))
}
