package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// APIToken lets a program act for a user. A session is one, too, which clients do not see.
type APIToken struct {
	ID        int64      `json:"id"`
	Owner     int64      `json:"owner" api:"ref=User,readonly,ondelete=cascade"`
	Token     string     `json:"token" api:"readonly,unique" doc:"The secret, shown this once: its hash is kept."`
	Scopes    []string   `json:"scopes" validate:"max=3,unique,dive,oneof=user:edit treasure:create treasure:edit" example:"[\"treasure:edit\"]"`
	ExpiresAt *time.Time `json:"expiresAt" doc:"When it ends. Default: with the token that made it, or never."`
	CreatedAt time.Time  `json:"createdAt" api:"created"`
	Session   bool       `json:"session" api:"hidden"`
}

func (h *hoard) ofToken() resource.Of[APIToken] {
	shown := []string{"id", "owner", "scopes", "expiresAt", "createdAt"}
	kept := &operation.View{Name: "APITokenKept", Members: shown}
	return resource.Of[APIToken]{
		Description: "Lets a program act for a user, within its scopes.",
		Store:       h.tokens,
		View:        &operation.View{Name: "APITokenMade", Members: append(shown, "token")},
		Prepare:     operation.Stamp(bequeath),
		Access: access.Rules{
			Read:   access.All(owner, access.Where("session", false)),
			Create: access.All(access.Authenticated, access.Check("no more than its maker", grantsNoMore)),
			Delete: owner,
		},
		Operations: []operation.Operation{
			operation.Get{View: kept},
			operation.GetCollection{View: kept},
			operation.Delete{},
			operation.Post{Processor: operation.Process(issue)},
		},
	}
}

// bequeath makes a token one of its maker's, which ends with what made it.
func bequeath(maker *Caller, t *APIToken) {
	t.Owner = maker.ID
	if t.ExpiresAt == nil && !maker.Token.Session {
		t.ExpiresAt = maker.Token.ExpiresAt
	}
}

// grantsNoMore is the rule that no token may do more, or longer, than the one that made it.
func grantsNoMore(ctx context.Context, t *APIToken) (bool, error) {
	maker := callerOf(ctx).Token
	more := func(scope string) bool { return !slices.Contains(maker.Scopes, scope) }
	longer := maker.ExpiresAt != nil && (t.ExpiresAt == nil || t.ExpiresAt.After(*maker.ExpiresAt))
	return maker.Session || !longer && !slices.ContainsFunc(t.Scopes, more), nil
}

// issue saves the hash of a new secret, and answers with the secret itself.
func issue(ctx context.Context, _ *operation.Request, t *APIToken, save operation.Save[APIToken]) error {
	secret := rand.Text()
	t.Token = digest(secret)
	err := save(ctx, t)
	t.Token = secret
	return err
}

// digest is what is kept of a secret. Nobody can guess one, so it need not be slow as that of a password.
func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// byToken says whose a token is, and what it grants.
func (h *hoard) byToken(ctx context.Context, secret string) (*Caller, access.Scopes, error) {
	token, err := store.Find(ctx, h.tokens, "token", digest(secret))
	if errors.Is(err, store.ErrNotFound) || err == nil && token.ExpiresAt != nil && token.ExpiresAt.Before(time.Now()) {
		err = access.ErrCredentials
	}
	if err != nil {
		return nil, nil, err
	}
	user, err := h.users.Get(ctx, token.Owner)
	return &Caller{user, token}, token.Scopes, err
}
