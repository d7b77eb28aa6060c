package password_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/store/memory"
)

// from sends a GET for the first user from an IP address, with pairs of header fields.
func (s service) from(address, user, secret string, fields ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, "/api/users/1", http.NoBody)
	r.RemoteAddr = address
	r.SetBasicAuth(user, secret)
	for i := 0; i < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	w := httptest.NewRecorder()
	s.api.ServeHTTP(w, r)
	return w
}

// is sends such a request and checks the status.
func (s service) is(want int, address, user, secret string, fields ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	w := s.from(address, user, secret, fields...)
	if w.Code != want {
		s.t.Fatalf("%s with %q from %s returns %d, want %d: %s", user, secret, address, w.Code, want, w.Body)
	}
	return w
}

// withAnn runs a test on a service with the user Ann. Time passes only as the test sleeps.
func withAnn(t *testing.T, test func(s service, hashes *atomic.Uint64)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		hasher := cheap()
		done := work(hasher)
		s := newService(t, hasher, memory.New[User]())
		s.send("", "", "POST /api/users", `{"name": "Ann", "password": "correct horse"}`)
		test(s, done)
	})
}

func TestAClientThatFailsTooOftenHasToWait(t *testing.T) {
	t.Parallel()
	withAnn(t, func(s service, hashes *atomic.Uint64) {
		for range 10 {
			s.is(401, "192.0.2.1:1", "Ann", "wrong horse")
		}
		before := hashes.Load()
		for _, secret := range []string{"wrong horse", "correct horse"} {
			w := s.is(429, "192.0.2.1:2", "Ann", secret)
			if got := w.Header().Get("Retry-After"); got != "300" || w.Header().Get("Content-Type") != "application/problem+json" || strings.Contains(w.Body.String(), "Ann") {
				s.t.Errorf("the response has Retry-After %q: %s", got, w.Body)
			}
		}
		if hashes.Load() != before {
			s.t.Error("a rejected guess is hashed")
		}
		s.is(200, "192.0.2.2:1", "Ann", "correct horse")
		s.is(429, "192.0.2.1:1", "Ann", "correct horse") // also after a success of another client
		time.Sleep(5 * time.Minute)
		s.is(401, "192.0.2.1:1", "Ann", "wrong horse")
		s.is(429, "192.0.2.1:1", "Ann", "correct horse")
		time.Sleep(5 * time.Minute)
		s.is(200, "192.0.2.1:1", "Ann", "correct horse")
	})
}

func TestCorrectPasswordsAreNotLimited(t *testing.T) {
	t.Parallel()
	withAnn(t, func(s service, hashes *atomic.Uint64) {
		var running sync.WaitGroup
		before := hashes.Load()
		for range 50 {
			running.Go(func() {
				if w := s.from("192.0.2.1:1", "Ann", "correct horse"); w.Code != http.StatusOK {
					s.t.Errorf("a request among many returns %d", w.Code)
				}
			})
		}
		running.Wait()
		if got := hashes.Load() - before; got != 8 {
			s.t.Errorf("50 requests at once take the work %d, want that of one hash", got)
		}
		for range 200 {
			s.is(200, "192.0.2.1:1", "Ann", "correct horse")
		}
	})
}

func TestGuessesAtOnceDoNotExceedTheLimit(t *testing.T) {
	t.Parallel()
	withAnn(t, func(s service, _ *atomic.Uint64) {
		var running sync.WaitGroup
		var failed, limited atomic.Int64
		for i := range 50 {
			running.Go(func() {
				switch s.from("192.0.2.1:1", "Ann", "wrong "+strconv.Itoa(i)).Code {
				case http.StatusUnauthorized:
					failed.Add(1)
				case http.StatusTooManyRequests:
					limited.Add(1)
				}
			})
		}
		running.Wait()
		if failed.Load() != 10 || limited.Load() != 40 {
			s.t.Errorf("%d guesses are checked and %d limited", failed.Load(), limited.Load())
		}
	})
}

func TestGuessesOfManyNamesAtOnceDoNotExceedTheLimit(t *testing.T) {
	t.Parallel()
	withAnn(t, func(s service, _ *atomic.Uint64) {
		var running sync.WaitGroup
		var failed, limited atomic.Int64
		for i := range 500 {
			running.Go(func() {
				switch s.from("192.0.2.1:1", "user"+strconv.Itoa(i), "wrong horse").Code {
				case http.StatusUnauthorized:
					failed.Add(1)
				case http.StatusTooManyRequests:
					limited.Add(1)
				}
			})
		}
		running.Wait()
		if failed.Load() != 100 || limited.Load() != 400 {
			s.t.Errorf("%d guesses are checked and %d limited", failed.Load(), limited.Load())
		}
	})
}

