// Code generated from docs/guides/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package step09

import (
	"context"

	"github.com/trove-api/trove/operation"
)

// importTreasures saves what a Post to the resource would, once for each element of the body.
func importTreasures(ctx context.Context, _ *DragonTreasure, in []operation.CreateOf[DragonTreasure]) (all []*DragonTreasure, err error) {
	for _, each := range in {
		treasure, err := each.Save(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, treasure)
	}
	return all, nil
}
