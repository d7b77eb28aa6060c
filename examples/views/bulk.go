package main

import (
	"context"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// Imported is the result of an import.
type Imported struct {
	Count int `json:"count"`
}

// bulk imports many products at once.
var bulk = operation.Post{
	Name: "import", URITemplate: "/products/import", Access: access.Authenticated,
	Handler: operation.Handle(func(ctx context.Context, _ *Product, in []operation.CreateOf[Product]) (Imported, error) {
		for _, each := range in {
			if _, err := each.Save(ctx); err != nil {
				return Imported{}, err
			}
		}
		return Imported{len(in)}, nil
	}),
}

// change updates many products at once.
var change = operation.Patch{
	Name: "change", URITemplate: "/products", Access: access.Authenticated,
	Handler: operation.Handle(func(ctx context.Context, _ *Product, in []operation.PatchOf[Product]) ([]*Product, error) {
		var changed []*Product
		for _, each := range in {
			product, err := each.Save(ctx)
			if err != nil {
				return nil, err
			}
			changed = append(changed, product)
		}
		return changed, nil
	}),
}

// exported returns all products as CSV.
var exported = operation.GetCollection{
	Name: "export", URITemplate: "/products/export{._format}", Access: admin,
	View:    &operation.View{Name: "ProductRow", Fields: []string{"id", "name", "cents", "cost"}},
	Formats: []format.Format{csv.Format},
}

// cheap lists the products that cost less than 5.
func cheap(products store.Store[Product]) operation.Operation {
	return operation.GetCollection{
		Name: "cheap", URITemplate: "/products/cheap{._format}", Access: access.Public,
		Handler: operation.Handle(func(ctx context.Context, _ *Product, query store.Query) (store.Page[Product], error) {
			query.Where = append(query.Where, store.Condition{Fields: []string{"cents"}, Operator: store.Less, Values: []any{int64(500)}})
			return products.List(ctx, query)
		}),
	}
}
