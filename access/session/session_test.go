package session_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/access/session"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

func TestASessionLastsFromSignInToSignOut(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, s service) {
		ann := s.signIn(t, "ann", "correct horse")
		s.send(t, "PATCH /api/users/1", `{"username":"anna"}`, 200, "Cookie", ann)
		s.send(t, "PATCH /api/users/2", `{"username":"anna"}`, 403, "Cookie", ann)
		s.is(t, ann, 200)
		out := s.send(t, "POST /api/logout", "", 204, "Cookie", ann)
		if got := out.Header.Get("Set-Cookie"); !strings.Contains(got, "Max-Age=0") || !strings.HasPrefix(got, "session=;") {
			t.Errorf("the cookie is not deleted: %s", got)
		}
		s.is(t, ann, 401)
		s.send(t, "POST /api/logout", "", 204, "Cookie", ann)
		s.send(t, "POST /api/logout", "", 204)
	})
}

func TestWrongCredentialsAreAlike(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, s service) {
		want := text(t, s.send(t, "POST /api/login", credentials("ann", "wrong"), 401))
		for _, body := range []string{
			credentials("eve", "correct horse"), credentials("", ""), credentials("ann", ""), credentials("Ann", "correct horse"),
			credentials("eve", ""),
		} {
			response := s.send(t, "POST /api/login", body, 401)
			if got := text(t, response); got != want || response.Header.Get("Set-Cookie") != "" {
				t.Errorf("%s returns %s, want %s", body, got, want)
			}
		}
		for _, forged := range []string{"session=", "session=x", "session=" + strings.Repeat("x", 5000)} {
			s.is(t, forged, 401)
		}
	})
}

func TestTheStoreHasNoSecrets(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, s service) {
		_, secret, _ := strings.Cut(s.signIn(t, "ann", "correct horse"), "=")
		page, err := s.sessions.List(t.Context(), store.Query{})
		if err != nil || len(page.Items) != 1 {
			t.Fatalf("%d sessions, and the error %v", len(page.Items), err)
		}
		user, err := s.users.Get(t.Context(), int64(1))
		if err != nil || !strings.HasPrefix(user.Password, "$argon2id$") {
			t.Fatalf("the password is %v, and the error %v", user, err)
		}
		kept := page.Items[0]
		if len(secret) < 26 || kept.Secret == secret || kept.Password == user.Password || kept.User != "1" {
			t.Errorf("the session of %s is stored as %+v", secret, kept)
		}
		if left := time.Until(kept.Expires); left < 13*24*time.Hour || left > 14*24*time.Hour {
			t.Errorf("the session lasts %v", left)
		}
	})
}

func TestASessionExpires(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, s service) {
		old, other := s.signIn(t, "ann", "correct horse"), s.signIn(t, "bob", "correct horse")
		if err := store.Update(t.Context(), s.sessions, int64(1), func(kept *session.Session) error {
			kept.Expires = time.Now().Add(-time.Second)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		s.is(t, old, 401)
		s.is(t, other, 200)
		s.signIn(t, "bob", "correct horse", "Cookie", other)
		page, err := s.sessions.List(t.Context(), store.Query{})
		if err != nil || len(page.Items) != 1 {
			t.Errorf("a sign-in leaves %d sessions, and the error %v", len(page.Items), err)
		}
	})
}

func TestASignInReplacesTheSessionOfTheRequest(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, s service) {
		chosen := s.signIn(t, "ann", "correct horse", "Cookie", "session=chosen-by-mallory")
		if strings.Contains(chosen, "mallory") {
			t.Errorf("the session is %s", chosen)
		}
		second := s.signIn(t, "bob", "correct horse", "Cookie", chosen)
		s.is(t, chosen, 401)
		s.is(t, second, 200)
		s.send(t, "POST /api/login", credentials("bob", "wrong"), 401, "Cookie", second)
		s.is(t, second, 200)
	})
}

func TestADeletedUserHasNoSession(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, s service) {
		ann := s.signIn(t, "ann", "correct horse")
		s.send(t, "DELETE /api/users/1", "", 204, "Cookie", ann)
		s.is(t, ann, 401)
		if err := store.Insert(t.Context(), s.users, &User{ID: 1, Username: "eve", Password: "another"}); err != nil {
			t.Fatal(err)
		}
		s.is(t, ann, 401) // a new user with the identifier of the old one
	})
}

func TestEndEndsTheSessionsOfOneUser(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, s service) {
		one, two, bob := s.signIn(t, "ann", "correct horse"), s.signIn(t, "ann", "correct horse"), s.signIn(t, "bob", "correct horse")
		for range 2 {
			if err := s.signIns.End(t.Context(), &User{ID: 1}); err != nil {
				t.Fatal(err)
			}
		}
		s.is(t, one, 401)
		s.is(t, two, 401)
		s.is(t, bob, 200)
	})
}

func TestAUserWithoutAPasswordCannotSignIn(t *testing.T) {
	t.Parallel()
	s := inMemory(t)
	s.send(t, "POST /api/users", `{"username":"eve","password":""}`, 201)
	s.send(t, "POST /api/login", credentials("eve", ""), 401)
}

func TestTheCookieIsKeptFromScriptsOtherOriginsAndPlainHTTP(t *testing.T) {
	t.Parallel()
	s := inMemory(t)
	for host, secure := range map[string]bool{
		"localhost:8000": false, "127.0.0.1:8000": false, "[::1]:8000": false, "localhost": false,
		"shop.example": true, "shop.example:8000": true, "192.168.0.7:8000": true, "localhost.example": true, "": true,
	} {
		set := s.send(t, "POST /api/login", credentials("ann", "correct horse"), 204, "Host", host).Header.Get("Set-Cookie")
		for _, want := range []string{"; HttpOnly", "; SameSite=Lax", "; Path=/", "; Max-Age=1209600"} {
			if !strings.Contains(set, want) {
				t.Errorf("%s: the cookie is %s, without %s", host, set, want)
			}
		}
		if strings.Contains(set, "; Secure") != secure {
			t.Errorf("%s: the cookie is %s", host, set)
		}
	}
	proxied := s.send(t, "POST /api/login", credentials("ann", "correct horse"), 204, "Host", "localhost:8000", "X-Forwarded-Proto", "https")
	if set := proxied.Header.Get("Set-Cookie"); !strings.Contains(set, "; Secure") {
		t.Errorf("behind TLS the cookie is %s", set)
	}
	s.send(t, "PATCH /api/users/1", `{}`, 403, "Cookie", s.signIn(t, "ann", "correct horse"), "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site")
}

func TestSignInsAtTheSameTimeAllSucceed(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, s service) {
		var running sync.WaitGroup
		started := make(chan *http.Response, 8)
		for range cap(started) {
			running.Go(func() { started <- s.request(t, "POST /api/login", credentials("ann", "correct horse")) })
		}
		running.Wait()
		close(started)
		for each := range started {
			s.is(t, cookie(t, each), 200)
		}
	})
}

func TestSessionsAreInMemoryByDefault(t *testing.T) {
	t.Parallel()
	users := memory.New[User]()
	s := newService(t, users, nil).with(t, "ann")
	s.is(t, s.signIn(t, "ann", "correct horse"), 200)
}
