package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/store"
)

// claims are what a token says.
type claims struct {
	jwt.RegisteredClaims

	Scope string `json:"scope"`
}

// keyring has the keys that tokens may be signed with, by their id. Its zero value has none.
type keyring struct {
	public atomic.Pointer[map[string]ed25519.PublicKey]
}

// Replace takes other keys in place of those that there are.
func (k *keyring) Replace(public map[string]ed25519.PublicKey) { k.public.Store(&public) }

// key finds the key of a token by its id.
func (k *keyring) key(token *jwt.Token) (any, error) {
	id, _ := token.Header["kid"].(string)
	if public := k.public.Load(); public != nil && (*public)[id] != nil {
		return (*public)[id], nil
	}
	return nil, errors.New("there is no such key")
}

// authenticate says whose a token is. What a token may be signed with, whom it is from and for,
// and that it ends, is said here and not by the token.
func (s *service) authenticate(ctx context.Context, token string) (*User, access.Scopes, error) {
	var said claims
	_, err := jwt.ParseWithClaims(token, &said, s.keys.key,
		jwt.WithValidMethods([]string{"EdDSA"}), jwt.WithIssuer("hoard"), jwt.WithAudience("hoard"), jwt.WithExpirationRequired())
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", access.ErrCredentials, err) // 401
	}
	id, err := strconv.ParseInt(said.Subject, 10, 64)
	if err != nil {
		return nil, nil, access.ErrCredentials
	}
	user, err := s.users.Get(ctx, id)
	if errors.Is(err, store.ErrNotFound) { // it was somebody's who is gone
		return nil, nil, access.ErrCredentials
	}
	return user, strings.Fields(said.Scope), err // any other error is 503
}

// signed makes a token, for tests and to begin with: a real one comes from who signs users in.
func signed(private ed25519.PrivateKey, key string, user int64, scope string, lasts time.Duration) (string, error) {
	token := jwt.NewWithClaims(jwt.SigningMethodEdDSA, claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: "hoard", Audience: jwt.ClaimStrings{"hoard"}, Subject: strconv.FormatInt(user, 10),
			ExpiresAt: jwt.NewNumericDate(time.Now().Add(lasts)),
		},
		Scope: scope,
	})
	token.Header["kid"] = key
	return token.SignedString(private)
}
