// Code generated from docs/guides/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package step06

import (
	"context"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// DragonTreasure is what a dragon guards.
type DragonTreasure struct {
	ID          int64   `json:"id"`
	Name        string  `json:"name" validate:"notblank,max=50" api:"filter=partial,sort" doc:"What the treasure is called." example:"Golden goblet"`
	Description *string `json:"description" api:"search" doc:"What it looks like, and what it does."`
	Value       int     `json:"value" validate:"gte=0" default:"0" api:"filter=range,sort" doc:"What it would fetch, in gold coins."`
	IsPublished bool    `json:"isPublished" api:"filter" doc:"Whether others may know of it."`
	Owner       int64   `json:"owner" validate:"omitempty" api:"ref=User,expand,filter" doc:"Whose it is."`
}

// treasures declares what can be done with treasures.
func treasures(h *hoard) resource.Of[DragonTreasure] {
	ownOrAdmin := access.Any(owner, admin)
	return resource.Of[DragonTreasure]{
		Description: "A rare and valuable treasure.",
		Store:       h.treasures,
		Access: access.Rules{
			Read:   access.Any(access.Where("isPublished", true), owner, admin),
			Create: ownOrAdmin, Update: ownOrAdmin, Delete: ownOrAdmin,
		},
		Prepare: ownByDefault,
		Computed: []operation.Computed{
			operation.Compute("shortDescription", "The description, of 40 characters at most.", shortDescription),
			operation.Compute("isMine", "Whether the caller owns it.", isMine),
		},
		Operations: append(operation.Standard(),
			operation.GetCollection{URITemplate: "/users/{owner}/treasures"}, // named as the reference
		),
	}
}

func shortDescription(_ context.Context, t *DragonTreasure) (string, error) {
	if t.Description == nil {
		return "", nil
	}
	text := []rune(*t.Description)
	return string(text[:min(len(text), 40)]), nil
}

// ownByDefault gives a new treasure to who creates it, if the body does not say whose it is.
func ownByDefault(ctx context.Context, _ *operation.Request, t *DragonTreasure) error {
	if t.Owner == 0 {
		t.Owner = callerOf(ctx).ID
	}
	return nil
}

func isMine(ctx context.Context, t *DragonTreasure) (bool, error) {
	caller := callerOf(ctx)
	return caller != nil && caller.ID == t.Owner, nil
}
