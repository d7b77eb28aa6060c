// Code generated from docs/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package main

import (
	"context"
	"net/http"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// DragonTreasure is a treasure in the hoard of a dragon.
type DragonTreasure struct {
	ID          int64   `json:"id"`
	Name        string  `json:"name" validate:"notblank,max=50" api:"filter=partial,sort"`
	Value       int     `json:"value" validate:"gte=0" api:"filter=range,sort" doc:"In gold coins."`
	Note        *string `json:"note" validate:"omitempty,max=200" example:"Old."`
	IsPublished bool    `json:"isPublished" api:"filter"`
	Owner       int64   `json:"owner" api:"ref=User,readonly,expand,filter,through=username"`
}

// treasures declares the resource.
func treasures(h *hoard) resource.Of[DragonTreasure] {
	return resource.Of[DragonTreasure]{
		Description: "A rare and valuable treasure.",
		Store:       h.treasures,
		Access: access.Rules{
			Read: access.Any(published, owner), Create: owner, Update: owner, Delete: owner,
		},
		Stamp: operation.Stamp(func(u *User, t *DragonTreasure) { t.Owner = u.ID }),
		Operations: append(operation.Standard(),
			operation.GetCollection{URITemplate: "/users/{owner}/treasures"},
			operation.Post{
				Name: "discount", URITemplate: "/dragon_treasures/{id}/discount", Handler: operation.Handle(discount),
			},
		),
	}
}

var (
	owner     = access.Equal("owner", func(u *User) int64 { return u.ID })
	published = access.Where("isPublished", true)
)

// Discount is the body of the operation.
type Discount struct {
	Percent int `json:"percent" validate:"gte=1,lte=90"`
}

// discount lowers the value of a treasure.
func discount(_ context.Context, t *DragonTreasure, in Discount) (*DragonTreasure, error) {
	if t.Value < 10 {
		return nil, operation.Error{Status: http.StatusConflict, Detail: "The treasure is worth less than 10."}
	}
	t.Value -= t.Value * in.Percent / 100
	return t, nil
}
