package main

import (
	"context"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Notification tells a user that somebody whom the user follows has published a treasure.
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
		Description: "Tells that somebody whom the user follows has published a treasure.",
		Store:       h.notifications,
		Order:       []string{"-createdAt"},
		Access:      access.Rules{Read: recipient, Update: recipient},
		Operations:  []operation.Operation{operation.Get{}, operation.GetCollection{}, operation.Patch{}},
	}
}

// announce saves a treasure and, where that publishes it, tells the followers of its owner: in one transaction.
func (h *hoard) announce(ctx context.Context, req *operation.Request, t *DragonTreasure, save operation.Save[DragonTreasure]) error {
	before, _ := req.Previous.(*DragonTreasure)
	if err := save(ctx, t); err != nil || !t.IsPublished || req.Kind == operation.KindDelete || before != nil && before.IsPublished {
		return err
	}
	follow := store.Condition{Fields: []string{"follows"}, Operator: store.Equal, Values: []any{t.Owner}}
	followers, err := h.users.List(ctx, store.Query{Where: []store.Condition{follow}})
	if err != nil {
		return err
	}
	var told []*Notification
	for _, user := range followers.Items {
		told = append(told, &Notification{Recipient: user.ID, Treasure: t.ID, Message: t.Name + " has been published."})
	}
	return store.Insert(ctx, h.notifications, told...)
}
