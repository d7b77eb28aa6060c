// Code generated from docs/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package main

import (
	"github.com/trove-api/trove/resource"
)

// DragonTreasure is a treasure in the hoard of a dragon.
type DragonTreasure struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Value int    `json:"value"`
}

// treasures declares the resource. By default it has all six operations and stores records in memory.
func treasures() resource.Of[DragonTreasure] {
	return resource.Of[DragonTreasure]{Description: "A rare and valuable treasure."}
}
