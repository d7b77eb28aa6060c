package session

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"reflect"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/passwords"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// maxBody limits the bytes of a body with passwords, because hashing takes long.
const maxBody = 4 << 10

// maxCookies limits how many cookies of a request are looked up. Browsers send one, or one for each path and domain.
const maxCookies = 8

// PasswordChange is the body of a password change.
type PasswordChange struct {
	// Current is the password of the caller, not hashed.
	Current string `json:"current" validate:"required" api:"writeonly" example:"correct horse battery"`
	// New is the password to set, not hashed.
	New string `json:"new" validate:"min=12,max=200" api:"writeonly" example:"a horse that is right"`

	previous, hash string // stored passwords, set by checkChange
}

// Resource returns the declaration of the resource Session, which has three operations. You can add your own.
//
//   - POST /login sets the cookie, for a name and a password. The body has two fields: password, and the one that the
//     accounts have as Name, such as email.
//   - POST /logout ends the session and deletes the cookie. It always succeeds.
//   - POST /password sets a new password of at least 12 characters. The caller sends the current one too, because a
//     session may be stolen. It ends the user's other sessions and gives this one a new secret.
//
// Agents do not get cookies, so these operations are not tools by default: see mcp.Config.With.
func (s *Sessions[U]) Resource() resource.Of[Session] {
	cookie := map[string]string{"Set-Cookie": "Sets or deletes the cookie `" + s.config.Cookie + "`."}
	signedIn := access.If("signed in", func(*U) bool { return true })
	return resource.Of[Session]{
		Description: "A sign-in of a user.",
		Store:       s.config.Sessions,
		Operations: []operation.Operation{
			operation.Post{
				Name: "login", URITemplate: "/login", Summary: "Sign in", Handler: nameBody(operation.HandleAfter(s.checkLogin, withoutResult(s.login)), s.name),
				Access: access.Public, Anonymous: true, MaxBodyBytes: maxBody, ResponseHeader: cookie,
			},
			operation.Post{
				Name: "logout", URITemplate: "/logout", Summary: "Sign out", Handler: operation.Handle(withoutResult(s.logout)),
				Access: access.Public, Anonymous: true, ResponseHeader: cookie,
			},
			operation.Post{
				Name: "password", URITemplate: "/password", Summary: "Change your password",
				Handler: operation.HandleAfter(s.checkChange, withoutResult(s.change)),
				Access:  signedIn, MaxBodyBytes: maxBody, ResponseHeader: cookie,
			},
		},
	}
}

// checkLogin checks the password, before the transaction because that takes long.
func (s *Sessions[U]) checkLogin(ctx context.Context, _ *operation.Request, in *credentials) error {
	user, err := s.config.Accounts.Verify(ctx, in.Name, in.Password)
	if errors.Is(err, access.ErrCredentials) {
		err = operation.Error{Status: http.StatusUnauthorized, Detail: "Wrong " + s.name.Name + " or password."}
	}
	if err == nil {
		in.Session, err = s.of(user)
	}
	return err
}

// login starts a session, which replaces that of the request. It also deletes some that have expired, so that they do not
// accumulate.
func (s *Sessions[U]) login(ctx context.Context, in credentials) error {
	expired := []store.Condition{store.Lt("expires", time.Now())}
	if err := s.end(ctx, store.Query{Where: expired, Order: []store.Order{{Field: "expires"}}, Limit: 100}); err != nil {
		return err
	}
	if _, err := s.endOf(ctx); err != nil {
		return err
	}
	return s.startHere(ctx, in.Session)
}

// logout ends the session of the request, if it has one.
func (s *Sessions[U]) logout(ctx context.Context, _ struct{}) error {
	_, err := s.endOf(ctx)
	s.setCookie(ctx, "", -time.Second)
	return err
}

// checkChange checks the current password and hashes the new one, before the transaction because that takes long.
func (s *Sessions[U]) checkChange(ctx context.Context, _ *operation.Request, in *PasswordChange) error {
	caller, _ := operation.PrincipalAs[*U](ctx)
	user, err := s.config.Accounts.Verify(ctx, s.name.Value(reflect.ValueOf(caller).Elem()).String(), in.Current)
	if errors.Is(err, access.ErrCredentials) {
		err = validation.Fail("current", "current is not your password")
	}
	if err != nil {
		return err
	}
	changed := *user
	*s.config.Accounts.Password(&changed) = in.New
	err = s.config.Accounts.Hash(ctx, &operation.Request{Previous: user}, &changed)
	in.previous, in.hash = *s.config.Accounts.Password(user), *s.config.Accounts.Password(&changed)
	return err
}

// change stores the new password, and ends all sessions of the user. If the request has a session, a new one replaces it.
func (s *Sessions[U]) change(ctx context.Context, in PasswordChange) error {
	user, _ := operation.PrincipalAs[*U](ctx)
	var changed *U
	err := store.Update(ctx, s.config.Accounts.Store, s.key.Of(user), func(stored *U) error {
		changed = stored
		password := s.config.Accounts.Password(stored)
		if passwords.Identity(*password) != passwords.Identity(in.previous) { // another change was faster
			return store.ErrConflict
		}
		*password = in.hash
		return nil
	})
	if err != nil {
		return err
	}
	had, err := s.endOf(ctx)
	if err == nil {
		err = s.End(ctx, user)
	}
	if err != nil || !had {
		return err
	}
	session, err := s.of(changed)
	if err == nil {
		err = s.startHere(ctx, session)
	}
	return err
}

// withoutResult makes a function of a handler that has no record and returns nothing.
func withoutResult[In any](do func(context.Context, In) error) func(context.Context, *Session, In) (struct{}, error) {
	return func(ctx context.Context, _ *Session, in In) (struct{}, error) { return struct{}{}, do(ctx, in) }
}

// startHere starts a session and sends its cookie.
func (s *Sessions[U]) startHere(ctx context.Context, session Session) error {
	secret := rand.Text()
	session.Secret = digest(secret)
	s.setCookie(ctx, secret, s.config.Lifetime)
	return store.Insert(ctx, s.config.Sessions, &session)
}

// endOf ends the sessions of the request's cookies, and reports whether there were any.
func (s *Sessions[U]) endOf(ctx context.Context) (had bool, err error) {
	req, _ := operation.RequestFrom(ctx)
	if req.HTTP() == nil {
		return false, nil
	}
	cookies := req.HTTP().CookiesNamed(s.config.Cookie)
	for _, cookie := range cookies[:min(len(cookies), maxCookies)] {
		session, err := store.Find(ctx, s.config.Sessions, "secret", digest(cookie.Value))
		if err == nil {
			had = true
			err = store.Delete(ctx, s.config.Sessions, session.ID)
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return had, err
		}
	}
	return had, nil
}

// setCookie sets the cookie in the response.
func (s *Sessions[U]) setCookie(ctx context.Context, secret string, lasts time.Duration) {
	req, _ := operation.RequestFrom(ctx)
	if req.HTTP() == nil {
		return
	}
	cookie := http.Cookie{ //nolint:gosec // Secure unless the config says otherwise
		Name: s.config.Cookie, Value: secret, Path: "/", MaxAge: int(lasts.Seconds()),
		HttpOnly: true, Secure: !s.config.Insecure, SameSite: http.SameSiteLaxMode,
	}
	req.ResponseHeader.Set("Set-Cookie", cookie.String())
}
