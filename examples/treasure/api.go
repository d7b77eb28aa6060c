package main

import (
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
)

// settings are what the flags say of the service. The zero value is what tests use.
type settings struct {
	edge      edge
	observers []observe.Observer
}

// newAPI makes the service: its resources, their documentation, and what watches over it.
func newAPI(db *database, s settings) (*resource.API, error) {
	api, err := resource.New(resource.Config{
		Middleware:    s.edge.middleware(),
		RequestID:     middleware.GetReqID,
		Observers:     s.observers,
		MaxConcurrent: 512,
		Timeout:       10 * time.Second,
	}, treasures(db.treasures), programmers(db.programmers))
	if err != nil {
		return nil, err
	}
	api.Router().Get("/healthz", api.Healthz)
	api.Router().Get("/readyz", api.Readyz)
	return api, openapi.Mount(api, documentation(s.edge))
}

// documentation is what the document says of the service as a whole.
func documentation(e edge) openapi.Config {
	return openapi.Config{
		Title:       "Treasures",
		Version:     "1.0.0",
		Description: "Treasures that dragons guard, and the programmers who look for them.",
		Contact:     &openapi3.Contact{Name: "The Trove authors", URL: "https://github.com/trove-api/trove"},
		License:     &openapi3.License{Name: "MIT", Identifier: "MIT"},
		Servers:     openapi3.Servers{{URL: "/", Description: "This server."}},
		Customize:   e.document,
	}
}
