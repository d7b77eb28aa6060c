// Code generated from docs/guides/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package step07

import (
	"context"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Review is what a user thinks of a treasure.
type Review struct {
	ID       int64  `json:"id"`
	Treasure int64  `json:"treasure" api:"ref=DragonTreasure,ondelete=cascade"`
	Author   int64  `json:"author" api:"ref=User,readonly,ondelete=cascade"`
	Rating   int    `json:"rating" validate:"gte=1,lte=5" api:"filter=range,sort"`
	Comment  string `json:"comment" validate:"max=1000"`
}

// reviews declares what can be done with reviews.
func reviews(h *hoard) resource.Of[Review] {
	const all, one = "/dragon_treasures/{treasure}/reviews", "/dragon_treasures/{treasure}/reviews/{id}"
	author := access.Equal("author", func(u *User) int64 { return u.ID })
	return resource.Of[Review]{
		Description: "What a user thinks of a treasure.",
		Store:       h.reviews,
		Access:      access.Rules{Read: access.Public, Create: author, Update: author, Delete: access.Any(author, admin)},
		Prepare: func(ctx context.Context, req *operation.Request, r *Review) error {
			if req.Kind == operation.KindPost {
				r.Author = callerOf(ctx).ID
			}
			return nil
		},
		Operations: []operation.Operation{
			operation.GetCollection{URITemplate: all}, operation.Post{URITemplate: all},
			operation.Get{URITemplate: one}, operation.Patch{URITemplate: one}, operation.Delete{URITemplate: one},
		},
	}
}
