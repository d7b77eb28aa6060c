package mcp_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func TestGuessesOverEachProtocolCountTogether(t *testing.T) {
	t.Parallel()
	members := memory.New[Member]()
	accounts := &password.Accounts[Member]{
		Store: members, Name: "name", Password: func(m *Member) *string { return &m.Password }, Hasher: &password.Hasher{Memory: 8, Passes: 1},
	}
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{accounts.Basic("login")}},
		resource.Of[Member]{Store: members, BeforeTransaction: accounts.Hash, Access: access.Only(access.Authenticated)})
	if err == nil {
		err = mcp.Mount(api, mcp.Config{})
	}
	if err == nil {
		err = admin.Mount(api, admin.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	guess := func(request string) int {
		method, path, _ := strings.Cut(request, " ")
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.SetBasicAuth("ann", "wrong horse")
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		return w.Code
	}
	for range 5 {
		for _, request := range []string{"POST /mcp", "GET /api/members"} {
			if got := guess(request); got != http.StatusUnauthorized {
				t.Errorf("%s returns %d", request, got)
			}
		}
	}
	for _, request := range []string{"POST /mcp", "GET /api/members", "GET /api/members/1", "PATCH /api/members/1"} {
		if got := guess(request); got != http.StatusTooManyRequests {
			t.Errorf("%s returns %d, want 429", request, got)
		}
	}
}
