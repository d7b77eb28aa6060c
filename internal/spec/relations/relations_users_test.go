package relations_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// A user, a treasure and a tag are what nearly every schema has: an owner, what is owned, and what
// it is sorted by.
type user struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank" api:"filter=partial,sort"`
	Email string `json:"email" validate:"email" api:"filter,sort"`
	Admin bool   `json:"admin"`
}

type treasure struct {
	ID        int64   `json:"id"`
	Name      string  `json:"name" validate:"notblank" api:"sort"`
	Published bool    `json:"published" api:"filter"`
	OwnerID   int64   `json:"owner" api:"ref=User,expand,filter,through=name"`
	HeirID    *int64  `json:"heir" api:"ref=User,expand,filter,ondelete=null"`
	TagIDs    []int64 `json:"tags" validate:"max=20" api:"ref=Tag,expand,filter"`
}

type tag struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank"`
}

var (
	isRoot    = access.If("admin", func(u *user) bool { return u.Admin })
	isUser    = access.Equal("id", func(u *user) int64 { return u.ID })
	isTheirs  = access.Equal("owner", func(u *user) int64 { return u.ID })
	mayHoard  = access.Scope("treasure:write")
	userRules = access.Rules{
		Read: access.Public, Create: access.Public, Update: access.Any(isUser, isRoot), Delete: isRoot,
		Fields: map[string]access.Field{
			"email": {Read: access.Any(isUser, isRoot)},
			"admin": {Read: access.Any(isUser, isRoot), Write: isRoot},
		},
	}
	treasureRules = access.Rules{
		Read:   access.Any(spec.Published, isTheirs, isRoot),
		Create: access.All(isTheirs, mayHoard),
		Update: access.All(access.Any(isTheirs, isRoot), mayHoard),
		Delete: isRoot,
	}
)

// treasury is an API with the users 1 ann, 2 bob and 3 root, the treasures 1 ann's, 2 ann's draft and 3
// bob's, and the tags 1 to 3. Requests go over a socket.
type treasury struct{ spec.Wire }

// as sends a request as a user, "" for an anonymous caller.
func (a treasury) as(who, request, body string, header ...string) spec.Response {
	a.T.Helper()
	if who != "" {
		header = append(header, "Authorization", "Bearer "+who)
	}
	return a.Send(request, body, header...)
}

// onTreasuries runs a test on each sort of store. With private users, each sees only himself.
func onTreasuries(t *testing.T, test func(t *testing.T, a treasury), change ...func(*resource.Of[user], *resource.Of[treasure])) {
	t.Helper()
	run := func(t *testing.T, users store.Store[user], treasures store.Store[treasure], tags store.Store[tag]) {
		t.Helper()
		declared, hoard := treasuryOf()
		declared.Store, hoard.Store = users, treasures
		for _, change := range change {
			change(&declared, &hoard)
		}
		test(t, openTreasury(t, declared, hoard, resource.Of[tag]{Store: tags, Access: access.Rules{Read: access.Public, Create: access.Public, Update: isRoot, Delete: isRoot}}))
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		run(t, nil, nil, nil)
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			users, treasures, tags := sqlstore.Table[user](db), sqlstore.Table[treasure](db), sqlstore.Table[tag](db)
			if err := db.Create(t.Context(), treasures, tags, users); err != nil {
				t.Fatal(err)
			}
			run(t, users, treasures, tags)
		})
	}
}

// secretive lets only root see other users.
func secretive(users *resource.Of[user], _ *resource.Of[treasure]) {
	users.Access.Read = access.Any(isUser, isRoot)
}

// treasuryOf returns the declarations of users and treasures.
func treasuryOf() (resource.Of[user], resource.Of[treasure]) {
	users := resource.Of[user]{
		Inverse: map[string]string{"treasures": "Treasure.owner"}, Access: userRules,
		Operations: []operation.Operation{
			operation.Get{},
			operation.GetCollection{},
			operation.Post{},
			operation.Patch{},
			operation.Delete{},
			operation.Put{ExtraProperties: map[string]any{"standard_put": true}},
		},
	}
	treasures := resource.Of[treasure]{
		Access: treasureRules,
		Operations: append(operation.Standard(),
			operation.GetCollection{URITemplate: "/users/{owner}/treasures"},
			operation.Post{URITemplate: "/users/{owner}/treasures"},
			operation.Put{URITemplate: "/treasures/{id}/tags/{tags}"},
			operation.Delete{URITemplate: "/treasures/{id}/tags/{tags}"},
			operation.GetCollection{Name: "everyOwned", URITemplate: "/owned", Expand: []string{"owner"}},
			operation.Get{Name: "owned", URITemplate: "/owned/{id}", Expand: []string{"owner"}},
		),
		Processor: operation.Process(func(ctx context.Context, req *operation.Request, it *treasure, save operation.Save[treasure]) error {
			if err := save(ctx, it); err != nil {
				return err
			}
			if req.HTTP().Header.Get("X-Fail") != "" {
				return errors.New("the hook fails")
			}
			return nil
		}),
	}
	return users, treasures
}

func openTreasury(t *testing.T, users resource.Of[user], treasures resource.Of[treasure], tags resource.Of[tag]) treasury {
	t.Helper()
	people := map[string]*user{"ann": {ID: 1}, "bob": {ID: 2}, "root": {ID: 3, Admin: true}}
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{
		access.Bearer("token", func(_ context.Context, token string) (*user, access.Scopes, error) {
			if people[token] == nil {
				return nil, nil, access.ErrCredentials
			}
			return people[token], access.Scopes{"treasure:write"}, nil
		}),
	}}, users, treasures, tags)
	a := treasury{spec.NewWire(t, c.Handler, 1)}
	for _, name := range []string{"ann", "bob", "root"} {
		a.as("root", "POST /api/users", `{"name":"`+name+`","email":"`+name+`@x.example"}`).HasStatus(http.StatusCreated)
	}
	for _, name := range []string{"old", "gold", "cursed"} {
		a.as("", "POST /api/tags", `{"name":"`+name+`"}`).HasStatus(http.StatusCreated)
	}
	a.as("ann", "POST /api/treasures", `{"name":"crown","published":true,"owner":"/api/users/1","tags":["/api/tags/3","/api/tags/1"]}`).
		HasStatus(http.StatusCreated)
	a.as("ann", "POST /api/treasures", `{"name":"draft","owner":"/api/users/1","tags":["/api/tags/2"]}`).HasStatus(http.StatusCreated)
	a.as("bob", "POST /api/treasures", `{"name":"amulet","published":true,"owner":"/api/users/2"}`).HasStatus(http.StatusCreated)
	return a
}
