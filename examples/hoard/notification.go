package main

import (
	"context"
	"errors"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Notification informs a user that someone they follow has published a treasure.
type Notification struct {
	ID        int64     `json:"id"`
	Recipient int64     `json:"recipient" api:"ref=User,readonly,ondelete=cascade"`
	Treasure  int64     `json:"treasure" api:"ref=DragonTreasure,readonly,expand,ondelete=cascade"`
	Message   string    `json:"message" api:"readonly"`
	IsRead    bool      `json:"isRead" api:"filter"`
	CreatedAt time.Time `json:"createdAt" api:"created,sort"`
}

func (h *hoard) ofNotification() resource.Of[Notification] {
	recipient := access.Equal("recipient", userID)
	return resource.Of[Notification]{
		Description: "Informs a user that someone they follow has published a treasure.",
		Store:       h.notifications,
		Order:       []string{"-createdAt"},
		Access:      access.Rules{Read: recipient, Update: access.All(social, recipient)},
		Operations:  []operation.Operation{operation.Get{}, operation.GetCollection{}, operation.Patch{}},
	}
}

// mostTold limits the notifications that one request creates. Followers who registered first are notified; a larger
// product would notify the others in a job.
const mostTold = 1000

// budget is the context key for a *int: how many notifications the request may still create.
type budget struct{}

// announce saves a treasure. Publishing it for the first time notifies the followers of its owner, in the same
// transaction. Publishing it again does not.
func (h *hoard) announce(ctx context.Context, req *operation.Request, t *DragonTreasure, save operation.Save[DragonTreasure]) error {
	before, _ := req.Previous.(*DragonTreasure)
	if err := save(ctx, t); err != nil || !t.IsPublished || req.Kind == operation.KindDelete || before != nil && before.IsPublished {
		return err
	}
	if _, err := store.Find(ctx, h.notifications, "treasure", t.ID); !errors.Is(err, store.ErrNotFound) {
		return err // nil if it was announced before
	}
	left, shared := ctx.Value(budget{}).(*int)
	if !shared {
		left = new(mostTold)
	}
	if *left == 0 {
		return nil
	}
	follow := store.Condition{Fields: []string{"follows"}, Operator: store.Equal, Values: []any{t.Owner}}
	followers, err := h.users.List(ctx, store.Query{Where: []store.Condition{follow}, Limit: *left})
	if err != nil {
		return err
	}
	*left -= len(followers.Items)
	var told []*Notification
	for _, user := range followers.Items {
		told = append(told, &Notification{Recipient: user.ID, Treasure: t.ID, Message: t.Name + " has been published."})
	}
	return store.Insert(ctx, h.notifications, told...)
}
