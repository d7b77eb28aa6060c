package main

import (
	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// User is an account, and the principal of requests.
type User struct {
	ID       int64  `json:"id"`
	Email    string `json:"email" validate:"email,max=200" api:"unique" example:"dan@example.com"`
	Password string `json:"password" validate:"min=12,max=200" api:"password" example:"correct horse battery"`
	Tenant   string `json:"tenant" api:"readonly"`
	Admin    bool   `json:"admin" doc:"Whether the user manages the accounts of the tenant."`
}

var (
	admin = access.If("admin", func(u *User) bool { return u.Admin })
	self  = access.Equal("id", func(u *User) int64 { return u.ID })
)

func (a *app) ofUser() resource.Of[User] {
	manage := access.All(tenant, admin)
	return resource.Of[User]{
		Description:       "An account.",
		Store:             a.accounts.Store,
		Stamp:             operation.Stamp(func(creator, u *User) { u.Tenant = creator.Tenant }),
		BeforeTransaction: a.accounts.Hash,
		Access: access.Rules{
			Read: tenant, Create: manage, Update: access.Any(manage, self), Delete: manage,
			Fields: map[string]access.Field{"email": {Read: access.Any(admin, self)}, "admin": {Write: admin}},
		},
	}
}
