package main

import (
	"context"

	"github.com/trove-api/trove/access"
)

// logIn returns the user with a name and password, without scopes.
func (s *service) logIn(ctx context.Context, name, password string) (*User, access.Scopes, error) {
	user, err := s.accounts.Verify(ctx, name, password)
	return user, nil, err
}
