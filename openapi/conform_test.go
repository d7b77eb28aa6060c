package openapi_test

import (
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Bollard is a place at a jetty: the jetty and the number identify it together.
type Bollard struct {
	Jetty  int64 `json:"jetty" api:"id,ref=Jetty,filter"`
	Number int64 `json:"number" api:"id" validate:"gt=0"`
	Depth  int   `json:"depth" validate:"gte=0,lte=99"`
}

type Jetty struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"max=40"`
}

// TestAPIsConformToTheirDocuments sends generated requests to APIs whose documents differ, with paths and with
// identifiers as references.
func TestAPIsConformToTheirDocuments(t *testing.T) {
	t.Parallel()
	bollards := resource.Of[Bollard]{Path: "/jetties/{jetty}/bollards", Operations: []operation.Operation{
		operation.Get{}, operation.GetCollection{}, operation.Post{}, operation.Put{AllowCreate: true}, operation.Patch{}, operation.Delete{},
	}}
	cases := map[string][]resource.Declaration{
		"references":                         fleet,
		"references of several parts":        newMoorings(),
		"identifiers of several fields":      {berths, resource.Of[Port]{Inverse: map[string]string{"berths": "Berth.port"}}},
		"paths below a part of the identity": {resource.Of[Jetty]{}, bollards},
		"a readonly part of an identifier":   pontoons,
		"an enumeration":                     {resource.Of[Hull]{}, riggings},
		"filters through references":         {resource.Of[Skiff]{}, resource.Of[Rower]{}},
		"filters through lists":              {resource.Of[Galley]{}, resource.Of[Rower]{}},
	}
	for _, name := range []string{"collection", "nested", "nested_replaced", "recursive", "standard_put", "templates"} {
		cases[name] = configurations()[name].declarations
	}
	for name, declarations := range cases {
		configs := []resource.Config{{}}
		if !testing.Short() {
			configs = append(configs, resource.Config{References: resource.Identifiers})
		}
		if name == "references of several parts" {
			configs = append(configs, resource.Config{Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format)})
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, config := range configs {
				openapitest.Conform(t, newAPI(t, configuration{config: config, declarations: declarations}), openapitest.Requests(300))
			}
		})
	}
}
