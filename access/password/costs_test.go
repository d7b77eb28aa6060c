package password_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// work counts the work of a hasher, in KiB of memory times passes.
func work(h *password.Hasher) *atomic.Uint64 {
	var done atomic.Uint64
	h.Observe(func(memory, passes uint32) { done.Add(uint64(memory) * uint64(passes)) })
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

func TestEachFailureTakesTheSameWork(t *testing.T) {
	t.Parallel()
	for name, costs := range map[string][2]*password.Hasher{
		"equal costs":         {{Memory: 64, Passes: 2}, {Memory: 64, Passes: 2}},
		"more memory":         {{Memory: 64, Passes: 2}, {Memory: 200, Passes: 3}},
		"more passes":         {{Memory: 64, Passes: 1}, {Memory: 64, Passes: 5}},
		"odd costs":           {{Memory: 72, Passes: 3}, {Memory: 104, Passes: 7}},
		"less memory at once": {{Memory: 640, Passes: 1}, {Memory: 64, Passes: 11}},
		"lower costs":         {{Memory: 128, Passes: 3}, {Memory: 64, Passes: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			users := register(t, costs[0], memory.New[User]())
			hasher := costs[1]
			done := work(hasher)
			s := newService(t, hasher, users)
			fail := func(user, secret string) uint64 {
				done.Store(0)
				if _, err := s.accounts.Verify(t.Context(), user, secret); err == nil {
					t.Errorf("%s signs in with %q", user, secret)
				}
				return done.Load()
			}
			known := fail("Ann", "wrong horse")
			if unknown, empty, again := fail("Eve", "wrong horse"), fail("Ann", ""), fail("Ann", "wrong horse"); known == 0 || unknown != known || empty != known || again != known {
				t.Errorf("a wrong password takes %d, an unknown name %d, an empty password %d, a wrong one again %d", known, unknown, empty, again)
			}
		})
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
