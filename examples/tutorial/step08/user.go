// Code generated from docs/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package main

import (
	"context"
	"errors"

	"github.com/trove-api/trove/access"
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
		BeforeTransaction: h.hashPassword,
	}
}

// hashPassword replaces the password of a new user with its hash. It is slow, so it runs before the transaction begins.
func (h *hoard) hashPassword(ctx context.Context, _ *operation.Request, u *User) (err error) {
	u.Password, err = h.passwords.Hash(ctx, u.Password)
	return err
}

// signIn returns the user with this name and password.
func (h *hoard) signIn(ctx context.Context, name, secret string) (*User, access.Scopes, error) {
	user, err := store.Find(ctx, h.users, "username", name)
	if errors.Is(err, store.ErrNotFound) {
		user, err = &User{}, nil // an empty hash matches nothing, and takes as long to compare
	}
	if err != nil {
		return nil, nil, err
	}
	ok, err := h.passwords.Matches(ctx, secret, user.Password)
	if err == nil && !ok {
		err = access.ErrCredentials
	}
	return user, access.Unlimited, err
}
