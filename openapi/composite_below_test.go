package openapi_test

import (
	"testing"

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

func TestAnAPIBelowAPartOfAnIdentifierConforms(t *testing.T) {
	t.Parallel()
	for _, config := range []resource.Config{{}, {References: resource.Identifiers}} {
		api, err := resource.New(config, resource.Of[Jetty]{}, resource.Of[Bollard]{
			Path: "/jetties/{jetty}/bollards",
			Operations: []operation.Operation{
				operation.Get{},
				operation.GetCollection{},
				operation.Post{},
				operation.Put{AllowCreate: true},
				operation.Patch{},
				operation.Delete{},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		openapitest.Conform(t, api, openapitest.Requests(200))
	}
}
