package admin_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// config is the config of most tests.
var config = admin.Config{}

// Ticket is the result of a sign-in.
type Ticket struct {
	Token string `json:"token"`
}

// Credentials are the body of a sign-in.
type Credentials struct {
	Name     string `json:"name"`
	Password string `json:"password"`
}

// Visit is a sign-in. It has no path.
type Visit struct {
	ID int64 `json:"id"`
}

func ofVisit() resource.Of[Visit] {
	login := func(context.Context, *Visit, Credentials) (Ticket, error) { return Ticket{"ann"}, nil }
	logout := func(context.Context, *Visit, struct{}) (none struct{}, err error) { return none, nil }
	cookie := map[string]string{"Set-Cookie": "The session."}
	return resource.Of[Visit]{Operations: []operation.Operation{
		operation.Post{Name: "enter", URITemplate: "/enter", Handler: operation.Handle(login), Access: access.Public, Anonymous: true, ResponseHeader: cookie},
		operation.Post{Name: "leave", URITemplate: "/leave", Handler: operation.Handle(logout), Access: access.Public, Anonymous: true, ResponseHeader: cookie},
	}}
}

// Polish is the body of a handler.
type Polish struct {
	Cloth string `json:"cloth" validate:"oneof=silk wool"`
}

// museum returns the declarations of a museum: pieces that are open or owned, below rooms, and what people do to them.
func museum() []resource.Declaration {
	own := access.Any(isOwner, isAdmin)
	polish := func(_ context.Context, _ *Piece, in Polish) (Ticket, error) { return Ticket{in.Cloth}, nil }
	return []resource.Declaration{
		resource.Of[Keeper]{
			Access: access.Rules{Read: access.Public, Create: isAdmin, Update: isAdmin, Delete: isAdmin},
			Store:  memory.New(*keepers["ann"], *keepers["bob"], *keepers["root"]),
		},
		resource.Of[Piece]{
			Store: memory.New(
				Piece{Owner: 1, Open: true, Alfa: "a", Bravo: "one"}, Piece{Owner: 2, Alfa: "b", Bravo: "two"},
				Piece{Owner: 2, Open: true, Alfa: "c", Bravo: "three"},
			),
			Access: access.Rules{
				Read: access.Any(access.Where("open", true), own), Create: own, Update: own, Delete: own,
				Fields: map[string]access.Field{"depth": {Read: isAdmin, Write: isAdmin}},
			},
			Operations: standard(
				operation.GetCollection{URITemplate: "/keepers/{owner}/pieces{._format}"},
				operation.Post{Name: "polish", URITemplate: "/pieces/{id}/polish", Handler: operation.Handle(polish)},
			),
		},
		ofVisit(),
	}
}

// newMuseum serves a museum.
func newMuseum(t testing.TB) *site {
	t.Helper()
	return serve(t, newAPI(t, resource.Config{Authentication: []access.Scheme{bearer}}, museum()...), config)
}

func TestOnlyGetIsAllowed(t *testing.T) {
	t.Parallel()
	s := newMuseum(t)
	for _, path := range []string{"/admin", "/admin/", "/admin/model", "/admin/permissions", s.dir() + "/theme.css"} {
		status, _, header := s.exchange("", http.MethodPost, path, "{}")
		if status != http.StatusMethodNotAllowed || header.Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("POST %s: %d, Allow: %s", path, status, header.Get("Allow"))
		}
		status, _, header = s.exchange("", http.MethodOptions, path, "")
		if status != http.StatusNoContent || header.Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("OPTIONS %s: %d, Allow: %s", path, status, header.Get("Allow"))
		}
	}
}
