package password_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/internal/passwords"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// work counts the work of a hasher, in KiB of memory times passes.
func work(h *password.Hasher) *atomic.Uint64 {
	var done atomic.Uint64
	h.Observe(func(costs passwords.Costs) { done.Add(costs.Work()) })
	return &done
}

// register returns a store with Ann, whose password is hashed with the costs of a hasher.
func register(t *testing.T, hasher *password.Hasher, users store.Store[User]) store.Store[User] {
	t.Helper()
	if got := newService(t, hasher, users).send("", "", "POST /api/users", `{"name": "Ann", "password": "correct horse"}`); got != http.StatusCreated {
		t.Fatalf("registering returns %d", got)
	}
	return users
}

func TestEachFailureComputesTheSameHashes(t *testing.T) {
	t.Parallel()
	const ofOthers = "$argon2id$v=19$m=64,t=2,p=4$c29tZXNhbHQ$1cp+rkzm4iaaLdA2LKOSe0ncDQ6LNEz6256dSZ/VQJ4" // with four threads
	for name, test := range map[string]struct {
		now, old *password.Hasher
		want     int // hashes with different costs
	}{
		"equal costs":         {&password.Hasher{Memory: 64, Passes: 2}, &password.Hasher{Memory: 64, Passes: 2}, 2},
		"more memory":         {&password.Hasher{Memory: 200, Passes: 2}, &password.Hasher{Memory: 64, Passes: 2}, 3},
		"more passes":         {&password.Hasher{Memory: 64, Passes: 5}, &password.Hasher{Memory: 64, Passes: 1}, 3},
		"odd costs":           {&password.Hasher{Memory: 104, Passes: 7}, &password.Hasher{Memory: 72, Passes: 3}, 3},
		"less memory at once": {&password.Hasher{Memory: 64, Passes: 11}, &password.Hasher{Memory: 640, Passes: 1}, 3},
		"lower costs":         {&password.Hasher{Memory: 64, Passes: 1}, &password.Hasher{Memory: 128, Passes: 3}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			users := memory.New[User]()
			hashed := func(hasher *password.Hasher) string {
				hash, err := hasher.Hash(t.Context(), "correct horse")
				if err != nil {
					t.Fatal(err)
				}
				return hash
			}
			for user, hash := range map[string]string{"new": hashed(test.now), "old": hashed(test.old), "other": ofOthers, "none": ""} {
				if err := store.Insert(t.Context(), users, &User{Name: user, Password: hash}); err != nil {
					t.Fatal(err)
				}
			}
			var done []string
			test.now.Observe(func(costs passwords.Costs) { done = append(done, fmt.Sprint(costs)) })
			s := newService(t, test.now, users)
			fail := func(user, secret string) string {
				done = nil
				if _, err := s.accounts.Verify(t.Context(), user, secret); !errors.Is(err, access.ErrCredentials) {
					t.Errorf("%s with %q: %v", user, secret, err)
				}
				slices.Sort(done)
				return strings.Join(done, " ")
			}
			fail("old", "wrong horse") // the service learns the costs of the first hashes
			want := fail("other", "wrong horse")
			for _, user := range []string{"new", "old", "other", "none", "unknown"} {
				for _, secret := range []string{"wrong horse", ""} {
					if got := fail(user, secret); got != want || len(done) != test.want {
						t.Errorf("%s with %q computes %s, want %s, which are %d", user, secret, got, want, test.want)
					}
				}
			}
		})
	}
}

func TestManyCostsDoNotMakeFailuresSlowForever(t *testing.T) {
	t.Parallel()
	hasher := cheap()
	hashes := 0
	hasher.Observe(func(passwords.Costs) { hashes++ })
	for memory := uint32(8); memory < 200; memory += 8 {
		hash, err := (&password.Hasher{Memory: memory, Passes: 1}).Hash(t.Context(), "correct horse")
		if err != nil {
			t.Fatal(err)
		}
		hashes = 0
		if ok, err := hasher.Matches(t.Context(), "wrong horse", hash); ok || err != nil || hashes > 9 {
			t.Errorf("a wrong password computes %d hashes: %v, %v", hashes, ok, err)
		}
	}
}

func TestAWrongPasswordIsRejectedAfterTheClientHasLeft(t *testing.T) {
	t.Parallel()
	old, err := cheap().Hash(t.Context(), "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	hasher := &password.Hasher{Memory: 64, Passes: 1}
	ctx, cancel := context.WithCancel(t.Context())
	hashes := 0
	hasher.Observe(func(passwords.Costs) { hashes++; cancel() }) // as soon as the password is compared
	if ok, err := hasher.Matches(ctx, "wrong horse", old); ok || err != nil || hashes != 2 {
		t.Errorf("it computes %d hashes: %v, %v; such guesses would not count", hashes, ok, err)
	}
}

func TestASignInStoresAHashWithTheCurrentCosts(t *testing.T) {
	t.Parallel()
	for name, users := range spec.Stores[User](t) {
		t.Run(name, func(t *testing.T) {
			s := newService(t, &password.Hasher{Memory: 64, Passes: 3}, register(t, cheap(), users))
			before := s.stored()
			if got := s.send("Ann", "wrong horse", "GET /api/users/1", ""); got != http.StatusUnauthorized || s.stored() != before {
				t.Fatalf("a wrong password returns %d and stores %s", got, s.stored())
			}
			for range 2 {
				if got := s.send("Ann", "correct horse", "GET /api/users/1", ""); got != http.StatusOK || !strings.Contains(s.stored(), "$m=64,t=3,p=1$") {
					t.Fatalf("signing in returns %d, and the hash is %s", got, s.stored())
				}
			}
			// The costs do not fall again.
			weak := newService(t, cheap(), users)
			if got := weak.send("Ann", "correct horse", "GET /api/users/1", ""); got != http.StatusOK || !strings.Contains(s.stored(), "$m=64,t=3,p=1$") {
				t.Errorf("with lower costs, signing in returns %d, and the hash is %s", got, s.stored())
			}
		})
	}
}

// overtaken is a store whose user gets another password when a transaction begins.
type overtaken struct {
	store.Store[User]

	hash string
}

func (o *overtaken) Transact(ctx context.Context, fn func(context.Context, store.Tx[User]) error) error {
	return o.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[User]) error {
		user, err := tx.Get(ctx, int64(1))
		if err == nil {
			user.Password = o.hash
			err = tx.Update(ctx, int64(1), user)
		}
		if err != nil {
			return err
		}
		return fn(ctx, tx)
	})
}

func TestABetterHashDoesNotUndoAChangeOfThePassword(t *testing.T) {
	t.Parallel()
	changed, err := cheap().Hash(t.Context(), "battery staple")
	if err != nil {
		t.Fatal(err)
	}
	users := &overtaken{register(t, cheap(), memory.New[User]()), changed}
	s := newService(t, &password.Hasher{Memory: 64, Passes: 3}, users)
	if user, err := s.accounts.Verify(t.Context(), "Ann", "correct horse"); err != nil || user.ID != 1 {
		t.Errorf("signing in returns %v, %v", user, err)
	}
	if s.stored() != changed {
		t.Errorf("the hash is %s, want that of the new password", s.stored())
	}
}
