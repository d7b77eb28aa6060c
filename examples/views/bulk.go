package main

import (
	"context"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Imported is the answer of an import.
type Imported struct {
	Count int `json:"count"`
}

// bulk is the import of many products at once.
func bulk(products store.Store[Product]) operation.Operation {
	return operation.Post{
		Name: "import", URITemplate: "/products/import", Access: admin,
		Handler: operation.Handle(func(ctx context.Context, _ *Product, in []operation.CreateOf[Product]) (Imported, error) {
			return Imported{len(in)}, products.Transact(ctx, func(ctx context.Context, tx store.Tx[Product]) error {
				for _, each := range in {
					if err := tx.Insert(ctx, each.Record); err != nil {
						return err
					}
				}
				return nil
			})
		}),
	}
}

// exported is the table of all products.
var exported = operation.GetCollection{
	Name: "export", URITemplate: "/products/export{._format}", Access: admin,
	View:    &operation.View{Name: "ProductRow", Members: []string{"id", "name", "cents", "cost"}},
	Formats: []format.Format{csv.Format},
}

// cheap are the products that cost less than 5.
func cheap(products store.Store[Product]) operation.Operation {
	return operation.GetCollection{
		Name: "cheap", URITemplate: "/products/cheap{._format}", Access: access.Public,
		Handler: operation.Handle(func(ctx context.Context, _ *Product, _ struct{}) (store.Page[Product], error) {
			query := resource.QueryFrom(ctx) // filters, order and page that the client asks for
			query.Where = append(query.Where, store.Condition{Fields: []string{"cents"}, Operator: store.Less, Values: []any{int64(500)}})
			return products.List(ctx, query)
		}),
	}
}
