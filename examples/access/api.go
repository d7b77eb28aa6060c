package main

import (
	"context"
	"net/http"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// User is the principal of requests, and a resource.
type User struct {
	ID       int64  `json:"id"`
	Username string `json:"username" validate:"notblank,max=50" api:"unique,filter,sort"`
	Email    string `json:"email" validate:"omitempty,email" api:"filter,sort"`
	Password string `json:"password" validate:"min=12,max=200" api:"password" example:"correct horse battery"`
	Admin    bool   `json:"admin"`
	Team     string `json:"team"`
}

// Treasure belongs to a user.
type Treasure struct {
	ID          int64  `json:"id"`
	Name        string `json:"name" validate:"notblank" api:"filter=partial,sort"`
	IsPublished bool   `json:"isPublished" api:"filter"`
	Owner       int64  `json:"owner" api:"filter"`
	Value       int    `json:"value" validate:"gte=0"`
}

// Note is visible only to a team.
type Note struct {
	ID   int64  `json:"id"`
	Text string `json:"text" validate:"notblank"`
	Team string `json:"team" validate:"notblank" example:"red"`
}

// The names of rules appear in the document, in the log and in access.golden.
var (
	admin     = access.If("admin", func(u *User) bool { return u.Admin })
	self      = access.Equal("id", func(u *User) int64 { return u.ID })
	owner     = access.Equal("owner", func(u *User) int64 { return u.ID })
	published = access.Where("isPublished", true)
	mayWrite  = access.Scope("treasure:write")
)

var treasureRules = access.Rules{
	Read:   access.Any(published, owner, admin),
	Create: access.All(mayWrite, owner),
	Update: access.All(mayWrite, access.Any(owner, admin)),
	Delete: admin,
}

var userRules = access.Rules{
	Read: access.Public, Create: access.Public, Update: access.Any(self, admin), Delete: admin,
	Fields: map[string]access.Field{
		"email": {Read: access.Any(self, admin)},
		"admin": {Read: access.Any(self, admin), Write: admin},
		"team":  {Read: access.Authenticated, Write: admin},
	},
}

// team restricts records to the caller's team. A filter can also query a database or another service.
var team = access.Filter("team", func(_ context.Context, u *User) ([]store.Condition, error) {
	return []store.Condition{{Fields: []string{"team"}, Operator: store.Equal, Values: []any{u.Team}}}, nil
})

var noteRules = access.Rules{Read: team, Create: team, Update: team, Delete: access.All(team, admin)}

// Valuation is the result of appraise.
type Valuation struct {
	Value int `json:"value"`
}

func appraise(_ context.Context, t *Treasure, _ struct{}) (Valuation, error) {
	return Valuation{t.Value}, nil
}

// newAPI declares the API with the stores of a service.
func newAPI(s *service) (*resource.API, error) {
	api, err := resource.New(
		resource.Config{Authentication: []access.Scheme{
			access.Bearer("token", s.authenticate),
			access.Basic("login", s.logIn),
		}},
		resource.Of[User]{Store: s.users, BeforeTransaction: s.accounts.Hash, Access: userRules},
		resource.Of[Treasure]{
			Store: s.treasures, Access: treasureRules,
			Operations: append(operation.Standard(), operation.Post{
				Name: "appraise", URITemplate: "/treasures/{id}/appraise", Handler: operation.Handle(appraise),
				Access: access.Authenticated, // instead of Update; callers who cannot see the treasure still get 404
			}),
		},
		resource.Of[Note]{Store: s.notes, Access: noteRules},
	)
	if err != nil {
		return nil, err
	}
	return api, openapi.Mount(api, openapi.Config{Title: "Hoard", Version: "1.0.0"})
}

// internal mounts documentation that only admins can read.
func internal(api *resource.API) (http.Handler, error) {
	return api, openapi.Mount(api, openapi.Config{Title: "Hoard", Access: admin})
}
