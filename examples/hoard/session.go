package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

const (
	cookieName  = "session"
	sessionTime = 14 * 24 * time.Hour
)

// Session is what people sign in to. It is kept as an [APIToken], in a cookie, and has no address.
type Session struct{ ID int64 }

// Login is what one signs in with.
type Login struct {
	Email    string `json:"email" example:"smaug@example.com"`
	Password string `json:"password" example:"correct horse battery"`
}

// ofSession are the operations that begin and end one, for those who still have the cookie of one that has ended, too.
func (h *hoard) ofSession() resource.Of[Session] {
	cookie := "The cookie `" + cookieName + "`, or its end."
	return resource.Of[Session]{
		Description: "What people sign in to. Programs have API tokens.",
		Operations: []operation.Operation{
			operation.Post{
				Name: "login", URITemplate: "/login", Summary: "Sign in", Handler: operation.Handle(h.login),
				Access: access.Public, Anonymous: true, MaxBodyBytes: 4 << 10,
				AnswerHeader: map[string]string{"Set-Cookie": cookie, "Location": "The address of the user."},
			},
			operation.Post{
				Name: "logout", URITemplate: "/logout", Summary: "Sign out", Handler: operation.Handle(h.logout),
				Access: access.Public, Anonymous: true, AnswerHeader: map[string]string{"Set-Cookie": cookie},
			},
		},
	}
}

// login checks a password, and begins a session.
func (h *hoard) login(ctx context.Context, _ *Session, in Login) (none struct{}, err error) {
	user, err := store.Find(ctx, h.users, "email", in.Email)
	if errors.Is(err, store.ErrNotFound) {
		user, err = &User{}, nil // whose password takes as long to compare, and is none
	}
	if err != nil {
		return none, err
	}
	switch ok, err := h.passwords.Matches(ctx, in.Password, user.Password); {
	case err != nil:
		return none, err
	case !ok:
		return none, operation.Error{Status: http.StatusUnauthorized, Detail: "Invalid credentials."}
	}
	secret := rand.Text()
	session := &APIToken{Owner: user.ID, Token: digest(secret), ExpiresAt: new(time.Now().Add(sessionTime)), Session: true}
	setCookie(ctx, secret, sessionTime).Answer.Set("Location", fmt.Sprintf("/api/users/%d", user.ID))
	return none, store.Insert(ctx, h.tokens, session)
}

// logout ends the session of the request, if it has one.
func (h *hoard) logout(ctx context.Context, _ *Session, _ struct{}) (none struct{}, err error) {
	cookie, err := setCookie(ctx, "", -time.Second).HTTP.Cookie(cookieName)
	if err != nil {
		return none, nil // there is none
	}
	caller, _, err := h.bySession(ctx, cookie.Value)
	if err == nil {
		err = store.Delete(ctx, h.tokens, caller.Token.ID)
	}
	if errors.Is(err, access.ErrCredentials) { // it has ended
		err = nil
	}
	return none, err
}

// setCookie has the answer to the request of a context set the cookie.
func setCookie(ctx context.Context, secret string, lasts time.Duration) *operation.Request {
	req, _ := operation.RequestFrom(ctx)
	cookie := http.Cookie{ //nolint:gosec // Secure wherever there is TLS
		Name: cookieName, Value: secret, Path: "/", MaxAge: int(lasts.Seconds()), HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: req.HTTP.TLS != nil || req.HTTP.Header.Get("X-Forwarded-Proto") == "https",
	}
	req.Answer.Set("Set-Cookie", cookie.String())
	return req
}

// bySession says whose a session is. It grants everything.
func (h *hoard) bySession(ctx context.Context, secret string) (*Caller, access.Scopes, error) {
	caller, _, err := h.byToken(ctx, secret)
	if err == nil && !caller.Token.Session {
		err = access.ErrCredentials
	}
	return caller, access.Unlimited, err
}
