package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"

	"github.com/trove-api/trove/access"
)

// User is the principal of requests: what the token says about the caller.
type User struct {
	ID string // the claim sub
}

// String identifies the user to Idempotency-Key.
func (u *User) String() string { return u.ID }

// claims are the claims of a token that the API reads.
type claims struct {
	jwt.RegisteredClaims

	Scope string `json:"scope"` // separated by spaces (RFC 9068)
}

// verifier verifies tokens of one identity provider.
type verifier struct {
	keys   jwt.Keyfunc
	issuer string
}

// newVerifier loads the keys of the provider, and loads them again every hour and, at most every five minutes, when a
// token names another key.
func newVerifier(ctx context.Context, issuer, keySet string) (verifier, error) {
	keys, err := keyfunc.NewDefaultOverrideCtx(ctx, []string{keySet}, keyfunc.Override{RateLimitWaitMax: time.Second})
	if err != nil {
		return verifier{}, err
	}
	return verifier{keys.Keyfunc, issuer}, nil
}

// authenticate returns the user of a token and its scopes. The server decides what it accepts, not the token.
func (v verifier) authenticate(_ context.Context, token string) (*User, access.Scopes, error) {
	var c claims
	_, err := jwt.ParseWithClaims(token, &c, v.keys,
		jwt.WithValidMethods([]string{"EdDSA", "ES256", "RS256"}),
		jwt.WithIssuer(v.issuer),
		jwt.WithAudience("notes"),
		jwt.WithExpirationRequired())
	if err == nil && c.Subject == "" {
		err = errors.New("the token has no subject")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", access.ErrCredentials, err) // 401
	}
	return &User{c.Subject}, strings.Fields(c.Scope), nil
}
