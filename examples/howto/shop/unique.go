package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// Variant is a size of a product. A product has each size once.
type Variant struct {
	ID      int64  `json:"id"`
	Product int64  `json:"product" api:"ref=Product,filter,ondelete=cascade"`
	Size    string `json:"size" validate:"oneof=S M L" example:"M"`
	Pair    string `json:"pair" api:"hidden,unique"` // the product and the size
}

// setPair is the Prepare of variants: it runs on Post, Put and Patch, so the pair follows every change.
func setPair(_ context.Context, _ *operation.Request, v *Variant) error {
	v.Pair = fmt.Sprintf("%d %s", v.Product, v.Size)
	return nil
}

// explainPair is the MapError of the API. The field is hidden, so the response names the pair instead.
func explainPair(err error) error {
	var unique store.UniqueError
	if errors.As(err, &unique) && unique.Field == "pair" {
		return operation.Error{Status: http.StatusConflict, Detail: "The product has this size already."}
	}
	return nil // leaves the error as it is
}
