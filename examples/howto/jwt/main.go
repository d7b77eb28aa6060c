// Command jwt serves notes to users of an identity provider, who sign in with its JSON Web Tokens. It is the code of the
// how-to page about JWTs, and a module of its own, because Trove depends on no library for tokens.
package main

import (
	"context"
	"flag"
	"log"
	"net"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Note belongs to the user who created it.
type Note struct {
	ID    int64  `json:"id"`
	Text  string `json:"text" validate:"notblank,max=1000" example:"Buy rope."`
	Owner string `json:"owner" api:"readonly"`
}

var (
	owner     = access.Equal("owner", func(u *User) string { return u.ID })
	mayRead   = access.All(owner, access.Scope("notes:read"))
	mayChange = access.All(owner, access.Scope("notes:write"))
)

func newAPI(v verifier) (*resource.API, error) {
	api, err := resource.New(resource.Config{
		Authentication: []access.Scheme{access.Bearer("token", v.authenticate)},
	}, resource.Of[Note]{
		Description: "A note of one user.",
		Access:      access.Rules{Read: mayRead, Create: mayChange, Update: mayChange, Delete: mayChange},
		Stamp:       operation.Stamp(func(u *User, n *Note) { n.Owner = u.ID }),
	})
	if err != nil {
		return nil, err
	}
	return api, openapi.Mount(api, openapi.Config{Title: "Notes", Version: "1.0.0"})
}

func main() {
	address := flag.String("addr", "localhost:8000", "where to serve")
	issuer := flag.String("issuer", "https://id.example.com/", "the identity provider, as in the claim iss")
	keySet := flag.String("jwks", "https://id.example.com/.well-known/jwks.json", "URL of the provider's keys")
	flag.Parse()
	ctx := context.Background()
	v, err := newVerifier(ctx, *issuer, *keySet)
	if err != nil {
		log.Fatal(err)
	}
	api, err := newAPI(v)
	if err != nil {
		log.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(resource.Serve(ctx, listener, api))
}
