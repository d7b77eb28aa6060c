package main

import (
	"context"
	_ "embed"

	"github.com/trove-api/trove/operation"
)

//go:embed seed.json
var seedData []byte

// seed saves the records of seed.json if the tables are empty. Of several programs that start together one does it.
func (a *app) seed(ctx context.Context) error {
	return a.db.Fill(ctx, seedData, a.products, a.variants, a.categories)
}

// Imported is the response of an import.
type Imported struct {
	Count int `json:"count"`
}

// importProducts creates many products in one transaction: all of them, or none.
var importProducts = operation.Post{
	Name: "import", URITemplate: "/products/import", Summary: "Create many products", Access: staff,
	MaxBodyBytes: 16 << 20,
	Handler: operation.Handle(func(ctx context.Context, _ *Product, in []operation.CreateOf[Product]) (Imported, error) {
		for _, each := range in {
			if _, err := each.Save(ctx); err != nil {
				return Imported{}, err
			}
		}
		return Imported{len(in)}, nil
	}),
}
