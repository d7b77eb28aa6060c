// Package password keeps passwords as hashes of Argon2id (RFC 9106), which are slow to guess.
//
//	var passwords password.Hasher
//
//	u.Password, err = passwords.Hash(ctx, u.Password)             // when one is set
//	ok, err := passwords.Matches(ctx, login.Password, u.Password) // when somebody signs in
//
// Both are slow, so call them outside of transactions, which other requests wait for: Hash in the BeforeTransaction
// of a resource, and either of them in an authenticate function or the first function of an
// operation.HandleAfter.
//
// It is a package of its own so that programs without passwords do not link Argon2id. Secrets that a
// program makes itself, such as tokens of 128 random bits, need no slow hash: keep their SHA-256.
package password

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"sync"

	"golang.org/x/crypto/argon2"
)

// What a hash costs where the program does not say: the least that the OWASP Password Storage Cheat
// Sheet recommends. The work of eight is 152 MiB.
const (
	memory     = 19 << 10
	passes     = 2
	concurrent = 8
)

const (
	saltBytes = 16
	sumBytes  = 32
)

// ErrHash is the error of a text that is no hash of Argon2id, or one that asks for more than 1 GiB, 64 passes or
// 64 threads. A wrong password is no error.
var ErrHash = errors.New("access/password: this is no hash of Argon2id that can be checked")

// Hasher hashes passwords and compares them with hashes. The zero value has the costs that OWASP
// recommends. They may be raised whenever a program starts, for each hash says its own. A Hasher is safe for use by
// many goroutines, is not copied once it is used, and its fields are not changed then. Tests are fast with
// &Hasher{Memory: 8, Passes: 1}.
type Hasher struct {
	// Memory is what one hash takes, in KiB. Default: 19 MiB.
	Memory uint32
	// Passes are how often that is gone over. Default: 2.
	Passes uint32
	// Concurrent is how many hashes are made at once; others wait, so that many who sign in at
	// the same time take no more memory than so many. Default: 8.
	Concurrent int

	once   sync.Once
	places chan struct{}
}

// Hash returns the hash of a password, with a salt and its costs in it, in the PHC format:
// $argon2id$v=19$m=19456,t=2,p=1$…$…. It takes a password as it is, whatever its bytes are. Its only error is that of
// a context that has ended before there was a place.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	kept := hash{memory: or(h.Memory, memory), passes: or(h.Passes, passes), threads: 1, salt: make([]byte, saltBytes)}
	_, _ = rand.Read(kept.salt) // never fails
	sum, err := h.sum(ctx, password, kept, sumBytes)
	if err != nil {
		return "", err
	}
	kept.sum = sum
	return kept.String(), nil
}

// Matches reports whether a hash is that of a password. With "" for the hash it reports false and takes as long as
// with one that [Hasher.Hash] makes: ask it for an account that there is not, so that nobody learns that there is none. Its errors are
// [ErrHash], and that of a context that has ended before there was a place.
func (h *Hasher) Matches(ctx context.Context, password, text string) (bool, error) {
	if text == "" {
		_, err := h.Hash(ctx, password)
		return false, err
	}
	kept, err := parse(text)
	if err != nil {
		return false, err
	}
	sum, err := h.sum(ctx, password, kept, len(kept.sum))
	return err == nil && subtle.ConstantTimeCompare(sum, kept.sum) == 1, err
}

// sum does the work, when there is a place for it.
func (h *Hasher) sum(ctx context.Context, password string, of hash, length int) ([]byte, error) {
	h.once.Do(func() { h.places = make(chan struct{}, or(max(h.Concurrent, 0), concurrent)) })
	select {
	case h.places <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-h.places }()
	return argon2.IDKey([]byte(password), of.salt, of.passes, of.memory, of.threads, uint32(length)), nil //nolint:gosec // at most maxBytes
}

// or returns a value, or what stands in for zero.
func or[N uint32 | int](value, otherwise N) N {
	if value == 0 {
		return otherwise
	}
	return value
}
