// Code generated from docs/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package main

import (
	"context"
	"net/http"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// DragonTreasure is a treasure in the hoard of a dragon.
type DragonTreasure struct {
	ID          int64   `json:"id"`
	Name        string  `json:"name" validate:"notblank,max=50" api:"filter=partial,sort"`
	Value       int     `json:"value" validate:"gte=0" api:"filter=range,sort" doc:"In gold coins."`
	Note        *string `json:"note" validate:"omitempty,max=200" example:"Old."`
	IsPublished bool    `json:"isPublished" api:"filter"`
	Owner       int64   `json:"owner" api:"ref=User,readonly,expand,filter,through=username"`
}

// treasures declares the resource.
func treasures(h *hoard) resource.Of[DragonTreasure] {
	return resource.Of[DragonTreasure]{
		Description: "A rare and valuable treasure.",
		Store:       h.treasures,
		Access: access.Rules{
			Read: access.Any(published, owner), Create: owner, Update: owner, Delete: owner,
		},
		Stamp: operation.Stamp(func(u *User, t *DragonTreasure) { t.Owner = u.ID }),
		Operations: append(operation.Standard(),
			operation.GetCollection{URITemplate: "/users/{owner}/treasures"},
			operation.Post{
				Name: "discount", URITemplate: "/dragon_treasures/{id}/discount", Handler: operation.Handle(discount),
			},
		),
		Processor: operation.Process(h.recordChange),
	}
}

var (
	owner     = access.Equal("owner", func(u *User) int64 { return u.ID })
	published = access.Where("isPublished", true)
)

// Discount is the body of the operation.
type Discount struct {
	Percent int `json:"percent" validate:"gte=1,lte=90"`
}

// discount lowers the value of a treasure.
func discount(_ context.Context, t *DragonTreasure, in Discount) (*DragonTreasure, error) {
	if t.Value < 10 {
		return nil, operation.Error{Status: http.StatusConflict, Detail: "The treasure is worth less than 10."}
	}
	t.Value -= t.Value * in.Percent / 100
	return t, nil
}

// ValueChange records that the value of a treasure changed.
type ValueChange struct {
	ID       int64 `json:"id"`
	Treasure int64 `json:"treasure" api:"ref=DragonTreasure,ondelete=cascade"`
	Before   int   `json:"before"`
	After    int   `json:"after"`
}

// valueChanges declares the resource below a treasure: callers who cannot see the treasure get 404.
func valueChanges(h *hoard) resource.Of[ValueChange] {
	return resource.Of[ValueChange]{
		Description: "A change of the value of a treasure.",
		Store:       h.changes,
		Operations:  []operation.Operation{operation.GetCollection{URITemplate: "/dragon_treasures/{treasure}/changes"}},
		Access:      access.Rules{Read: access.Public},
	}
}

// recordChange saves a treasure and, if its value changed, a ValueChange.
func (h *hoard) recordChange(ctx context.Context, req *operation.Request, t *DragonTreasure, save operation.Save[DragonTreasure]) error {
	if err := save(ctx, t); err != nil {
		return err
	}
	before, ok := req.Previous.(*DragonTreasure)
	if !ok || before.Value == t.Value {
		return nil
	}
	return store.Insert(ctx, h.changes, &ValueChange{Treasure: t.ID, Before: before.Value, After: t.Value})
}
