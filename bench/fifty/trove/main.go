// Command trove serves fifty resources with Trove, and their document.
package main

import (
	"fmt"
	"os"

	"github.com/trove-api/trove/bench/fifty"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

func main() {
	api, err := resource.New(resource.Config{}, items()...)
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Title: "Fifty", Version: "1.0.0"})
	}
	if err == nil {
		err = fifty.Serve(api)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
