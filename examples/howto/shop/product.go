package main

import (
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Product is on sale until it is deleted. Then it is in the trash.
type Product struct {
	ID    int64  `json:"id"`
	SKU   string `json:"sku" validate:"notblank,max=20" api:"unique,filter" example:"TEA-1"`
	Name  string `json:"name" validate:"notblank,max=100" api:"filter=partial,sort" example:"Green tea"`
	Price Money  `json:"price" validate:"price" api:"filter=exact|range,sort" example:"12.50 EUR"`
	Stock int    `json:"stock" validate:"gte=0" doc:"How many are left."`

	DeletedAt *time.Time `json:"deletedAt" api:"deleted"`
}

func (a *app) ofProduct() resource.Of[Product] {
	return resource.Of[Product]{
		Description: "Something on sale.",
		Store:       a.products,
		Access:      access.Rules{Read: access.Public, Create: staff, Update: staff, Delete: staff, Deleted: staff},
		Operations: []operation.Operation{
			operation.Get{},
			operation.GetCollection{},
			operation.Post{},
			operation.Patch{},
			operation.Delete{},
			operation.Post{Name: "restore", URITemplate: "/products/{id}/restore", Handler: operation.Restore()},
			operation.Delete{Name: "purge", URITemplate: "/products/{id}/trash", Handler: operation.Purge()},
			importProducts,
		},
	}
}

func (a *app) ofVariant() resource.Of[Variant] {
	return resource.Of[Variant]{
		Description: "A size of a product.",
		Store:       a.variants,
		Access:      access.Rules{Read: access.Public, Create: staff, Update: staff, Delete: staff},
	}
}
