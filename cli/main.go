package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// Main is the main function of a program that serves one API:
//
//	func main() { cli.Main(newAPI, openapi.Config{Title: "Bookshop", Version: "1.0.0"}) }
//
// It defines the flags of this package in flag.CommandLine, next to your own, and parses them. Then it calls newAPI,
// mounts the documentation and calls [Flags.Run]. So newAPI must not call openapi.Mount. It also runs for -openapi and
// -routes. The flags -plan and -migrations call newAPI too: Create and Migrate of a database, if they get the context, then
// change nothing and return an error, which newAPI must return, and the program prints what they would change.
//
// The context ends when the program is interrupted (SIGINT or SIGTERM), and running requests can finish. An
// error is printed to standard error, and the program exits with status 1.
func Main(newAPI func(ctx context.Context) (*resource.API, error), documentation openapi.Config) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	flags := Define(flag.CommandLine)
	flags.plan.define(flag.CommandLine)
	err := flags.main(ctx, os.Stdout, os.Args[1:], newAPI, documentation)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:revive // it is a main function
	}
}

// main is Main with everything that depends on the process as an argument.
func (f *Flags) main(
	ctx context.Context, out io.Writer, args []string, newAPI func(ctx context.Context) (*resource.API, error), documentation openapi.Config,
) error {
	switch err := f.Parse(out, args); {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return err
	}
	if f.plan.isSet() {
		return f.plan.run(ctx, out, newAPI)
	}
	api, err := newAPI(ctx)
	if err == nil {
		err = openapi.Mount(api, documentation)
	}
	if err != nil {
		return err
	}
	return f.Run(ctx, out, api, documentation)
}
