package session_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/access/session"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func Example() {
	users := memory.New[User]()
	accounts := &password.Accounts[User]{
		Store: users, Name: "username", Password: func(u *User) *string { return &u.Password },
		Hasher: &password.Hasher{Memory: 8, Passes: 1}, // fast, for this example; the default is secure
	}
	sessions, err := session.New(session.Config[User]{Accounts: accounts})
	if err != nil {
		fmt.Println(err)
		return
	}
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{sessions.Scheme()}},
		resource.Of[User]{
			Store: users, BeforeTransaction: accounts.Hash,
			Access: access.Rules{Read: self, Create: access.Public, Update: self, Delete: self},
		},
		sessions.Resource())
	if err != nil {
		fmt.Println(err)
		return
	}
	cookie := ""
	for _, request := range []string{"POST /api/users", "POST /api/login", "GET /api/users", "POST /api/logout", "GET /api/users"} {
		method, path, _ := strings.Cut(request, " ")
		r := httptest.NewRequestWithContext(context.Background(), method, path, strings.NewReader(`{"username":"ann","password":"correct horse"}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Cookie", cookie)
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if path == "/api/login" {
			cookie = w.Header().Get("Set-Cookie")
		}
		fmt.Println(request, w.Code)
	}
	// Output:
	// POST /api/users 201
	// POST /api/login 204
	// GET /api/users 200
	// POST /api/logout 204
	// GET /api/users 401
}
