package password_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/trove-api/trove/access/password"
)

// cheap makes tests fast.
func cheap() *password.Hasher { return &password.Hasher{Memory: 8, Passes: 1} }

func TestAHashIsOfOnePassword(t *testing.T) {
	t.Parallel()
	h := cheap()
	for _, secret := range []string{"correct horse", "", "\x00\xff", strings.Repeat("é", 300)} {
		kept, err := h.Hash(t.Context(), secret)
		if err != nil {
			t.Fatal(err)
		}
		if secret != "" && strings.Contains(kept, secret) {
			t.Errorf("the hash contains the password: %s", kept)
		}
		for tried, want := range map[string]bool{secret: true, secret + " ": false, "CORRECT HORSE": false} {
			if got, err := h.Matches(t.Context(), tried, kept); got != want || err != nil {
				t.Errorf("%q matches the hash of %q: %v, %v", tried, secret, got, err)
			}
		}
	}
}

func TestTwoHashesOfOnePasswordDiffer(t *testing.T) {
	t.Parallel()
	one, err := cheap().Hash(t.Context(), "same")
	two, again := cheap().Hash(t.Context(), "same")
	if err != nil || again != nil || one == two {
		t.Errorf("%s %v and %s %v", one, err, two, again)
	}
}

func TestTheZeroHasherHasTheCostsOfOWASP(t *testing.T) {
	t.Parallel()
	var h password.Hasher
	kept, err := h.Hash(t.Context(), "secret")
	if err != nil || !strings.HasPrefix(kept, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("%s, %v", kept, err)
	}
	// A hash contains its costs, so a hasher with other costs can check it.
	if ok, err := cheap().Matches(t.Context(), "secret", kept); !ok || err != nil {
		t.Errorf("matches: %v, %v", ok, err)
	}
}

// TestHashesOfOthers checks a hash of the reference implementation: echo -n password | argon2 somesalt -id -t 2 -k 64 -p 4 -e.
func TestHashesOfOthers(t *testing.T) {
	t.Parallel()
	const kept = "$argon2id$v=19$m=64,t=2,p=4$c29tZXNhbHQ$1cp+rkzm4iaaLdA2LKOSe0ncDQ6LNEz6256dSZ/VQJ4"
	if ok, err := cheap().Matches(t.Context(), "password", kept); !ok || err != nil {
		t.Errorf("matches: %v, %v", ok, err)
	}
}

func TestAnEmptyHashMatchesNothing(t *testing.T) {
	t.Parallel()
	if ok, err := cheap().Matches(t.Context(), "", ""); ok || err != nil {
		t.Errorf("matches: %v, %v", ok, err)
	}
}

func TestAnInvalidHashIsAnError(t *testing.T) {
	t.Parallel()
	const salt, sum = "c29tZXNhbHQ", "GpZ3sK/oH9p7VIiV56G/64Zo/8GaUw434IimaPqxwCo"
	for name, text := range map[string]string{
		"plain text":           "secret",
		"another function":     "$argon2i$v=19$m=8,t=1,p=1$" + salt + "$" + sum,
		"another version":      "$argon2id$v=16$m=8,t=1,p=1$" + salt + "$" + sum,
		"no costs":             "$argon2id$v=19$$" + salt + "$" + sum,
		"no passes":            "$argon2id$v=19$m=8,t=0,p=1$" + salt + "$" + sum,
		"no threads":           "$argon2id$v=19$m=8,t=1,p=0$" + salt + "$" + sum,
		"another parameter":    "$argon2id$v=19$m=8,t=1,p=1,x=2$" + salt + "$" + sum,
		"too much memory":      "$argon2id$v=19$m=4294967295,t=1,p=1$" + salt + "$" + sum,
		"too many passes":      "$argon2id$v=19$m=8,t=4294967295,p=1$" + salt + "$" + sum,
		"an invalid salt":      "$argon2id$v=19$m=8,t=1,p=1$!!$" + sum,
		"an invalid sum":       "$argon2id$v=19$m=8,t=1,p=1$" + salt + "$!!",
		"an empty sum":         "$argon2id$v=19$m=8,t=1,p=1$" + salt + "$",
		"a short sum":          "$argon2id$v=19$m=8,t=1,p=1$" + salt + "$AAAA",
		"what follows the sum": "$argon2id$v=19$m=8,t=1,p=1$" + salt + "$" + sum + "$more",
	} {
		if ok, err := cheap().Matches(t.Context(), "secret", text); ok || !errors.Is(err, password.ErrHash) {
			t.Errorf("%s: matches %v, %v", name, ok, err)
		}
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	h := &password.Hasher{Memory: 8, Passes: 1, Concurrent: 1}
	release := h.Occupy()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Hash(ctx, "secret"); !errors.Is(err, context.Canceled) {
		t.Errorf("hashing: %v", err)
	}
	if ok, err := h.Matches(ctx, "secret", ""); ok || !errors.Is(err, context.Canceled) {
		t.Errorf("matching: %v, %v", ok, err)
	}
	release()
	if _, err := h.Hash(t.Context(), "secret"); err != nil {
		t.Errorf("after the release: %v", err)
	}
}
