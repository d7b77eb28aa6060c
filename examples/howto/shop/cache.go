package main

import (
	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/resource"
)

// Category is the same for everyone, so that a proxy may store it.
type Category struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank,max=50" api:"sort" example:"Tea"`
}

func (a *app) ofCategory() resource.Of[Category] {
	return resource.Of[Category]{
		Description:  "A kind of product.",
		Store:        a.categories,
		CacheControl: "public, max-age=60",
		Access:       access.Rules{Read: access.Public, Create: staff, Update: staff, Delete: staff},
	}
}
