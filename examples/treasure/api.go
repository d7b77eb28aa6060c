package main

import (
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// newAPI makes the service: its resources, and their documentation.
func newAPI(db *database) (*resource.API, error) {
	api, err := resource.New(resource.Config{
		Middleware: []func(http.Handler) http.Handler{authenticate},
	}, treasures(db.treasures), programmers(db.programmers))
	if err != nil {
		return nil, err
	}
	return api, openapi.Mount(api, documentation())
}

// documentation is what the document says of the service as a whole.
func documentation() openapi.Config {
	return openapi.Config{
		Title:       "Treasures",
		Version:     "1.0.0",
		Description: "Treasures that dragons guard, and the programmers who look for them.",
		Contact:     &openapi3.Contact{Name: "The Trove authors", URL: "https://github.com/trove-api/trove"},
		License:     &openapi3.License{Name: "MIT", Identifier: "MIT"},
		Servers:     openapi3.Servers{{URL: "/", Description: "This server."}},
	}
}
