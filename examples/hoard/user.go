package main

import (
	"context"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// User is somebody who has treasures.
type User struct {
	ID       int64    `json:"id"`
	Email    string   `json:"email" validate:"email,max=200" api:"unique,filter" example:"smaug@example.com"`
	Username string   `json:"username" validate:"notblank,max=50" api:"unique,filter,sort" example:"smaug" message:"unique: It looks like another dragon took your username. ROAR!"`
	Password string   `json:"password" validate:"min=8,max=200" api:"writeonly" example:"correct horse battery"`
	Roles    []string `json:"roles" validate:"max=1,dive,oneof=admin" doc:"What the user may do beside what all may."`
	Follows  []int64  `json:"follows" validate:"max=500" api:"ref=User,ondelete=null" doc:"Whose new treasures the user is told of."`
}

func (h *hoard) ofUser() resource.Of[User] {
	self := access.Equal("id", userID)
	change := access.All(access.Scope("user:edit"), access.Any(self, admin))
	return resource.Of[User]{
		Description:       "Somebody who has treasures.",
		Store:             h.users,
		Inverse:           map[string]string{"treasures": "DragonTreasure.owner"},
		BeforeTransaction: h.hashPassword,
		Access: access.Rules{Read: access.Public, Create: access.Public, Update: change, Delete: change, Members: map[string]access.Member{
			"email": {Read: access.Any(self, admin)}, "roles": {Write: admin}, "follows": {Read: self, Write: self}, "password": {Write: byNoToken},
		}},
		Operations: append(operation.Standard(),
			operation.Put{Name: "follow", URITemplate: "/users/{id}/follows/{follows}"},
			operation.Delete{Name: "unfollow", URITemplate: "/users/{id}/follows/{follows}"},
		),
	}
}

// hashPassword replaces a new password with its hash, before the transaction because that takes long.
func (h *hoard) hashPassword(ctx context.Context, req *operation.Request, u *User) (err error) {
	if before, ok := req.Previous.(*User); !ok || before.Password != u.Password {
		u.Password, err = h.passwords.Hash(ctx, u.Password)
	}
	return err
}

// byNoToken keeps programs from the password, which would give them what their tokens do not grant.
var byNoToken = access.Check("no token", func(ctx context.Context, _ *User) (bool, error) {
	caller, ok := operation.PrincipalAs[*Caller](ctx)
	return !ok || caller.Token.Session, nil
})
