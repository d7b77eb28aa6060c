package access_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// A scheme identifies the caller, and rules decide what the caller may do.
func ExampleBearer() {
	authenticate := func(_ context.Context, token string) (*Owner, access.Scopes, error) {
		if token != "ann" {
			return nil, nil, access.ErrCredentials
		}
		return &Owner{ID: 1}, access.Unlimited, nil
	}
	api, err := resource.New(
		resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}},
		resource.Of[Gem]{
			Store:      memory.New(Gem{Name: "ruby", Owner: 1}),
			Operations: []operation.Operation{operation.Get{}, operation.Delete{}},
			Access:     access.Rules{Read: access.Authenticated, Delete: access.If("admin", func(*Owner) bool { return false })},
		})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, request := range []struct{ method, token string }{{"GET", ""}, {"GET", "bob"}, {"GET", "ann"}, {"DELETE", "ann"}} {
		r := httptest.NewRequestWithContext(context.Background(), request.method, "/api/gems/1", http.NoBody)
		if request.token != "" {
			r.Header.Set("Authorization", "Bearer "+request.token)
		}
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		fmt.Printf("%s %q %d %s|\n", request.method, request.token, w.Code, w.Header().Get("WWW-Authenticate"))
	}
	// Output:
	// GET "" 401 Bearer realm="token"|
	// GET "bob" 401 Bearer realm="token", error="invalid_token"|
	// GET "ann" 200 |
	// DELETE "ann" 403 |
}

// Named replaces the name that is composed of the parts.
func ExampleNamed() {
	draft := access.Where("status", "draft", "review")
	fmt.Println(draft.Describe().Name)
	fmt.Println(access.Named("unpublished", draft).Describe().Name)
	// Output:
	// status is draft or review
	// unpublished
}
