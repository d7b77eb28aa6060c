// Code generated from docs/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

// Command step03 is the program after step 3 of docs/tutorial.md.
package main

import (
	"log"
	"net/http"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// newAPI builds the service. Its error lists every mistake in the declarations.
func newAPI() (*resource.API, error) {
	api, err := resource.New(resource.Config{}, treasures())
	if err != nil {
		return nil, err
	}
	return api, openapi.Mount(api, openapi.Config{Title: "The hoard", Version: "1.0.0"})
}

// main serves the API until you press Ctrl-C.
func main() {
	api, err := newAPI()
	if err != nil {
		log.Fatal(err)
	}
	log.Print("Documentation: http://localhost:8000/api/docs")
	log.Fatal(http.ListenAndServe("localhost:8000", api))
}
