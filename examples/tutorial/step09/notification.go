// Code generated from docs/guides/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package step09

import (
	"context"
	"errors"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Notification tells a user that somebody whom the user follows has published a treasure.
type Notification struct {
	ID        int64  `json:"id"`
	Recipient int64  `json:"recipient" api:"ref=User,readonly,ondelete=cascade"`
	Treasure  int64  `json:"treasure" api:"ref=DragonTreasure,readonly,ondelete=cascade"`
	Message   string `json:"message" api:"readonly"`
	IsRead    bool   `json:"isRead" api:"filter"`
}

// notifications declares what can be done with notifications: everybody has his own.
func notifications(h *hoard) resource.Of[Notification] {
	recipient := access.Equal("recipient", func(u *User) int64 { return u.ID })
	return resource.Of[Notification]{
		Description: "Tells of a treasure that has been published.",
		Store:       h.notifications,
		Access:      access.Rules{Read: recipient, Update: recipient},
		Operations:  []operation.Operation{operation.Get{}, operation.GetCollection{}, operation.Patch{}},
	}
}

// announce saves a treasure. When that publishes it for the first time, up to 1000 followers of its owner are notified.
func (h *hoard) announce(ctx context.Context, req *operation.Request, t *DragonTreasure, save operation.Save[DragonTreasure]) error {
	before, _ := req.Previous.(*DragonTreasure)
	if err := save(ctx, t); err != nil || !t.IsPublished || req.Kind == operation.KindDelete || before != nil && before.IsPublished {
		return err
	}
	if _, err := store.Find(ctx, h.notifications, "treasure", t.ID); !errors.Is(err, store.ErrNotFound) {
		return err // nil if it was announced before
	}
	follow := store.Condition{Fields: []string{"follows"}, Operator: store.Equal, Values: []any{t.Owner}}
	followers, err := h.users.List(ctx, store.Query{Where: []store.Condition{follow}, Limit: 1000})
	if err != nil {
		return err
	}
	var told []*Notification
	for _, user := range followers.Items {
		told = append(told, &Notification{Recipient: user.ID, Treasure: t.ID, Message: t.Name + " has been published."})
	}
	return store.Insert(ctx, h.notifications, told...)
}
