package main

import (
	"net/http"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// newAPI builds the service: its resources and their documentation, which includes the rate limit.
func newAPI(db *database, rate int) (*resource.API, error) {
	api, err := resource.New(resource.Config{
		Middleware:    []func(http.Handler) http.Handler{middleware.RequestID, authenticate},
		RequestID:     middleware.GetReqID,
		MaxConcurrent: 512,
		Timeout:       10 * time.Second,
	}, treasures(db.treasures), programmers(db.programmers))
	if err != nil {
		return nil, err
	}
	api.Router().Get("/healthz", api.Healthz)
	api.Router().Get("/readyz", api.Readyz)
	return api, openapi.Mount(api, documentation(rate))
}

// documentation describes the service as a whole.
func documentation(rate int) openapi.Config {
	return openapi.Config{
		Title:       "Treasures",
		Version:     "1.0.0",
		Description: "Treasures that dragons guard, and the programmers who seek them.",
		Contact:     &openapi3.Contact{Name: "The Trove authors", URL: "https://github.com/trove-api/trove"},
		License:     &openapi3.License{Name: "MIT", Identifier: "MIT"},
		Servers:     openapi3.Servers{{URL: "/", Description: "This server."}},
		Operations:  map[string]func(*openapi3.Operation){"createProgrammer": showAnother},
		Customize:   limit(rate).document,
	}
}
