// Command tutorial runs the program of a step of docs/guides/tutorial.md: go run ./examples/tutorial 3.
package main

import (
	"log"
	"os"
	"strconv"

	"github.com/trove-api/trove/examples/tutorial/step01"
	"github.com/trove-api/trove/examples/tutorial/step02"
	"github.com/trove-api/trove/examples/tutorial/step03"
	"github.com/trove-api/trove/examples/tutorial/step04"
	"github.com/trove-api/trove/examples/tutorial/step05"
	"github.com/trove-api/trove/examples/tutorial/step06"
	"github.com/trove-api/trove/examples/tutorial/step07"
	"github.com/trove-api/trove/examples/tutorial/step08"
	"github.com/trove-api/trove/examples/tutorial/step09"
	"github.com/trove-api/trove/examples/tutorial/step10"
)

func main() {
	steps := []func(){
		step01.Main, step02.Main, step03.Main, step04.Main, step05.Main,
		step06.Main, step07.Main, step08.Main, step09.Main, step10.Main,
	}
	if len(os.Args) == 2 {
		if n, err := strconv.Atoi(os.Args[1]); err == nil && n >= 1 && n <= len(steps) {
			steps[n-1]()
			return
		}
	}
	log.Fatalf("usage: tutorial STEP, a number from 1 to %d", len(steps))
}
