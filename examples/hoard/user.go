package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// User is an owner of treasures.
type User struct {
	ID       int64    `json:"id"`
	Email    string   `json:"email" validate:"email,max=200" api:"unique,filter" example:"smaug@example.com"`
	Username string   `json:"username" validate:"notblank,max=50" api:"unique,filter,sort" example:"smaug" message:"unique: It looks like another dragon took your username. ROAR!"`
	Password string   `json:"password" validate:"min=8,max=200" api:"password" example:"correct horse battery"`
	Roles    []string `json:"roles" validate:"max=1,dive,oneof=admin" doc:"Additional roles of the user."`
	Follows  []int64  `json:"follows" validate:"max=500" api:"ref=User,ondelete=null" doc:"The users whose new treasures the user is notified of."`

	CurrentPassword string `json:"currentPassword" validate:"max=200" api:"writeonly" doc:"The caller's own password, needed to change the password. It is never stored."`
}

func (h *hoard) ofUser() resource.Of[User] {
	self := access.Equal("id", userID)
	change := access.All(access.Scope("user:edit"), access.Any(self, isAdmin))
	return resource.Of[User]{
		Description:       "An owner of treasures.",
		Store:             h.users,
		Inverse:           map[string]string{"treasures": "DragonTreasure.owner"},
		BeforeTransaction: h.setPassword,
		Processor:         operation.Process(h.endOthers),
		Access: access.Rules{Read: access.Public, Create: access.Public, Update: change, Delete: change, Fields: map[string]access.Field{
			"email": {Read: access.Any(self, isAdmin)}, "roles": {Write: isAdmin}, "follows": {Read: self, Write: self}, "password": {Write: byNoToken},
		}},
		Operations: append(operation.Standard(),
			operation.Put{Name: "follow", URITemplate: "/users/{id}/follows/{follows}"},
			operation.Delete{Name: "unfollow", URITemplate: "/users/{id}/follows/{follows}"},
		),
	}
}

// setPassword replaces a new password with its hash, before the transaction because that takes long. To change one, callers
// send their own password too, because a session may be stolen.
func (h *hoard) setPassword(ctx context.Context, req *operation.Request, u *User) error {
	given := u.CurrentPassword
	u.CurrentPassword = ""
	if before, ok := req.Previous.(*User); ok && before.Password != u.Password {
		caller, _ := operation.PrincipalAs[*Caller](ctx)
		switch user, err := h.accounts.Verify(ctx, caller.Email, given); {
		case errors.Is(err, access.ErrCredentials), err == nil && user.ID != caller.ID: // another user has the email by now
			return operation.Error{Status: http.StatusForbidden, Detail: "To change the password, send your own in currentPassword."}
		case err != nil:
			return err
		}
	}
	return h.accounts.Hash(ctx, req, u)
}

// endOthers saves a user. A new password ends all sessions and tokens of the user but the session that sets it.
func (h *hoard) endOthers(ctx context.Context, req *operation.Request, u *User, save operation.Save[User]) error {
	before, ok := req.Previous.(*User)
	if err := save(ctx, u); err != nil || !ok || before.Password == u.Password {
		return err
	}
	caller, _ := operation.PrincipalAs[*Caller](ctx)
	others, err := h.tokens.List(ctx, store.Query{Where: []store.Condition{
		{Fields: []string{"owner"}, Operator: store.Equal, Values: []any{u.ID}},
		{Fields: []string{"id"}, Operator: store.NotEqual, Values: []any{caller.Token.ID}},
	}})
	var ids []any
	for _, token := range others.Items {
		ids = append(ids, token.ID)
	}
	return errors.Join(err, store.Delete(ctx, h.tokens, ids...))
}

// byNoToken keeps programs from changing the password, which would give them more than their tokens grant.
var byNoToken = access.Check("no token", func(ctx context.Context, user *User) (bool, error) {
	caller, ok := operation.PrincipalAs[*Caller](ctx)
	return !ok || caller.Token.Session || user.ID == 0, nil // a new user has no password yet
})
