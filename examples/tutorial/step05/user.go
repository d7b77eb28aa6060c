// Code generated from docs/guides/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package step05

import (
	"context"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
	"golang.org/x/crypto/bcrypt"
)

// User is somebody who has treasures.
type User struct {
	ID       int64  `json:"id"`
	Username string `json:"username" validate:"notblank,max=50" api:"unique,filter,sort" message:"unique: It looks like another dragon took your username. ROAR!"`
	Password string `json:"password" validate:"min=8,max=72" api:"writeonly"`
	Admin    bool   `json:"admin"`
}

// users declares what can be done with users: anybody registers, and nobody becomes an admin.
func users(h *hoard) resource.Of[User] {
	return resource.Of[User]{
		Description: "Somebody who has treasures.",
		Store:       h.users,
		Inverse:     map[string]string{"treasures": "DragonTreasure.owner"},
		Processor:   operation.Process(hashPassword),
		Access: access.Rules{
			Read: access.Public, Create: access.Public, Update: access.Any(self, admin), Delete: admin,
			Members: map[string]access.Member{"admin": {Write: admin}},
		},
	}
}

var (
	admin = access.If("admin", func(u *User) bool { return u.Admin })
	self  = access.Equal("id", func(u *User) int64 { return u.ID })
	owner = access.Equal("owner", func(u *User) int64 { return u.ID })
)

// hashPassword saves the hash of a new password in place of it.
func hashPassword(ctx context.Context, req *operation.Request, u *User, save operation.Save[User]) error {
	if before, ok := req.Previous.(*User); !ok || before.Password != u.Password {
		hash, err := bcrypt.GenerateFromPassword([]byte(u.Password), bcrypt.MinCost)
		if err != nil {
			return validation.Fail("password", "must have 72 bytes at most")
		}
		u.Password = string(hash)
	}
	return save(ctx, u)
}

// nobody is compared where there is no user, so that nobody learns from the time who has an account.
const nobody = "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"

// signIn says whose a name and a password are.
func (h *hoard) signIn(ctx context.Context, name, password string) (*User, access.Scopes, error) {
	named := store.Condition{Fields: []string{"username"}, Operator: store.Equal, Values: []any{name}}
	found, err := h.users.List(ctx, store.Query{Where: []store.Condition{named}, Limit: 1})
	if err != nil {
		return nil, nil, err
	}
	user, known := &User{Password: nobody}, len(found.Items) == 1
	if known {
		user = found.Items[0]
	}
	if bcrypt.CompareHashAndPassword([]byte(user.Password), []byte(password)) != nil || !known {
		return nil, nil, access.ErrCredentials
	}
	return user, access.Unlimited, nil
}

// callerOf returns who asks; nil for nobody.
func callerOf(ctx context.Context) *User {
	user, _ := operation.PrincipalFrom(ctx).(*User)
	return user
}
