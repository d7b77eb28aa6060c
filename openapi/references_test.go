package openapi_test

import (
	"testing"

	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Sailor, Flag and Sloop refer to one another.
type Sailor struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank,max=40" api:"filter=partial,sort"`
}

type Flag struct {
	Name string `json:"name" api:"id" validate:"max=20"`
}

type Sloop struct {
	ID        int64    `json:"id"`
	Name      string   `json:"name" validate:"max=40"`
	CaptainID int64    `json:"captain" api:"ref=Sailor,expand,filter"`
	CookID    *int64   `json:"cook" api:"ref=Sailor,expand,filter=exact|exists"`
	Flags     []string `json:"flags" validate:"max=3" api:"ref=Flag,expand"`
}

// sloops are those with operations below their captains.
var sloops = resource.Of[Sloop]{Operations: append(operation.Standard(),
	operation.GetCollection{URITemplate: "/sailors/{captain}/sloops"},
	operation.Post{URITemplate: "/sailors/{captain}/sloops"},
	operation.Get{URITemplate: "/sailors/{captain}/sloops/{id}"},
	operation.Get{Name: "whole", URITemplate: "/sloops/{id}/whole", Expand: []string{"captain", "flags"}},
	operation.Patch{URITemplate: "/sailors/{captain}/sloops/{id}"},
	operation.Put{URITemplate: "/sloops/{id}/flags/{flags}"},
	operation.Delete{URITemplate: "/sloops/{id}/flags/{flags}"},
)}

var sailors = resource.Of[Sailor]{Inverse: map[string]string{"sloops": "Sloop.captain"}}

func newFleet(t testing.TB, config resource.Config) *resource.API {
	t.Helper()
	api, err := resource.New(config, sailors, resource.Of[Flag]{}, sloops)
	if err != nil {
		t.Fatal(err)
	}
	return api
}

func TestAnAPIWithReferencesConforms(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, newFleet(t, resource.Config{}), openapitest.Requests(300))
}

func TestAnAPIWithIdentifiersForReferencesConforms(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, newFleet(t, resource.Config{References: resource.Identifiers}), openapitest.Requests(300))
}
