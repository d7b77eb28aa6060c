package main

import (
	"context"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Item is what the store saves.
type Item struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank"`
	Cents int64  `json:"cents"`
}

// Label is what clients send and receive instead.
type Label struct {
	Name  string `json:"name" validate:"notblank"`
	Euros int64  `json:"euros" validate:"gte=0,lte=1000000"`
}

var items = resource.Of[Item]{
	Access: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: admin},
	Output: operation.Output(func(_ context.Context, i *Item) (Label, error) { return Label{i.Name, i.Cents / 100}, nil }),
	Input: operation.InputOf(
		func(i *Item) Label { return Label{i.Name, i.Cents / 100} },
		func(_ context.Context, in Label, i *Item) error { i.Name, i.Cents = in.Name, in.Euros*100; return nil }),
}

// Deed has a serial number that never changes.
type Deed struct {
	ID     int64  `json:"id"`
	Serial string `json:"serial" validate:"notblank" api:"createonly"`
}

var deeds = resource.Of[Deed]{
	Access: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: admin},
}
