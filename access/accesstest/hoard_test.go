package accesstest_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/accesstest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// user is a principal, and a resource.
type user struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank" api:"unique"`
	Email string `json:"email" validate:"email"`
	Admin bool   `json:"admin"`
}

type treasure struct {
	ID        int64  `json:"id"`
	Name      string `json:"name" validate:"notblank" api:"unique"`
	Published bool   `json:"published" api:"filter"`
	Owner     int64  `json:"owner" api:"filter"`
}

type offer struct {
	Price int `json:"price" validate:"gte=1"`
}

var (
	admin     = access.If("admin", func(u *user) bool { return u.Admin })
	self      = access.Equal("id", func(u *user) int64 { return u.ID })
	owner     = access.Equal("owner", func(u *user) int64 { return u.ID })
	published = access.Where("published", true)
	mayWrite  = access.Scope("treasure:write")
)

var people = []user{
	{ID: 1, Name: "ann", Email: "ann@example.com"},
	{ID: 2, Name: "bob", Email: "bob@example.com"},
	{ID: 3, Name: "root", Email: "root@example.com", Admin: true},
}

var hoarded = []treasure{{1, "gold", true, 1}, {2, "draft", false, 1}, {3, "silver", true, 2}}

// byName authenticates users by name. The suffix "-reader" grants no scopes.
func byName(_ context.Context, token string) (*user, access.Scopes, error) {
	name, limited := strings.CutSuffix(token, "-reader")
	for _, u := range people {
		if u.Name == name && limited {
			return &u, nil, nil
		}
		if u.Name == name {
			return &u, access.Unlimited, nil
		}
	}
	return nil, nil, access.ErrCredentials
}

func as(name string) accesstest.Caller {
	return accesstest.Caller{Name: name, Header: http.Header{"Authorization": {"Bearer " + name}}}
}

var (
	everyone = accesstest.Callers{{Name: "anonymous"}, as("ann"), as("bob"), as("root"), as("ann-reader")}
	records  = accesstest.Records{
		"User":     {"ann": "1", "root": "3"},
		"Treasure": {"published": "1", "draft": "2", "bobs": "3"},
	}
)

func appraise(_ context.Context, t *treasure, in offer) (treasure, error) {
	t.Name = fmt.Sprint(t.Name, " for ", in.Price)
	return *t, nil
}

func count(context.Context, *treasure, struct{}) (offer, error) { return offer{3}, nil }

// hoard is the API of the tests, which some change.
type hoard struct {
	config    resource.Config
	users     resource.Of[user]
	treasures resource.Of[treasure]
}

func newHoard() *hoard {
	return &hoard{
		config: resource.Config{Authentication: []access.Scheme{access.Bearer("token", byName)}},
		users: resource.Of[user]{
			Store: memory.New(people...),
			Access: access.Rules{
				Read: access.Public, Create: access.Public, Update: access.Any(self, admin), Delete: admin,
				Fields: map[string]access.Field{
					"email": {Read: access.Any(self, admin)},
					"admin": {Read: access.Any(self, admin), Write: admin},
				},
			},
			ExtraProperties: map[string]any{"standard_put": true},
		},
		treasures: resource.Of[treasure]{
			Store: memory.New(hoarded...),
			Access: access.Rules{
				Read: access.Any(published, owner, admin), Create: access.All(owner, mayWrite),
				Update: access.All(access.Any(owner, admin), mayWrite), Delete: admin,
			},
			Operations: append(operation.Standard(),
				operation.Post{Name: "appraise", URITemplate: "/treasures/{id}/appraise", Handler: operation.Handle(appraise), Access: admin},
				operation.Get{Name: "count", URITemplate: "/treasures/count", Handler: operation.Handle(count), Access: access.Authenticated, Hidden: true}),
		},
	}
}

func (h *hoard) api(t *testing.T) *resource.API {
	t.Helper()
	api, err := resource.New(h.config, h.users, h.treasures)
	if err != nil {
		t.Fatal(err)
	}
	return api
}
