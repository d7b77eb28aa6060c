package main

import (
	"flag"
	"testing"
	"time"

	"github.com/trove-api/trove/access/accesstest"
	"github.com/trove-api/trove/store"
)

var _ = flag.Bool("update", false, "write golden files")

func TestPermissions(t *testing.T) {
	t.Parallel()
	_, api := start(t)
	accesstest.Matrix(t, api, "testdata/access.golden",
		accesstest.Callers{
			{Name: "anonymous"},
			{Name: "ann", Header: signIn(t, api, "ann@example.com")}, // admin of red
			{Name: "cem", Header: signIn(t, api, "cem@example.com")}, // red
			{Name: "bob", Header: signIn(t, api, "bob@example.com")}, // blue
		},
		accesstest.Records{
			"User":       {"ann": "1", "bob": "2", "cem": "3"},
			"Project":    {"harbour": "1", "bridge": "2"},
			"Task":       {"dig": "1"},
			"Team":       {"divers": "1", "cooks": "2"}, // cem leads the divers and helps the cooks, whom bob leads
			"Membership": {"cem dives": "1", "bob cooks": "3"},
			"Report":     {"wreck": "1", "stew": "2"},
		})
}

// expire ends all sessions.
func expire(t *testing.T, a *app) {
	t.Helper()
	err := store.Update(t.Context(), a.sessions, int64(1), func(s *Session) error { s.Expires = time.Now().Add(-time.Second); return nil })
	if err != nil {
		t.Fatal(err)
	}
}
