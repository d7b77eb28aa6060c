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

// User is somebody who has treasures.
type User struct {
	ID       int64   `json:"id"`
	Email    string  `json:"email" validate:"email,max=200" api:"unique,filter"`
	Username string  `json:"username" validate:"notblank,max=50" api:"unique,filter,sort" message:"unique: It looks like another dragon took your username. ROAR!"`
	Password string  `json:"password" validate:"min=8,max=200" api:"writeonly"`
	Admin    bool    `json:"admin"`
	Follows  []int64 `json:"follows" validate:"max=500" api:"ref=User,ondelete=null" doc:"Whose new treasures the user is told of."`
}

// users declares what can be done with users: anybody registers, and nobody becomes an admin.
func users(h *hoard) resource.Of[User] {
	return resource.Of[User]{
		Description:       "Somebody who has treasures.",
		Store:             h.users,
		Inverse:           map[string]string{"treasures": "DragonTreasure.owner"},
		BeforeTransaction: h.hashPassword,
		Access: access.Rules{
			Read: access.Public, Create: access.Public, Update: access.Any(self, admin), Delete: admin,
			Members: map[string]access.Member{
				"admin": {Write: admin}, "email": {Read: access.Any(self, admin)}, "follows": {Read: self, Write: self},
			},
		},
		Operations: append(operation.Standard(),
			operation.Put{Name: "follow", URITemplate: "/users/{id}/follows/{follows}"},
			operation.Delete{Name: "unfollow", URITemplate: "/users/{id}/follows/{follows}"},
		),
	}
}

var (
	admin = access.If("admin", func(u *User) bool { return u.Admin })
	self  = access.Equal("id", func(u *User) int64 { return u.ID })
	owner = access.Equal("owner", func(u *User) int64 { return u.ID })
)

// hashPassword replaces a new password with its hash.
func (h *hoard) hashPassword(ctx context.Context, req *operation.Request, u *User) (err error) {
	if before, ok := req.Previous.(*User); !ok || before.Password != u.Password {
		u.Password, err = h.passwords.Hash(ctx, u.Password)
	}
	return err
}

// signIn says whose a name and a password are.
func (h *hoard) signIn(ctx context.Context, name, secret string) (*User, access.Scopes, error) {
	user, err := store.Find(ctx, h.users, "username", name)
	if errors.Is(err, store.ErrNotFound) {
		user, err = &User{}, nil // whose password takes as long to compare, and is none
	}
	if err != nil {
		return nil, nil, err
	}
	switch ok, err := h.passwords.Matches(ctx, secret, user.Password); {
	case err != nil:
		return nil, nil, err
	case !ok:
		return nil, nil, access.ErrCredentials
	}
	return user, access.Unlimited, nil
}

// callerOf returns who asks; nil for nobody.
func callerOf(ctx context.Context) *User {
	user, _ := operation.PrincipalFrom(ctx).(*User)
	return user
}
