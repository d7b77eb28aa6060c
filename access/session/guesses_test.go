package session_test

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestSignInsAreLimited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := inMemory(t)
		ann := s.signIn("ann", "correct horse")
		for range 5 {
			s.send("POST /api/login", credentials("ann", "wrong horse"), 401)
			s.send("POST /api/password", change("wrong horse", "her own choice"), 400, "Cookie", ann)
		}
		for request, body := range map[string]string{
			"POST /api/login":    credentials("ann", "correct horse"),
			"POST /api/password": change("correct horse", "her own choice"),
		} {
			w := s.send(request, body, 429, "Cookie", ann)
			if got := w.Header().Get("Retry-After"); got != "300" || w.Header().Get("Content-Type") != "application/problem+json" {
				t.Errorf("%s returns Retry-After %q: %s", request, got, w.Body)
			}
		}
		s.is(ann, 200) // a session goes on
		s.signIn("bob", "correct horse")
		time.Sleep(5 * time.Minute)
		s.signIn("ann", "correct horse")
	})
}
