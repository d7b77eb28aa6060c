package session_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/access/session"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func TestTheSignInHasTheNameOfTheUsersField(t *testing.T) {
	t.Parallel()
	type Guest struct {
		ID       int64  `json:"id"`
		Email    string `json:"email" validate:"email" api:"unique" example:"ann@example.com"`
		Password string `json:"password" api:"password"`
	}
	guests := memory.New[Guest]()
	accounts := &password.Accounts[Guest]{Store: guests, Name: "email", Password: func(g *Guest) *string { return &g.Password }, Hasher: quick()}
	signIns, err := session.New(session.Config[Guest]{Accounts: accounts})
	if err != nil {
		t.Fatal(err)
	}
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{signIns.Scheme()}},
		resource.Of[Guest]{Store: guests, BeforeTransaction: accounts.Hash, Access: access.Only(access.Public)}, signIns.Resource())
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Title: "Guests", Version: "1"})
	}
	if err != nil {
		t.Fatal(err)
	}
	send := func(request, body string, status int, mentions ...string) {
		t.Helper()
		method, path, _ := strings.Cut(request, " ")
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if path == "/" {
			r.Header.Set("Accept", "text/html")
		}
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if w.Code != status {
			t.Errorf("%s returns %d, want %d: %s", request, w.Code, status, w.Body)
		}
		for _, text := range mentions {
			if !strings.Contains(w.Body.String(), text) {
				t.Errorf("%s does not mention %s: %s", request, text, w.Body)
			}
		}
	}
	send("POST /api/guests", `{"email":"ann@example.com","password":"correct horse"}`, http.StatusCreated)
	send("POST /api/login", `{"email":"Ann@example.com","password":"correct horse"}`, http.StatusNoContent)
	send("POST /api/login", `{"email":"ann@example.com","password":"wrong horse"}`, http.StatusUnauthorized, "Wrong email or password.")
	send("POST /api/login", `{"username":"ann@example.com","password":"correct horse"}`, http.StatusBadRequest, `allowed: email, password`)
	send("GET /api/docs.json", "", http.StatusOK, `"example":{"email":"ann@example.com","password":"correct horse battery"}`)
}
