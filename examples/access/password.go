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

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// iterations is the cost of a guess (OWASP Password Storage Cheat Sheet). Each hash contains its own number, so it can
// be raised later.
const iterations = 600_000

// hashOf returns the hash of a password, which is stored instead of it.
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

// matches reports whether the hash belongs to the password.
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

// hashPassword replaces a new password with its hash.
func hashPassword(_ context.Context, req *operation.Request, u *User) error {
	if before, ok := req.Previous.(*User); ok && before.Password == u.Password {
		return nil
	}
	hash, err := hashOf(u.Password)
	u.Password = hash
	return err
}

// unknownHash makes an unknown name cost as much as a wrong password.
const unknownHash = "pbkdf2-sha256$600000$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// logIn returns the user with a name and password, without scopes.
func (s *service) logIn(ctx context.Context, name, password string) (*User, access.Scopes, error) {
	page, err := s.users.List(ctx, store.Query{
		Where: []store.Condition{{Fields: []string{"username"}, Operator: store.Equal, Values: []any{name}}}, Limit: 1,
	})
	if err != nil {
		return nil, nil, err
	}
	hash := unknownHash
	if len(page.Items) > 0 {
		hash = page.Items[0].Password
	}
	if !matches(password, hash) || len(page.Items) == 0 {
		return nil, nil, access.ErrCredentials
	}
	return page.Items[0], nil, nil
}
