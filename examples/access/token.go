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

// claims are the claims of a token.
type claims struct {
	jwt.RegisteredClaims

	Scope string `json:"scope"`
}

// keyring holds the public keys that verify tokens, by ID. The zero value is empty.
type keyring struct {
	public atomic.Pointer[map[string]ed25519.PublicKey]
}

// Replace replaces all keys.
func (k *keyring) Replace(public map[string]ed25519.PublicKey) { k.public.Store(&public) }

// key returns the key that the header of a token names.
func (k *keyring) key(token *jwt.Token) (any, error) {
	id, _ := token.Header["kid"].(string)
	if public := k.public.Load(); public != nil && (*public)[id] != nil {
		return (*public)[id], nil
	}
	return nil, errors.New("unknown key")
}

// authenticate returns the user of a token and its scopes. The service decides which algorithm, issuer and audience it
// accepts, and that tokens expire; the token does not.
func (s *service) authenticate(ctx context.Context, token string) (*User, access.Scopes, error) {
	var verified claims
	_, err := jwt.ParseWithClaims(token, &verified, s.keys.key,
		jwt.WithValidMethods([]string{"EdDSA"}), jwt.WithIssuer("hoard"), jwt.WithAudience("hoard"), jwt.WithExpirationRequired())
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", access.ErrCredentials, err) // 401
	}
	id, err := strconv.ParseInt(verified.Subject, 10, 64)
	if err != nil {
		return nil, nil, access.ErrCredentials
	}
	user, err := s.users.Get(ctx, id)
	if errors.Is(err, store.ErrNotFound) { // the user was deleted
		return nil, nil, access.ErrCredentials
	}
	return user, strings.Fields(verified.Scope), err // any other error is 503
}

// signed creates a token for tests and the demo. In production, tokens come from the service that signs users in.
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
