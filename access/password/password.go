// Package password hashes passwords with Argon2id (RFC 9106), so that a stolen database does not reveal them.
//
//	accounts := &password.Accounts[User]{Store: users, Name: "email", Password: func(u *User) *string { return &u.Password }}
//
// Accounts lets users sign in with a name and a password. It uses a Hasher, which you can also use alone:
//
//	var passwords password.Hasher
//
//	u.Password, err = passwords.Hash(ctx, u.Password)             // when a user sets a password
//	ok, err := passwords.Matches(ctx, login.Password, u.Password) // when a user signs in
//
// Both are slow by design. Call them outside of transactions, which block other requests. Call Hash in the
// BeforeTransaction of a resource, and Matches in an authenticate function. Both can be called in the first function of
// an operation.HandleAfter.
//
// Do not use this package for random secrets that a program generates, such as tokens of 128 bits: store their SHA-256.
package password

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"slices"
	"sync"

	"golang.org/x/crypto/argon2"

	"github.com/trove-api/trove/internal/passwords"
)

// The default costs: the minimum of the OWASP Password Storage Cheat Sheet. Eight concurrent hashes take 152 MiB.
const (
	memory     = 19 << 10
	passes     = 2
	concurrent = 8
)

// maxKnown is the maximum number of costs that failures compute. It is high enough for costs that were changed now and then.
const maxKnown = 8

// ErrHash reports a string that is not an Argon2id hash, or whose costs exceed 1 GiB, 64 passes or 64 threads. A wrong
// password is not an error.
var ErrHash = errors.New("access/password: invalid hash; allowed: an Argon2id hash of at most 1 GiB, 64 passes and 64 threads")

// Hasher hashes passwords and compares passwords with hashes. The zero value has the costs that OWASP recommends. Each
// hash contains its costs, so you can raise them at any restart. [Accounts] then hashes a password again when its user signs
// in. In tests, use &Hasher{Memory: 8, Passes: 1}, which is fast.
//
// A Hasher is safe for concurrent use. Do not copy it or change its fields after the first use.
type Hasher struct {
	// Memory is the memory of one hash in KiB. Default: 19 MiB.
	Memory uint32
	// Passes is the number of iterations over the memory. Default: 2.
	Passes uint32
	// Concurrent is the maximum number of hashes computed at the same time, which limits memory. Other calls wait.
	// Default, also for a negative value: 8.
	Concurrent int

	once    sync.Once
	places  chan struct{}
	mu      sync.Mutex
	known   []passwords.Costs     // of all hashes so far; each failure computes one hash of each
	observe func(passwords.Costs) // in tests, sees each computation
}

// Hash returns the hash of a password in the PHC format, which contains a random salt and the costs:
// $argon2id$v=19$m=19456,t=2,p=1$…$…. The password can contain any bytes. Hash returns an error only if the context ends
// while it waits (see Concurrent).
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, passwords.SaltBytes)
	_, _ = rand.Read(salt) // never fails
	return h.hash(ctx, password, salt)
}

// hash returns the hash of a password with a salt and the costs of the hasher.
func (h *Hasher) hash(ctx context.Context, password string, salt []byte) (string, error) {
	kept := passwords.Hash{Costs: h.costs(), Salt: salt}
	sum, err := h.sum(ctx, password, kept, passwords.SumBytes)
	if err != nil {
		return "", err
	}
	kept.Sum = sum
	return kept.String(), nil
}

// costs returns the costs of new hashes.
func (h *Hasher) costs() passwords.Costs {
	return passwords.Costs{Memory: cmp.Or(h.Memory, memory), Passes: cmp.Or(h.Passes, passes), Threads: 1}
}

// Matches reports whether a hash is that of a password. If the hash is "", it returns false. Call it with "" for an
// unknown user, so that the response time does not reveal which users exist: whenever Matches returns false, it has
// computed one hash with the current costs, and one with each of up to seven other costs that it has seen. After a restart,
// it learns other costs from the first of their hashes, so that one failure takes less time for an unknown user. It returns
// [ErrHash] for an invalid hash, and an error if the context ends while it waits.
func (h *Hasher) Matches(ctx context.Context, password, hashed string) (bool, error) {
	kept := passwords.Hash{Costs: h.costs(), Salt: make([]byte, passwords.SaltBytes), Sum: make([]byte, passwords.SumBytes)}
	if hashed != "" {
		var ok bool
		if kept, ok = passwords.Parse(hashed); !ok {
			return false, ErrHash
		}
	}
	known := h.addCosts(kept.Costs)
	sum, err := h.sum(ctx, password, kept, len(kept.Sum))
	if err != nil || hashed != "" && subtle.ConstantTimeCompare(sum, kept.Sum) == 1 {
		return err == nil, err
	}
	// The password is wrong. A client that leaves now must not prevent that its guess counts.
	ctx = context.WithoutCancel(ctx)
	for _, costs := range known {
		if costs != kept.Costs {
			if _, err := h.sum(ctx, password, passwords.Hash{Costs: costs, Salt: kept.Salt}, len(kept.Sum)); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// addCosts adds costs to those that are known, and returns all of them.
func (h *Hasher) addCosts(costs passwords.Costs) []passwords.Costs {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, each := range []passwords.Costs{h.costs(), costs} {
		if len(h.known) < maxKnown && !slices.Contains(h.known, each) {
			h.known = append(h.known, each)
		}
	}
	return h.known
}

// sum computes the hash, once fewer than Concurrent calls do so.
func (h *Hasher) sum(ctx context.Context, password string, of passwords.Hash, length int) ([]byte, error) {
	h.once.Do(func() { h.places = make(chan struct{}, cmp.Or(max(h.Concurrent, 0), concurrent)) })
	select {
	case h.places <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-h.places }()
	if h.observe != nil {
		h.observe(of.Costs)
	}
	return argon2.IDKey([]byte(password), of.Salt, of.Passes, of.Memory, of.Threads, uint32(length)), nil //nolint:gosec // at most 64
}
