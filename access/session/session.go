package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/passwords"
	"github.com/trove-api/trove/store"
)

// Session is a stored sign-in. Create a table for it, such as sqlstore.Table[session.Session](db). No response has its
// fields.
type Session struct {
	// ID identifies the session. The store generates it.
	ID int64 `json:"id"`
	// Secret is the SHA-256 of the secret in the cookie.
	Secret string `json:"secret" api:"hidden,unique"`
	// User is the identifier of the user, as in a path.
	User string `json:"user" api:"hidden,index"`
	// Password is the SHA-256 of what identifies the user's stored password at the sign-in: its salt.
	Password string `json:"password" api:"hidden"`
	// Expires is when the session ends.
	Expires time.Time `json:"expires" api:"hidden,index"`
}

// Config configures the sessions of users of type U. Accounts is required.
type Config[U any] struct {
	// Accounts are the users and their passwords. Set its Hash as the BeforeTransaction of the users' resource.
	Accounts *password.Accounts[U]
	// Sessions is the store of the sessions. Default: a store in memory, whose sessions end with the program.
	Sessions store.Store[Session]
	// Lifetime is how long a session lasts from the sign-in. Default: 14 days. A negative value means the default.
	Lifetime time.Duration
	// Cookie is the name of the cookie. Programs on one host share their cookies, even if their ports differ, so give each
	// its own name. Unless Insecure is set, it gets the prefix "__Host-". Default: "session".
	Cookie string
	// Insecure lets browsers send the cookie without TLS. Set it only if people reach the service over plain HTTP under
	// another name than localhost, such as that of a machine in a home network. Then pages of sibling domains can set the cookie,
	// and so sign visitors in as another user. By default the cookie is Secure and has the prefix "__Host-", which browsers
	// accept only from the host itself and over TLS. Chromium, Firefox and curl accept it from http://localhost too.
	// Default: false.
	Insecure bool
}

// Sessions signs users in and out. Create it with [New]. It is safe for concurrent use.
type Sessions[U any] struct {
	config Config[U]
	key    model.Identifier // of users
	name   *model.Field     // what users sign in with
}

// Scheme returns the scheme of the session cookie, with the name "session". Its principal is a *U, the user as stored.
// A session grants every scope.
func (s *Sessions[U]) Scheme() access.Scheme {
	return access.Cookie("session", s.config.Cookie, s.authenticate)
}

// End ends all sessions of a user, for example after a change of their permissions. If the context carries a
// transaction of the store of sessions, End joins it.
func (s *Sessions[U]) End(ctx context.Context, user *U) error {
	key, err := s.keyOf(user)
	if err != nil {
		return err
	}
	return s.end(ctx, store.Query{Where: []store.Condition{store.Eq("user", key)}})
}

// authenticate returns the user of a cookie.
func (s *Sessions[U]) authenticate(ctx context.Context, secret string) (*U, access.Scopes, error) {
	session, err := store.Find(ctx, s.config.Sessions, "secret", digest(secret))
	if err == nil && !time.Now().Before(session.Expires) {
		err = store.ErrNotFound
	}
	var user *U
	if err == nil {
		user, err = s.userOf(ctx, session)
	}
	if errors.Is(err, store.ErrNotFound) {
		err = access.ErrCredentials
	}
	return user, access.Unlimited, err
}

// userOf returns the user of a session, or store.ErrNotFound if the user or their password is not that of the sign-in.
func (s *Sessions[U]) userOf(ctx context.Context, session *Session) (*U, error) {
	id, ok := s.key.Parse(session.User)
	if !ok {
		return nil, store.ErrNotFound
	}
	user, err := s.config.Accounts.Store.Get(ctx, id)
	if err == nil && s.fingerprint(user) != session.Password {
		return nil, store.ErrNotFound
	}
	return user, err
}

// of returns a session of a user, without its secret.
func (s *Sessions[U]) of(user *U) (session Session, err error) {
	session = Session{Password: s.fingerprint(user), Expires: time.Now().Add(s.config.Lifetime)}
	session.User, err = s.keyOf(user)
	return session, err
}

// end deletes the sessions that match a query.
func (s *Sessions[U]) end(ctx context.Context, query store.Query) error {
	page, err := s.config.Sessions.List(ctx, query)
	if err != nil || len(page.Items) == 0 {
		return err
	}
	ids := make([]any, 0, len(page.Items))
	for _, each := range page.Items {
		ids = append(ids, each.ID)
	}
	return store.Delete(ctx, s.config.Sessions, ids...)
}

// fingerprint returns what a session stores of the user's password. It is never compared with what a client sends.
// It stays the same when the password is hashed again with other costs.
func (s *Sessions[U]) fingerprint(user *U) string {
	return digest(passwords.Identity(*s.config.Accounts.Password(user)))
}

// keyOf returns the identifier of a user as sessions store it.
func (s *Sessions[U]) keyOf(user *U) (string, error) { return s.key.Text(s.key.Of(user)) }

// digest returns the stored form of a secret. A secret is too long to guess, so the hash need not be slow.
func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
