package main

import (
	"context"
	"time"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// DragonTreasure is a treasure that a dragon guards.
type DragonTreasure struct {
	ID          int64     `json:"id" api:"id"`
	Name        string    `json:"name" validate:"notblank,min=2,max=50" api:"filter=partial,sort,search" doc:"The name of the treasure." example:"Golden goblet"`
	Description *string   `json:"description" api:"filter=partial,search" doc:"What it looks like and what it does." example:"Fills itself with mead at dusk."`
	Value       int       `json:"value" validate:"gte=0" default:"0" api:"filter=range,sort" doc:"The price in gold coins." example:"1200"`
	CoolFactor  *int      `json:"coolFactor" validate:"omitempty,gte=0,lte=10" api:"filter" doc:"How much dragons admire it, from 0 to 10." example:"8"`
	IsPublished bool      `json:"isPublished" api:"filter" doc:"Whether others can see it." example:"true"`
	PlunderedAt time.Time `json:"plunderedAt" api:"readonly,sort" doc:"When it was added to the hoard." example:"2026-01-02T15:04:05Z"`
}

// treasures declares the resource: six operations at /api/dragon_treasures. Put updates, as Patch does.
func treasures(kept store.Store[DragonTreasure]) resource.Of[DragonTreasure] {
	return resource.Of[DragonTreasure]{
		Description: "A rare and valuable treasure.",
		Store:       kept,
		Prepare:     stampPlunder,
		Pagination:  operation.Pagination{ItemsPerPage: 10},
		Idempotency: 24 * time.Hour,
	}
}

// stampPlunder sets the time of the plunder when a treasure is created.
func stampPlunder(_ context.Context, req *operation.Request, t *DragonTreasure) error {
	if req.Kind == operation.KindPost {
		t.PlunderedAt = time.Now().UTC().Truncate(time.Microsecond)
	}
	return nil
}
