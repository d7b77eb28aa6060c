// Command empty answers 200 to everything: what no program can be faster than.
package main

import (
	"fmt"
	"net/http"
	"os"

	"github.com/trove-api/trove/bench/fifty"
)

func main() {
	if err := fifty.Serve(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
