package contender

import (
	"context"
	"net/http"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/bench/catalog"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// keeper is the principal of the requests.
type keeper struct {
	email   string
	isAdmin bool
}

// guarded is an item whose conditions of access have indexes.
type guarded struct {
	catalog.Item

	Email     string `json:"email" validate:"email" api:"filter=exact"`
	Available bool   `json:"available" api:"filter=exact"`
}

// newGuarded returns Trove with access rules: everyone can see available items, keepers can see their items, and admins
// all items. The requests are from the keeper of ten items, who can see two thirds of the items.
func newGuarded(items []catalog.Item) (http.Handler, error) {
	keepers := map[string]*keeper{"secret": {email: "keeper241@example.com"}}
	api, err := resource.New(resource.Config{
		Authentication: []access.Scheme{access.Bearer("token", func(_ context.Context, token string) (*keeper, access.Scopes, error) {
			if found := keepers[token]; found != nil {
				return found, access.Unlimited, nil
			}
			return nil, nil, access.ErrCredentials
		})},
	}, resource.Of[guarded]{
		ShortName: "Item",
		Store:     memory.New(guardedOf(items)...),
		Access: access.Rules{
			Read: access.Any(
				access.Where("available", true),
				access.Equal("email", func(k *keeper) string { return k.email }),
				access.If("admin", func(k *keeper) bool { return k.isAdmin }),
			),
			Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated,
		},
	})
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header["Authorization"] = credentials[:]
		api.ServeHTTP(w, r)
	}), nil
}

// newOpen returns Trove with the same records and without rules.
func newOpen(items []catalog.Item) (http.Handler, error) {
	return resource.New(resource.Config{}, resource.Of[guarded]{ShortName: "Item", Store: memory.New(guardedOf(items)...)})
}

func guardedOf(items []catalog.Item) []guarded {
	records := make([]guarded, len(items))
	for i := range items {
		records[i] = guarded{Item: items[i], Email: items[i].Email, Available: items[i].Available}
	}
	return records
}

var credentials = [...]string{"Bearer secret"}
