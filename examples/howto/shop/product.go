package main

import (
	"context"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Product is on sale until it is deleted.
type Product struct {
	ID      int64  `json:"id"`
	SKU     string `json:"sku" validate:"notblank,max=20" api:"unique,filter" example:"TEA-1"`
	Name    string `json:"name" validate:"notblank,max=100" api:"filter=partial,sort" example:"Green tea"`
	Price   Money  `json:"price" validate:"price" api:"filter=exact|range,sort" example:"12.50 EUR"`
	Stock   int    `json:"stock" validate:"gte=0" doc:"How many are left."`
	Deleted bool   `json:"deleted" api:"readonly,filter"`
}

func (a *app) ofProduct() resource.Of[Product] {
	return resource.Of[Product]{
		Description: "Something on sale.",
		Store:       a.products,
		Access: access.Rules{
			Read:   access.Any(access.Where("deleted", false), staff),
			Create: staff, Update: staff, Delete: staff,
		},
		Operations: []operation.Operation{
			operation.Get{},
			operation.GetCollection{},
			operation.Post{},
			operation.Patch{},
			operation.Delete{Processor: operation.Process(a.softDelete)},
			operation.Post{Name: "restore", URITemplate: "/products/{id}/restore", Handler: operation.Handle(restore)},
			importProducts,
		},
	}
}

// softDelete runs instead of the delete: it marks the product. A marked product is removed.
func (a *app) softDelete(ctx context.Context, _ *operation.Request, p *Product, remove operation.Save[Product]) error {
	if p.Deleted {
		return remove(ctx, p)
	}
	return store.Update(ctx, a.products, p.ID, func(p *Product) error {
		p.Deleted = true
		return nil
	})
}

func restore(_ context.Context, p *Product, _ struct{}) (*Product, error) {
	p.Deleted = false
	return p, nil
}

func (a *app) ofVariant() resource.Of[Variant] {
	return resource.Of[Variant]{
		Description: "A size of a product.",
		Store:       a.variants,
		Access:      access.Rules{Read: access.Public, Create: staff, Update: staff, Delete: staff},
	}
}
