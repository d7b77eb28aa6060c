// Code generated from docs/guides/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package step01

import (
	"github.com/trove-api/trove/resource"
)

// DragonTreasure is what a dragon guards.
type DragonTreasure struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Value int    `json:"value"`
}

// treasures declares what can be done with treasures: by default everything, and they are kept in memory.
func treasures() resource.Of[DragonTreasure] {
	return resource.Of[DragonTreasure]{Description: "A rare and valuable treasure."}
}
