// Command treasure serves two resources, treasures and programmers, as an example of Trove. Run it with
//
//	go run ./examples/treasure
//
// and open the URL of the documentation that it prints. It keeps its records in the file treasures.db in the current folder;
// -db names another file, :memory:, or a PostgreSQL database by its URL.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/trove-api/trove/cli"
	locate "github.com/trove-api/trove/store/sqlstore/database"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "treasure:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends, and then lets running requests finish.
func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("treasure", flag.ContinueOnError)
	name := flags.String("db", "treasures.db", "SQLite file, :memory:, or postgres:// URL to keep records in")
	common := cli.Define(flags)
	if err := common.Parse(out, args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if common.Prints() {
		*name = ":memory:" // the output does not depend on records
	}
	db, err := open(ctx, *name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	api, err := newAPI(db, common.Rate)
	if err != nil {
		return err
	}
	return common.Run(ctx, out, api, documentation(common.Rate),
		"Records:       "+locate.Describe(*name),
		"Try:           curl -g '{url}/dragon_treasures?value[gte]=1000&sort=-value'")
}
