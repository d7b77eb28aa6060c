package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/resource"
)

// User is who signs in.
type User struct{ Admin bool }

// profiles serves the profiles of the program at /debug/pprof/, and what is wrong at /statusz, for administrators.
func profiles(api *resource.API) {
	admins := access.If("is an administrator", func(user *User) bool { return user.Admin })
	guarded := api.Router().With(api.Guard(admins))
	guarded.HandleFunc("/debug/pprof/*", pprof.Index) // also /debug/pprof/heap and other profiles
	guarded.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	guarded.HandleFunc("/debug/pprof/profile", pprof.Profile)
	guarded.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	guarded.HandleFunc("/debug/pprof/trace", pprof.Trace)
	api.Router().Get("/statusz", api.Statusz(admins))
}

func TestOnlyAdministratorsReadProfiles(t *testing.T) {
	t.Parallel()
	token := access.Bearer("token", func(_ context.Context, token string) (*User, access.Scopes, error) {
		if token != "admin" && token != "user" {
			return nil, nil, access.ErrCredentials
		}
		return &User{Admin: token == "admin"}, access.Unlimited, nil
	})
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{token}})
	if err != nil {
		t.Fatal(err)
	}
	profiles(api)
	if err := api.Check(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", "heap", "goroutine?debug=1", "cmdline", "symbol", "profile?seconds=1", "trace?seconds=0.01"} {
		for token, want := range map[string]int{"": 401, "forged": 401, "user": 403, "admin": 200} {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/debug/pprof/"+path, http.NoBody)
			if token != "" {
				r.Header.Set("Authorization", "Bearer "+token)
			}
			w := httptest.NewRecorder()
			api.ServeHTTP(w, r)
			if w.Code != want {
				t.Errorf("%q gets %s with %d, want %d", token, path, w.Code, want)
			}
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/debug/pprof/nothing", http.NoBody)
	r.Header.Set("Authorization", "Bearer admin")
	w := httptest.NewRecorder()
	if api.ServeHTTP(w, r); w.Code != http.StatusNotFound {
		t.Errorf("an unknown profile is %d, want 404", w.Code)
	}
}
