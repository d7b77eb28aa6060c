package main

import (
	"context"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// iterations are what a guess costs (OWASP Password Storage Cheat Sheet). A hash says its own,
// so that the number may grow.
const iterations = 600_000

// A password has so many characters. The struct says so for the document; but rules are checked
// after Prepare, and so of the hash.
const (
	minPassword = 12
	maxPassword = 200
)

// hashOf returns what is kept of a password.
func hashOf(password string) (string, error) {
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // never fails
	return hashWith(password, salt, iterations)
}

func hashWith(password string, salt []byte, n int) (string, error) {
	sum, err := pbkdf2.Key(sha256.New, password, salt, n, sha256.Size)
	if err != nil {
		return "", err
	}
	encoded := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("pbkdf2-sha256$%d$%s$%s", n, encoded(salt), encoded(sum)), nil
}

// matches reports whether a hash is that of a password.
func matches(password, hash string) bool {
	var n int
	parts := strings.Split(hash, "$")
	if len(parts) != 4 {
		return false
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[2])
	if _, scanned := fmt.Sscan(parts[1], &n); err != nil || scanned != nil {
		return false
	}
	again, err := hashWith(password, salt, n)
	return err == nil && subtle.ConstantTimeCompare([]byte(again), []byte(hash)) == 1
}

// hashPassword keeps the hash of a new password in place of it.
func hashPassword(_ context.Context, req *operation.Request, u *User) error {
	if before, ok := req.Previous.(*User); ok && before.Password == u.Password {
		return nil
	}
	if n := utf8.RuneCountInString(u.Password); n < minPassword || n > maxPassword {
		return validation.Fail("password", "password must have 12 to 200 characters")
	}
	hash, err := hashOf(u.Password)
	u.Password = hash
	return err
}

// nobodysHash makes an unknown name cost as much as a wrong password.
const nobodysHash = "pbkdf2-sha256$600000$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// logIn says whose a name and a password are. Who signs in with them has no scopes.
func (s *service) logIn(ctx context.Context, name, password string) (*User, access.Scopes, error) {
	page, err := s.users.List(ctx, store.Query{
		Where: []store.Condition{{Fields: []string{"username"}, Operator: store.Equal, Values: []any{name}}}, Limit: 1,
	})
	if err != nil {
		return nil, nil, err
	}
	hash := nobodysHash
	if len(page.Items) > 0 {
		hash = page.Items[0].Password
	}
	if !matches(password, hash) || len(page.Items) == 0 {
		return nil, nil, access.ErrCredentials
	}
	return page.Items[0], nil, nil
}
