package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// APIToken lets a program act for a user. Sessions are API tokens too, hidden from clients.
type APIToken struct {
	ID        int64      `json:"id"`
	Owner     int64      `json:"owner" api:"ref=User,readonly,ondelete=cascade"`
	Token     string     `json:"token" api:"readonly,unique" doc:"The secret. It is shown only now; the service stores its hash."`
	Scopes    []string   `json:"scopes" validate:"max=5,unique,dive,oneof=user:edit token:edit treasure:create treasure:edit social:edit" example:"[\"treasure:edit\"]" doc:"What the token may change. social:edit is for reviews, tags, quests and notifications. Without scopes it can only read."`
	ExpiresAt *time.Time `json:"expiresAt" doc:"When the token expires. Default: with the token that created it, or never."`
	CreatedAt time.Time  `json:"createdAt" api:"created"`
	Session   bool       `json:"session" api:"hidden"`
}

func (h *hoard) ofToken() resource.Of[APIToken] {
	shown := []string{"id", "owner", "scopes", "expiresAt", "createdAt"}
	kept := &operation.View{Name: "APITokenKept", Fields: shown}
	return resource.Of[APIToken]{
		Description: "A token that lets a program act for a user, within its scopes.",
		Store:       h.tokens,
		View:        &operation.View{Name: "APITokenMade", Fields: append(shown, "token")},
		Stamp:       operation.Stamp(bequeath),
		Access: access.Rules{
			Read:   access.All(owner, access.Where("session", false)),
			Create: access.All(access.Scope("token:edit"), access.Check("no more than its maker", grantsNoMore)),
			Delete: access.All(access.Scope("token:edit"), owner),
		},
		Operations: []operation.Operation{
			operation.Get{View: kept},
			operation.GetCollection{View: kept},
			operation.Delete{},
			operation.Post{Processor: operation.Process(h.issue)},
		},
	}
}

// bequeath makes the maker the owner of a token, which expires with the credentials that create it.
func bequeath(maker *Caller, t *APIToken) {
	t.Owner = maker.ID
	if t.ExpiresAt == nil && !maker.Token.Session {
		t.ExpiresAt = maker.Token.ExpiresAt
	}
}

// grantsNoMore is the rule that a token may do no more, and last no longer, than the one that creates it.
func grantsNoMore(ctx context.Context, t *APIToken) (bool, error) {
	caller, _ := operation.PrincipalAs[*Caller](ctx)
	maker := caller.Token
	more := func(scope string) bool { return !slices.Contains(maker.Scopes, scope) }
	longer := maker.ExpiresAt != nil && (t.ExpiresAt == nil || t.ExpiresAt.After(*maker.ExpiresAt))
	return maker.Session || !longer && !slices.ContainsFunc(t.Scopes, more), nil
}

// issue saves the hash of a new secret, and returns the secret. Reading the maker in a transaction locks them, so it
// waits for a password change in progress, which may end the token or session of this request.
func (h *hoard) issue(ctx context.Context, _ *operation.Request, t *APIToken, save operation.Save[APIToken]) error {
	maker, _ := operation.PrincipalAs[*Caller](ctx)
	err := h.users.Transact(ctx, func(ctx context.Context, tx store.Tx[User]) error {
		if _, err := tx.Get(ctx, maker.ID); err != nil {
			return err
		}
		_, err := h.tokens.Get(ctx, maker.Token.ID)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		err = errCredentials
	}
	if err != nil {
		return err
	}
	secret := rand.Text()
	t.Token = digest(secret)
	err = save(ctx, t)
	t.Token = secret
	return err
}

// digest returns the stored form of a secret. A secret is too long to guess, so the hash need not be slow.
func digest(secret string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(secret))) }

// byToken returns the user of a token, and its scopes.
func (h *hoard) byToken(ctx context.Context, secret string) (*Caller, access.Scopes, error) {
	token, err := store.Find(ctx, h.tokens, "token", digest(secret))
	if err == nil && token.ExpiresAt != nil && token.ExpiresAt.Before(time.Now()) {
		err = access.ErrCredentials
	}
	var user *User
	if err == nil {
		user, err = h.users.Get(ctx, token.Owner)
	}
	switch {
	case errors.Is(err, store.ErrNotFound): // also a user who is deleted at this moment
		return nil, nil, access.ErrCredentials
	case err != nil:
		return nil, nil, err
	}
	return &Caller{user, token}, token.Scopes, nil
}

