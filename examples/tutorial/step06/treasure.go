// Code generated from docs/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package main

import (
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
	Owner       int64   `json:"owner" api:"ref=User,readonly"`
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
	}
}

var (
	owner     = access.Equal("owner", func(u *User) int64 { return u.ID })
	published = access.Where("isPublished", true)
)
