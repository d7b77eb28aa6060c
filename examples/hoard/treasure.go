package main

import (
	"cmp"
	"context"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// DragonTreasure is a treasure that a dragon guards.
type DragonTreasure struct {
	ID          int64     `json:"id"`
	Name        string    `json:"name" validate:"notblank,min=2,max=50" api:"filter=partial,sort,search" doc:"The name of the treasure." example:"Golden goblet"`
	Description *string   `json:"description" api:"filter=partial,search" doc:"What it looks like and what it does." example:"Fills itself with mead at dusk."`
	Value       int       `json:"value" validate:"gte=0" default:"0" api:"filter=range,sort" doc:"The price in gold coins." example:"1200"`
	CoolFactor  *int      `json:"coolFactor" validate:"omitempty,gte=0,lte=10" api:"filter" doc:"How much dragons admire it, from 0 to 10." example:"8"`
	IsPublished bool      `json:"isPublished" api:"filter" doc:"Whether others can see it." example:"true"`
	PlunderedAt time.Time `json:"plunderedAt" api:"created,sort" doc:"When it was added to the hoard."`
	Owner       int64     `json:"owner" validate:"omitempty" api:"ref=User,expand,filter,through=username" doc:"The owner. Default: the caller who creates it."`
	Tags        []int64   `json:"tags" validate:"max=20" api:"ref=Tag,expand,filter,ondelete=null"`
}

func (h *hoard) ofTreasure() resource.Of[DragonTreasure] {
	ownOrAdmin := access.Any(owner, isAdmin)
	change := access.All(access.Scope("treasure:edit"), ownOrAdmin)
	return resource.Of[DragonTreasure]{
		Description: "A rare and valuable treasure.",
		Store:       h.treasures,
		Stamp:       operation.Stamp(ownByDefault),
		Processor:   operation.Process(h.announce),
		Idempotency: 24 * time.Hour,
		Access: access.Rules{
			Read:   access.Any(access.Where("isPublished", true), owner, isAdmin),
			Create: access.All(access.Scope("treasure:create"), ownOrAdmin),
			Update: change, Delete: change,
			Fields: map[string]access.Field{"owner": {Write: ownOrAdmin}},
		},
		Computed: []operation.Computed{
			operation.Compute("shortDescription", "The first 40 characters of the description.", shortDescription),
			operation.Compute("isMine", "Whether the caller owns it.", isMine),
		},
		Operations: append(operation.Standard(),
			operation.GetCollection{URITemplate: "/users/{owner}/treasures{._format}"},
			operation.GetCollection{Name: "browse", URITemplate: "/cards{._format}", Summary: "List treasures as cards", View: &operation.View{
				Name: "TreasureCard", Fields: []string{"id", "name", "value", "owner", "owner.username"},
			}},
			operation.GetCollection{
				Name: "listOld", URITemplate: "/treasures{._format}", Summary: "List treasures at their old path",
				Deprecated: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Sunset: time.Date(2027, 7, 1, 0, 0, 0, 0, time.UTC),
			},
			operation.Post{
				Name: "import", URITemplate: "/dragon_treasures/import", Summary: "Create several treasures, all or none",
				Handler: operation.Handle(importTreasures), Access: access.Scope("treasure:create"),
			},
			operation.Put{URITemplate: "/dragon_treasures/{id}/tags/{tags}"},
			operation.Delete{URITemplate: "/dragon_treasures/{id}/tags/{tags}"},
		),
	}
}

// ownByDefault makes the caller the owner of a new treasure if the body names none.
func ownByDefault(c *Caller, t *DragonTreasure) { t.Owner = cmp.Or(t.Owner, c.ID) }

// importTreasures saves each element of the body as a Post of the resource would. All of them share one limit of
// notifications.
func importTreasures(ctx context.Context, _ *DragonTreasure, in []operation.CreateOf[DragonTreasure]) (all []*DragonTreasure, err error) {
	ctx = context.WithValue(ctx, budget{}, new(mostTold))
	for _, each := range in {
		treasure, err := each.Save(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, treasure)
	}
	return all, nil
}

func isMine(ctx context.Context, t *DragonTreasure) (bool, error) {
	caller, ok := operation.PrincipalAs[*Caller](ctx)
	return ok && caller.ID == t.Owner, nil
}

func shortDescription(_ context.Context, t *DragonTreasure) (string, error) {
	text := []rune(*cmp.Or(t.Description, new("")))
	if len(text) > 40 {
		text = append(text[:39], '…')
	}
	return string(text), nil
}

// Tag is a label for treasures.
type Tag struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank,max=30" api:"unique,filter,sort" example:"cursed"`
}

func (h *hoard) ofTag() resource.Of[Tag] {
	return resource.Of[Tag]{
		Description: "A label for treasures.",
		Store:       h.tags,
		Access:      access.Rules{Read: access.Public, Create: social, Update: access.All(social, isAdmin), Delete: access.All(social, isAdmin)},
	}
}

// Review is a user's opinion of a treasure.
type Review struct {
	ID        int64     `json:"id"`
	Treasure  int64     `json:"treasure" api:"ref=DragonTreasure,ondelete=cascade"`
	Author    int64     `json:"author" api:"ref=User,readonly,expand,ondelete=cascade"`
	Rating    int       `json:"rating" validate:"gte=1,lte=5" api:"filter=range,sort" example:"4"`
	Comment   string    `json:"comment" validate:"max=1000" example:"Shiny."`
	CreatedAt time.Time `json:"createdAt" api:"created,sort"`
}

// ofReview declares reviews only below treasures, so callers who cannot see a treasure cannot see its reviews. Put
// replaces, and invalid bodies return 422 with problems of RFC 9457.
func (h *hoard) ofReview() resource.Of[Review] {
	author := access.All(social, access.Equal("author", userID))
	return resource.Of[Review]{
		Path:            "/dragon_treasures/{treasure}/reviews",
		Description:     "A user's opinion of a treasure.",
		Store:           h.reviews,
		Access:          access.Rules{Read: access.Public, Create: author, Update: author, Delete: access.Any(author, access.All(social, isAdmin))},
		Errors:          validation.Problem,
		ExtraProperties: map[string]any{"standard_put": true},
		Stamp:           operation.Stamp(func(c *Caller, r *Review) { r.Author = c.ID }),
	}
}
