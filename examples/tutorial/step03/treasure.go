// Code generated from docs/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package main

import (
	"github.com/trove-api/trove/resource"
)

// DragonTreasure is a treasure in the hoard of a dragon.
type DragonTreasure struct {
	ID    int64   `json:"id"`
	Name  string  `json:"name" validate:"notblank,max=50" api:"filter=partial,sort"`
	Value int     `json:"value" validate:"gte=0" api:"filter=range,sort" doc:"In gold coins."`
	Note  *string `json:"note" validate:"omitempty,max=200" example:"Old."`
}

// treasures declares the resource. By default it has all six operations and stores records in memory.
func treasures() resource.Of[DragonTreasure] {
	return resource.Of[DragonTreasure]{Description: "A rare and valuable treasure."}
}
