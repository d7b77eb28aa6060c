package cli_test

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/trove-api/trove/cli"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// A program passes its arguments to Parse. Here they print the routes instead of serving.
func Example() {
	flags := flag.NewFlagSet("bookshop", flag.ContinueOnError)
	common := cli.Define(flags)
	if err := common.Parse(os.Stdout, []string{"-routes"}); err != nil {
		fmt.Println(err)
		return
	}
	api, err := resource.New(resource.Config{}, resource.Of[Book]{})
	if err == nil {
		err = openapi.Mount(api, documentation)
	}
	if err == nil {
		err = common.Run(context.Background(), os.Stdout, api, documentation)
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// METHOD  PATH             OPERATION   STATUS
	// GET     /api/books/{id}  getBook     200
	// GET     /api/books       listBooks   200
	// POST    /api/books       createBook  201
	// PUT     /api/books/{id}  updateBook  200
	// PATCH   /api/books/{id}  patchBook   200
	// DELETE  /api/books/{id}  deleteBook  204
}
