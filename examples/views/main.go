// Command views is the program of docs/guides/views.md: products with several views and types.
package main

import (
	"context"
	"log"
	"log/slog"
	"net/http"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// users are the callers, by token.
type users map[string]*User

func (u users) authenticate(_ context.Context, token string) (*User, access.Scopes, error) {
	user, known := u[token]
	if !known {
		return nil, nil, access.ErrCredentials
	}
	return user, nil, nil
}

// newAPI declares the API for some callers. The log says why requests are denied.
func newAPI(callers users, logger *slog.Logger) (*resource.API, error) {
	api, err := resource.New(
		resource.Config{
			Logger:         logger,
			Formats:        append(format.Standard(), csv.Format),
			Authentication: []access.Scheme{access.Bearer("token", callers.authenticate)},
		},
		newProducts(memory.New[Product]()), items, deeds,
	)
	if err != nil {
		return nil, err
	}
	return api, openapi.Mount(api, openapi.Config{Title: "Shop", Version: "1.0.0"})
}

func main() {
	api, err := newAPI(users{"ann": {Name: "ann"}, "root": {Name: "root", Admin: true}}, slog.Default())
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{Addr: "127.0.0.1:8000", Handler: api, ReadHeaderTimeout: 5 * time.Second}
	log.Fatal(server.ListenAndServe())
}
