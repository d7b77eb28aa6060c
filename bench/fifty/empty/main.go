// Command empty returns 200 for every request. No program can be faster.
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
