package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

const (
	cookieName = "__Host-session" // only this host can set it
	lifetime   = 14 * 24 * time.Hour
)

// Session is one sign-in. The cookie has a random secret, and the store keeps only the hash of it.
type Session struct {
	ID      int64     `json:"id"`
	Hash    string    `json:"hash" api:"hidden,unique"`
	User    int64     `json:"user" api:"ref=User,ondelete=cascade"`
	Expires time.Time `json:"expires"`
}

// Login is the body of POST /login.
type Login struct {
	Email    string `json:"email" example:"ann@example.com"`
	Password string `json:"password" example:"correct horse battery"`
	User     *User  `json:"-"` // set by checkPassword
}

func (a *app) ofSession() resource.Of[Session] {
	cookie := map[string]string{"Set-Cookie": "The session cookie."}
	return resource.Of[Session]{
		Description: "A sign-in of a user.",
		Store:       a.sessions,
		Operations: []operation.Operation{
			operation.Post{
				Name: "logIn", URITemplate: "/login", Handler: operation.HandleAfter(a.checkPassword, a.logIn),
				Access: access.Public, Anonymous: true, ResponseHeader: cookie,
			},
			operation.Post{
				Name: "logOut", URITemplate: "/logout", Handler: operation.Handle(a.logOut),
				Access: access.Public, Anonymous: true, ResponseHeader: cookie,
			},
		},
	}
}

// checkPassword runs before the transaction, because a password hash is slow on purpose.
func (a *app) checkPassword(ctx context.Context, _ *operation.Request, in *Login) (err error) {
	in.User, err = a.accounts.Verify(ctx, in.Email, in.Password)
	if errors.Is(err, access.ErrCredentials) {
		err = operation.Error{Status: http.StatusUnauthorized, Detail: "Wrong e-mail address or password."}
	}
	return err
}

func (a *app) logIn(ctx context.Context, _ *Session, in Login) (none struct{}, err error) {
	secret := rand.Text()
	setCookie(ctx, secret, lifetime)
	return none, store.Insert(ctx, a.sessions, &Session{Hash: digest(secret), User: in.User.ID, Expires: time.Now().Add(lifetime)})
}

func (a *app) logOut(ctx context.Context, _ *Session, _ struct{}) (none struct{}, err error) {
	for _, cookie := range setCookie(ctx, "", -time.Second).HTTP().CookiesNamed(cookieName) {
		session, err := store.Find(ctx, a.sessions, "hash", digest(cookie.Value))
		if err == nil {
			err = store.Delete(ctx, a.sessions, session.ID)
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return none, err
		}
	}
	return none, nil
}

// bySession returns the user of a session cookie.
func (a *app) bySession(ctx context.Context, secret string) (*User, access.Scopes, error) {
	session, err := store.Find(ctx, a.sessions, "hash", digest(secret))
	if err == nil && time.Now().After(session.Expires) {
		err = access.ErrCredentials
	}
	var user *User
	if err == nil {
		user, err = a.accounts.Store.Get(ctx, session.User)
	}
	if errors.Is(err, store.ErrNotFound) {
		err = access.ErrCredentials // 401; any other error is 503
	}
	return user, access.Unlimited, err
}

// setCookie sets the session cookie of the response, and returns the request.
func setCookie(ctx context.Context, secret string, age time.Duration) *operation.Request {
	req, _ := operation.RequestFrom(ctx)
	cookie := http.Cookie{
		Name: cookieName, Value: secret, Path: "/", MaxAge: int(age.Seconds()),
		HttpOnly: true, Secure: true, SameSite: http.SameSiteLaxMode,
	}
	req.ResponseHeader.Set("Set-Cookie", cookie.String())
	return req
}

// digest needs no slow hash, because a random secret cannot be guessed.
func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
