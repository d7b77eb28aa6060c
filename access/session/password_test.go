package session_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/trove-api/trove/access/session"
	"github.com/trove-api/trove/store/memory"
)

// change is the body of a password change.
func change(current, next string) string {
	return fmt.Sprintf(`{"current":%q,"new":%q}`, current, next)
}

func TestAPasswordChangeEndsTheOtherSessions(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, s service) {
		one, two, bob := s.signIn(t, "ann", "correct horse"), s.signIn(t, "ann", "correct horse"), s.signIn(t, "bob", "correct horse")
		changed := cookie(t, s.send(t, "POST /api/password", change("correct horse", "her own choice"), 204, "Cookie", one))
		s.is(t, one, 401)
		s.is(t, two, 401)
		s.is(t, bob, 200)
		s.is(t, changed, 200)
		s.send(t, "POST /api/login", credentials("ann", "correct horse"), 401)
		s.signIn(t, "ann", "her own choice")
	})
}

func TestAPasswordChangeNeedsTheCurrentPassword(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, s service) {
		ann := s.signIn(t, "ann", "correct horse")
		for _, body := range []string{change("wrong", "her own choice"), change("", "her own choice"), change("correct horse", "short"), `{}`} {
			s.send(t, "POST /api/password", body, 400, "Cookie", ann)
		}
		s.send(t, "POST /api/password", change("correct horse", "her own choice"), 401)
		s.is(t, ann, 200)
		s.signIn(t, "ann", "correct horse")
	})
}

func TestAPasswordChangedAnotherWayEndsAllSessions(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, s service) {
		one, two := s.signIn(t, "ann", "correct horse"), s.signIn(t, "ann", "correct horse")
		s.send(t, "PATCH /api/users/1", `{"username":"anna"}`, 200, "Cookie", one)
		s.is(t, two, 200)
		s.send(t, "PATCH /api/users/1", `{"password":"her own choice"}`, 200, "Cookie", one)
		s.is(t, one, 401)
		s.is(t, two, 401)
		s.signIn(t, "anna", "her own choice")
	})
}

func TestAPasswordChangedByTokenStartsNoSession(t *testing.T) {
	t.Parallel()
	users := memory.New[User]()
	s := newService(t, users, memory.New[session.Session](), bySecret(users)).with(t, "ann")
	ann := s.signIn(t, "ann", "correct horse")
	response := s.send(t, "POST /api/password", change("correct horse", "her own choice"), 204, "Authorization", "Bearer ann")
	if got := response.Header.Get("Set-Cookie"); got != "" {
		t.Errorf("the response sets %s", got)
	}
	s.is(t, ann, 401)
}

func TestNoSessionOfTheOldPasswordOutlivesItsChange(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, s service) {
		ann := s.signIn(t, "ann", "correct horse")
		var running sync.WaitGroup
		started := make(chan *http.Response, 8)
		for range cap(started) {
			running.Go(func() { started <- s.request(t, "POST /api/login", credentials("ann", "correct horse")) })
		}
		changed := s.request(t, "POST /api/password", change("correct horse", "her own choice"), "Cookie", ann)
		running.Wait()
		close(started)
		for each := range started {
			if each.StatusCode == http.StatusNoContent {
				s.is(t, cookie(t, each), 401)
			}
		}
		s.is(t, cookie(t, changed), 200)
	})
}

func TestOnlyOneOfTwoPasswordChangesSucceeds(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, s service) {
		one, two := s.signIn(t, "ann", "correct horse"), s.signIn(t, "ann", "correct horse")
		var running sync.WaitGroup
		statuses := make(chan int, 2)
		for _, each := range []string{one, two} {
			running.Go(func() {
				statuses <- s.request(t, "POST /api/password", change("correct horse", "her own choice"), "Cookie", each).StatusCode
			})
		}
		running.Wait()
		if a, b := <-statuses, <-statuses; a == b || a != 204 && b != 204 {
			t.Errorf("the changes return %d and %d", a, b)
		}
	})
}
