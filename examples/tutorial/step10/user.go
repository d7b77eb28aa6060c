// Code generated from docs/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package main

import (
	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// User is a dragon with an account.
type User struct {
	ID       int64  `json:"id"`
	Username string `json:"username" validate:"notblank,max=50" api:"unique,filter,sort"`
	Password string `json:"password" validate:"min=8,max=200" api:"password"`
}

// users declares the resource: everyone can register and see other users.
func users(h *hoard) resource.Of[User] {
	return resource.Of[User]{
		Description:       "A dragon with an account.",
		Store:             h.users,
		Operations:        []operation.Operation{operation.GetCollection{}, operation.Get{}, operation.Post{}},
		Access:            access.Rules{Read: access.Public, Create: access.Public},
		BeforeTransaction: h.accounts.Hash, // replaces a new password with its hash
	}
}

// accounts lets users sign in with their username and password.
func accounts(users store.Store[User]) *password.Accounts[User] {
	return &password.Accounts[User]{Store: users, Name: "username", Password: func(u *User) *string { return &u.Password }}
}
