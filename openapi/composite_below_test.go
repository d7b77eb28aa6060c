package openapi_test

import (
	"testing"

	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Mooring is a place at a quay: the quay and the number identify it together.
type Mooring struct {
	Quay   int64 `json:"quay" api:"id,ref=Quay,filter"`
	Number int64 `json:"number" api:"id" validate:"gt=0"`
	Depth  int   `json:"depth" validate:"gte=0,lte=99"`
}

type Quay struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"max=40"`
}

func TestAnAPIBelowAPartOfAnIdentifierConforms(t *testing.T) {
	t.Parallel()
	for _, config := range []resource.Config{{}, {References: resource.Identifiers}} {
		api, err := resource.New(config, resource.Of[Quay]{}, resource.Of[Mooring]{
			Path: "/quays/{quay}/moorings",
			Operations: []operation.Operation{
				operation.Get{}, operation.GetCollection{}, operation.Post{}, operation.Put{AllowCreate: true},
				operation.Patch{}, operation.Delete{},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		openapitest.Conform(t, api, openapitest.Requests(200))
	}
}