// bySession returns the user of a session. It grants every scope.
func (h *hoard) bySession(ctx context.Context, secret string) (*Caller, access.Scopes, error) {
	caller, _, err := h.byToken(ctx, secret)
	if err == nil && !caller.Token.Session {
		err = access.ErrCredentials
	}
	return caller, access.Unlimited, err
}

// errCredentials is the error for a wrong password, and for credentials that end while they are used.
var errCredentials = operation.Error{Status: http.StatusUnauthorized, Detail: "Invalid credentials."}

const (
	cookieName  = "__Host-session" // browsers accept the prefix only from this host, over TLS or on localhost
	sessionTime = 14 * 24 * time.Hour
)

// Session is a sign-in. It is stored as an [APIToken] and sent as a cookie. It has no path.
type Session struct{ ID int64 }

// Login is the body of a sign-in.
type Login struct {
	Email    string `json:"email" example:"smaug@example.com"`
	Password string `json:"password" example:"correct horse battery"`
}

// ofSession declares sign-in and sign-out. They also work with the cookie of a session that has ended.
func (h *hoard) ofSession() resource.Of[Session] {
	cookie := "Sets or deletes the cookie `" + cookieName + "`."
	return resource.Of[Session]{
		Description: "A sign-in of a person. Programs use API tokens.",
		Operations: []operation.Operation{
			operation.Post{
				Name: "login", URITemplate: "/login", Summary: "Sign in", Handler: operation.Handle(h.login),
				Access: access.Public, Anonymous: true, MaxBodyBytes: 4 << 10,
				ResponseHeader: map[string]string{"Set-Cookie": cookie, "Location": "The path of the user."},
			},
			operation.Post{
				Name: "logout", URITemplate: "/logout", Summary: "Sign out", Handler: operation.Handle(h.logout),
				Access: access.Public, Anonymous: true, ResponseHeader: map[string]string{"Set-Cookie": cookie},
			},
		},
	}
}

// login checks a password, and starts a session that replaces the one of the request.
func (h *hoard) login(ctx context.Context, _ *Session, in Login) (none struct{}, err error) {
	user, err := h.accounts.Verify(ctx, in.Email, in.Password)
	if errors.Is(err, access.ErrCredentials) {
		err = errCredentials
	}
	if err != nil {
		return none, err
	}
	secret := rand.Text()
	session := &APIToken{Owner: user.ID, Token: digest(secret), ExpiresAt: new(time.Now().Add(sessionTime)), Session: true}
	req := setCookie(ctx, secret, sessionTime)
	req.ResponseHeader.Set("Location", fmt.Sprintf("/api/users/%d", user.ID))
	if err := h.end(ctx, req); err != nil {
		return none, err
	}
	return none, h.users.Transact(ctx, func(ctx context.Context, tx store.Tx[User]) error { // waits for a password change in progress
		now, err := tx.Get(ctx, user.ID)
		if errors.Is(err, store.ErrNotFound) || err == nil && now.Password != user.Password {
			err = errCredentials
		}
		if err != nil {
			return err
		}
		return store.Insert(ctx, h.tokens, session)
	})
}

// logout ends the session of the request, if it has one.
func (h *hoard) logout(ctx context.Context, _ *Session, _ struct{}) (none struct{}, err error) {
	return none, h.end(ctx, setCookie(ctx, "", -time.Second))
}

// end ends the sessions of a request's cookies.
func (h *hoard) end(ctx context.Context, req *operation.Request) error {
	cookies := req.HTTP().CookiesNamed(cookieName)
	for _, cookie := range cookies[:min(len(cookies), 8)] { // a browser sends one
		caller, _, err := h.bySession(ctx, cookie.Value)
		if err == nil {
			err = store.Delete(ctx, h.tokens, caller.Token.ID)
		}
		if err != nil && !errors.Is(err, access.ErrCredentials) { // the session has ended already
			return err
		}
	}
	return nil
}

// setCookie sets the cookie in the response to the request of a context.
func setCookie(ctx context.Context, secret string, lasts time.Duration) *operation.Request {
	req, _ := operation.RequestFrom(ctx)
	cookie := http.Cookie{
		Name: cookieName, Value: secret, Path: "/", MaxAge: int(lasts.Seconds()), HttpOnly: true, Secure: true, SameSite: http.SameSiteLaxMode,
	}
	req.ResponseHeader.Set("Set-Cookie", cookie.String())
	return req
}