func TestCorrectPasswordsDoNotCount(t *testing.T) {
	t.Parallel()
	withAnn(t, func(s service, _ *atomic.Uint64) {
		const users = 150 // more than the failures that a client may have
		for i := range users {
			if got := s.send("", "", "POST /api/users", `{"name": "user`+strconv.Itoa(i)+`", "password": "correct horse"}`); got != http.StatusCreated {
				s.t.Fatalf("registering returns %d", got)
			}
		}
		for range 30 {
			s.is(401, "192.0.2.1:1", rand.Text(), "wrong horse")
		}
		var running sync.WaitGroup
		for i := range users {
			running.Go(func() {
				if _, err := s.accounts.Verify(s.t.Context(), "user"+strconv.Itoa(i), "correct horse"); err != nil {
					s.t.Errorf("user %d does not sign in: %v", i, err)
				}
				if got := s.from("192.0.2.1:1", "user"+strconv.Itoa(i), "correct horse").Code; got == http.StatusTooManyRequests {
					s.t.Errorf("user %d gets %d", i, got)
				}
			})
		}
		running.Wait()
		for range 70 {
			s.is(401, "192.0.2.1:1", rand.Text(), "wrong horse")
		}
		s.is(429, "192.0.2.1:1", "Ann", "correct horse")
	})
}

func TestManyClientsCannotLockTheOwnerOut(t *testing.T) {
	t.Parallel()
	withAnn(t, func(s service, _ *atomic.Uint64) {
		guess := func(client int) int {
			return s.from(fmt.Sprintf("198.51.%d.%d:1", client/250, client%250), "Ann", "wrong horse").Code
		}
		for i := range 100 {
			if got := guess(i); got != http.StatusUnauthorized {
				s.t.Fatalf("client %d gets %d", i, got)
			}
		}
		checked := 0
		for i := range 1000 { // 100 more clients, ten guesses of each
			if guess(100+i%100) == http.StatusUnauthorized {
				checked++
			}
			s.is(200, fmt.Sprintf("192.0.2.%d:1", i%250), "Ann", "correct horse")
		}
		if checked != 200 {
			s.t.Errorf("%d guesses are checked, want two of each client", checked)
		}
	})
}

func TestAClientWithManyNamesHasToWait(t *testing.T) {
	t.Parallel()
	withAnn(t, func(s service, hashes *atomic.Uint64) {
		for i := range 100 {
			s.is(401, "192.0.2.1:1", "user"+strconv.Itoa(i), "wrong horse")
		}
		before := hashes.Load()
		if got := s.is(429, "192.0.2.1:1", "one more", "wrong horse").Header().Get("Retry-After"); got != "10" || hashes.Load() != before {
			s.t.Errorf("Retry-After is %q, and %d is hashed", got, hashes.Load()-before)
		}
		s.is(401, "192.0.2.2:1", "one more", "wrong horse")
		time.Sleep(10 * time.Second)
		s.is(401, "192.0.2.1:1", "one more", "wrong horse")
	})
}

func TestWhatCountsAsOneClient(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		one, other string
		fields     []string
		want       int
	}{
		"two ports":               {"192.0.2.1:1", "192.0.2.1:2", nil, 429},
		"two addresses":           {"192.0.2.1:1", "192.0.2.2:1", nil, 200},
		"one as IPv6":             {"192.0.2.1:1", "[::ffff:192.0.2.1]:1", nil, 429},
		"one network of IPv6":     {"[2001:db8::1]:1", "[2001:db8::2]:1", nil, 429},
		"two networks of IPv6":    {"[2001:db8::1]:1", "[2001:db8:0:1::1]:1", nil, 200},
		"two zones":               {"[fe80::1%a]:1", "[fe80::1%b]:1", nil, 429},
		"a socket":                {"@", "@", nil, 429},
		"a header of the client":  {"192.0.2.1:1", "192.0.2.1:1", []string{"X-Forwarded-For", "192.0.2.9", "X-Real-Ip", "192.0.2.9", "Forwarded", "for=192.0.2.9"}, 429},
		"a header that is chosen": {"192.0.2.1:1", "192.0.2.1:1", []string{"X-Chosen", "192.0.2.9"}, 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			withAnn(t, func(s service, _ *atomic.Uint64) {
				if name == "a header that is chosen" {
					s.accounts.Client = func(r *http.Request) string { return r.Header.Get("X-Chosen") }
				}
				for range 10 {
					s.is(401, test.one, "Ann", "wrong horse")
				}
				s.is(test.want, test.other, "Ann", "correct horse", test.fields...)
			})
		})
	}
}

func TestHostileClientsCannotFillTheMemory(t *testing.T) {
	t.Parallel()
	failed, most := password.Fill(100_000)
	if most > password.Entries {
		t.Errorf("there are %d entries, more than %d", most, password.Entries)
	}
	if failed <= 0 {
		t.Error("a client that has failed too often is forgotten for those that have failed once")
	}
}
