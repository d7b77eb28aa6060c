package main

import (
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// Review is what a user thinks of a treasure.
type Review struct {
	ID        int64     `json:"id"`
	Treasure  int64     `json:"treasure" api:"ref=DragonTreasure,ondelete=cascade"`
	Author    int64     `json:"author" api:"ref=User,readonly,expand,ondelete=cascade"`
	Rating    int       `json:"rating" validate:"gte=1,lte=5" api:"filter=range,sort" example:"4"`
	Comment   string    `json:"comment" validate:"max=1000" example:"Shiny."`
	CreatedAt time.Time `json:"createdAt" api:"created,sort"`
}

// ofReview is below treasures alone, so that who may not see one does not see its reviews.
// Put replaces, and bodies that are not valid are answered with 422 and problems of RFC 9457.
func (h *hoard) ofReview() resource.Of[Review] {
	author := access.Equal("author", userID)
	return resource.Of[Review]{
		Path:            "/dragon_treasures/{treasure}/reviews",
		Description:     "What a user thinks of a treasure.",
		Store:           h.reviews,
		Access:          access.Rules{Read: access.Public, Create: author, Update: author, Delete: access.Any(author, admin)},
		Errors:          validation.Problem,
		ExtraProperties: map[string]any{"standard_put": true},
		Prepare:         operation.Stamp(func(c *Caller, r *Review) { r.Author = c.ID }),
	}
}
