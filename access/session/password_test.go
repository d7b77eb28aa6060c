package session_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/access/session"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// change is the body of a password change.
func change(current, next string) string {
	return fmt.Sprintf(`{"current":%q,"new":%q}`, current, next)
}

func TestAPasswordChangeEndsTheOtherSessions(t *testing.T) {
	t.Parallel()
	onEach(t, func(s service) {
		one, two, bob := s.signIn("ann", "correct horse"), s.signIn("ann", "correct horse"), s.signIn("bob", "correct horse")
		changed := cookie(s.t, s.send("POST /api/password", change("correct horse", "her own choice"), 204, "Cookie", one))
		s.is(one, 401)
		s.is(two, 401)
		s.is(bob, 200)
		s.is(changed, 200)
		s.send("POST /api/login", credentials("ann", "correct horse"), 401)
		s.signIn("ann", "her own choice")
	})
}

func TestAPasswordChangeNeedsTheCurrentPassword(t *testing.T) {
	t.Parallel()
	onEach(t, func(s service) {
		ann := s.signIn("ann", "correct horse")
		for _, body := range []string{change("wrong", "her own choice"), change("", "her own choice"), change("correct horse", "short"), `{}`} {
			s.send("POST /api/password", body, 400, "Cookie", ann)
		}
		s.send("POST /api/password", change("correct horse", "her own choice"), 401)
		s.is(ann, 200)
		s.signIn("ann", "correct horse")
	})
}

func TestAPasswordChangedAnotherWayEndsAllSessions(t *testing.T) {
	t.Parallel()
	onEach(t, func(s service) {
		one, two := s.signIn("ann", "correct horse"), s.signIn("ann", "correct horse")
		s.send("PATCH /api/users/1", `{"username":"anna"}`, 200, "Cookie", one)
		s.is(two, 200)
		s.send("PATCH /api/users/1", `{"password":"her own choice"}`, 200, "Cookie", one)
		s.is(one, 401)
		s.is(two, 401)
		s.signIn("anna", "her own choice")
	})
}

func TestAPasswordChangedByTokenStartsNoSession(t *testing.T) {
	t.Parallel()
	users := memory.New[User]()
	s := newService(t, users, memory.New[session.Session](), bySecret(users)).with("ann")
	ann := s.signIn("ann", "correct horse")
	response := s.send("POST /api/password", change("correct horse", "her own choice"), 204, "Authorization", "Bearer ann")
	if got := response.Header().Get("Set-Cookie"); got != "" {
		s.t.Errorf("the response sets %s", got)
	}
	s.is(ann, 401)
}

func TestNoSessionOfTheOldPasswordOutlivesItsChange(t *testing.T) {
	t.Parallel()
	onEach(t, func(s service) {
		ann := s.signIn("ann", "correct horse")
		var running sync.WaitGroup
		started := make(chan *httptest.ResponseRecorder, 8)
		for range cap(started) {
			running.Go(func() { started <- s.request("POST /api/login", credentials("ann", "correct horse")) })
		}
		changed := s.request("POST /api/password", change("correct horse", "her own choice"), "Cookie", ann)
		running.Wait()
		close(started)
		for each := range started {
			if each.Code == http.StatusNoContent {
				s.is(cookie(s.t, each), 401)
			}
		}
		s.is(cookie(s.t, changed), 200)
	})
}

func TestOnlyOneOfTwoPasswordChangesSucceeds(t *testing.T) {
	t.Parallel()
	onEach(t, func(s service) {
		one, two := s.signIn("ann", "correct horse"), s.signIn("ann", "correct horse")
		var running sync.WaitGroup
		statuses := make(chan int, 2)
		for _, each := range []string{one, two} {
			running.Go(func() {
				statuses <- s.request("POST /api/password", change("correct horse", "her own choice"), "Cookie", each).Code
			})
		}
		running.Wait()
		if a, b := <-statuses, <-statuses; a == b || a != 204 && b != 204 {
			s.t.Errorf("the changes return %d and %d", a, b)
		}
	})
}

func TestABetterHashOfThePasswordKeepsTheSessions(t *testing.T) {
	t.Parallel()
	onEach(t, func(s service) {
		ann, before := s.signIn("ann", "correct horse"), s.stored("ann")
		stronger := &password.Accounts[User]{
			Store: s.users, Name: "username", Password: func(u *User) *string { return &u.Password }, Hasher: &password.Hasher{Memory: 64, Passes: 3},
		}
		if _, err := stronger.Verify(s.t.Context(), "ann", "correct horse"); err != nil || s.stored("ann") == before {
			s.t.Fatalf("the password is not hashed again: %v", err)
		}
		s.is(ann, 200)
		s.is(cookie(s.t, s.send("POST /api/password", change("correct horse", "her own choice"), 204, "Cookie", ann)), 200)
		s.is(ann, 401)
	})
}

// stored returns the stored password of a user.
func (s service) stored(name string) string {
	s.t.Helper()
	user, err := store.Find(s.t.Context(), s.users, "username", name)
	if err != nil {
		s.t.Fatal(err)
	}
	return user.Password
}
