// Code generated from docs/guides/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package step10

import (
	"context"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// importTreasures saves several treasures, all or none.
func (h *hoard) importTreasures(ctx context.Context, _ *DragonTreasure, in []operation.CreateOf[DragonTreasure]) (all []DragonTreasure, err error) {
	req, _ := operation.RequestFrom(ctx)
	err = h.treasures.Transact(ctx, func(ctx context.Context, tx store.Tx[DragonTreasure]) error {
		all = nil // of a run before: transactions in conflict are run again
		for _, each := range in {
			each.Record.Owner = callerOf(ctx).ID
			if err := h.announce(ctx, req, each.Record, tx.Insert); err != nil {
				return err
			}
			all = append(all, *each.Record)
		}
		return nil
	})
	return all, err
}
