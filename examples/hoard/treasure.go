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

// DragonTreasure is what a dragon guards.
type DragonTreasure struct {
	ID          int64     `json:"id"`
	Name        string    `json:"name" validate:"notblank,min=2,max=50" api:"filter=partial,sort,search" doc:"What the treasure is called." example:"Golden goblet"`
	Description *string   `json:"description" api:"filter=partial,search" doc:"What it looks like, and what it does." example:"Fills itself with mead at dusk."`
	Value       int       `json:"value" validate:"gte=0" default:"0" api:"filter=range,sort" doc:"What it would fetch, in gold coins." example:"1200"`
	CoolFactor  *int      `json:"coolFactor" validate:"omitempty,gte=0,lte=10" api:"filter" doc:"How much dragons admire it." example:"8"`
	IsPublished bool      `json:"isPublished" api:"filter" doc:"Whether others may know of it." example:"true"`
	PlunderedAt time.Time `json:"plunderedAt" api:"created,sort" doc:"When it came into the hoard."`
	Owner       int64     `json:"owner" validate:"omitempty" api:"ref=User,expand,filter,through=username" doc:"Whose it is. Default: who creates it."`
	Tags        []int64   `json:"tags" validate:"max=20" api:"ref=Tag,expand,filter,ondelete=null"`
}

func (h *hoard) ofTreasure() resource.Of[DragonTreasure] {
	ownOrAdmin := access.Any(owner, admin)
	change := access.All(access.Scope("treasure:edit"), ownOrAdmin)
	return resource.Of[DragonTreasure]{
		Description: "A rare and valuable treasure.",
		Store:       h.treasures,
		Prepare:     operation.Stamp(ownByDefault),
		Processor:   operation.Process(h.announce),
		Idempotency: 24 * time.Hour,
		Access: access.Rules{
			Read:   access.Any(access.Where("isPublished", true), owner, admin),
			Create: access.All(access.Scope("treasure:create"), ownOrAdmin),
			Update: change, Delete: change,
			Members: map[string]access.Member{"owner": {Write: ownOrAdmin}},
		},
		Computed: []operation.Computed{
			operation.Compute("shortDescription", "The description, of 40 characters at most.", shortDescription),
			operation.Compute("isMine", "Whether the caller owns it.", isMine),
		},
		Operations: append(operation.Standard(),
			operation.GetCollection{URITemplate: "/users/{owner}/treasures{._format}"},
			operation.GetCollection{Name: "browse", URITemplate: "/cards{._format}", View: &operation.View{
				Name: "TreasureCard", Members: []string{"id", "name", "value", "owner", "owner.username"},
			}},
			operation.GetCollection{
				Name: "listOld", URITemplate: "/treasures{._format}", Summary: "Where treasures were before there were dragons",
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

// ownByDefault gives a new treasure to who creates it, if the body does not say whose it is.
func ownByDefault(c *Caller, t *DragonTreasure) { t.Owner = cmp.Or(t.Owner, c.ID) }

// importTreasures saves what a Post to the resource would, once for each element of the body. All of them share one budget
// of notifications.
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

// Tag is a word for treasures of a sort.
type Tag struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank,max=30" api:"unique,filter,sort" example:"cursed"`
}

func (h *hoard) ofTag() resource.Of[Tag] {
	return resource.Of[Tag]{
		Description: "A word for treasures of a sort.",
		Store:       h.tags,
		Access:      access.Rules{Read: access.Public, Create: social, Update: access.All(social, admin), Delete: access.All(social, admin)},
	}
}

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
	author := access.All(social, access.Equal("author", userID))
	return resource.Of[Review]{
		Path:            "/dragon_treasures/{treasure}/reviews",
		Description:     "What a user thinks of a treasure.",
		Store:           h.reviews,
		Access:          access.Rules{Read: access.Public, Create: author, Update: author, Delete: access.Any(author, access.All(social, admin))},
		Errors:          validation.Problem,
		ExtraProperties: map[string]any{"standard_put": true},
		Prepare:         operation.Stamp(func(c *Caller, r *Review) { r.Author = c.ID }),
	}
}
