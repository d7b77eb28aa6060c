package jsonapi_test

import (
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type product struct {
	ID int64 `json:"id"`
}

type review struct {
	ID      int64 `json:"id"`
	Product int64 `json:"product" api:"ref=Product"`
}

type rating struct {
	ID int64 `json:"id"`
}

// below are the operations of a resource whose records are below others alone.
func below() []operation.Operation {
	return []operation.Operation{
		operation.GetCollection{URITemplate: "/products/{product}/reviews"},
		operation.Post{URITemplate: "/products/{product}/reviews"},
		operation.Get{URITemplate: "/products/{product}/reviews/{id}"},
	}
}

func TestATypeBelowAnotherRecordIsCalledAsItsCollection(t *testing.T) {
	t.Parallel()
	accept := []string{"Accept", "application/vnd.api+json", "Content-Type", "application/vnd.api+json"}
	c := newClient(t, resource.Config{}, resource.Of[review]{ShortName: "Review", Operations: below()}, resource.Of[product]{ShortName: "Product"})
	c.Send("POST /api/products.jsonapi", `{"data":{"type":"products"}}`)
	c.Send("POST /api/products/1/reviews", `{"data":{"type":"reviews"}}`, accept...).Mentions(201, `{"type":"reviews","id":"1"`)
	c.Send("GET /api/products/1/reviews", "", accept...).Mentions(200, `{"type":"reviews","id":"1"`)
}

func TestACollectionOfItsOwnHasTheNameOfTheType(t *testing.T) {
	t.Parallel()
	accept := []string{"Accept", "application/vnd.api+json", "Content-Type", "application/vnd.api+json"}
	c := newClient(t, resource.Config{}, resource.Of[review]{ShortName: "Review", Operations: below()}, resource.Of[product]{ShortName: "Product"},
		resource.Of[rating]{ShortName: "Rating", Operations: []operation.Operation{
			operation.Post{URITemplate: "/reviews"}, operation.Get{URITemplate: "/reviews/{id}"}, operation.GetCollection{URITemplate: "/reviews"},
		}})
	c.Send("POST /api/reviews", `{"data":{"type":"reviews"}}`, accept...).Mentions(201, `{"type":"reviews","id":"1"`)
	c.Send("POST /api/products.jsonapi", `{"data":{"type":"products"}}`)
	c.Send("POST /api/products/1/reviews", `{"data":{"type":"Review"}}`, accept...).Mentions(201, `{"type":"Review","id":"1"`)
}
