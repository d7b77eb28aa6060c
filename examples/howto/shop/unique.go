package main

import "github.com/trove-api/trove/store"

// Variant is a size of a product. A product has each size once.
type Variant struct {
	ID      int64  `json:"id"`
	Product int64  `json:"product" api:"ref=Product,filter"`
	Size    string `json:"size" validate:"oneof=S M L" example:"M"`
}

// Constraints lists the rules about all variants together.
func (Variant) Constraints() []store.Constraint {
	return []store.Constraint{
		store.Unique("product", "size").Message("The product has this size already."),
	}
}
