// Code generated from docs/guides/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

// Package step01 is the program after step 1 of the tutorial.
package step01

import (
	"log"
	"net/http"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// NewAPI makes the service. Mistakes in declarations are told here, all at once.
func NewAPI() (*resource.API, error) {
	api, err := resource.New(resource.Config{}, treasures())
	if err != nil {
		return nil, err
	}
	return api, openapi.Mount(api, openapi.Config{Title: "The hoard", Version: "1.0.0"})
}

// Main serves it until you press Ctrl-C.
func Main() {
	api, err := NewAPI()
	if err != nil {
		log.Fatal(err)
	}
	log.Print("Documentation: http://127.0.0.1:8000/api/docs")
	log.Fatal(http.ListenAndServe("127.0.0.1:8000", api))
}
