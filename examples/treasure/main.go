// Command treasure serves two resources, treasures and programmers, as an example of
// Trove. Run it with
//
//	go run ./examples/treasure
//
// and open the page whose address it prints. It keeps its records in treasures.db, in the
// folder it is started in; -db names another file, :memory:, or a PostgreSQL by its URL.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation/observe"
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

// run serves until ctx ends, and then lets the requests in hand finish.
func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("treasure", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // mistakes are told once, by main
	addr := flags.String("addr", "127.0.0.1:8000", "address to serve at")
	name := flags.String("db", "treasures.db", "SQLite file, :memory:, or postgres:// URL to keep records in")
	document := flags.Bool("openapi", false, "print the OpenAPI document and exit")
	routes := flags.Bool("routes", false, "print what is served where and exit")
	logged := flags.Bool("log", false, "write an access log to the standard error")
	rate := flags.Int("rate", 6000, "requests that one address may make in a minute; 0 for no limit")
	origins := flags.String("origins", "", "origins of web pages that may use the service, separated by commas; * for all")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(out, "Usage of treasure:")
		flags.SetOutput(out)
		flags.PrintDefaults()
		return nil
	case err == nil && flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
		fallthrough
	case err != nil:
		return fmt.Errorf("%w; -h lists what there is", err)
	}
	settings := settings{edge: edge{rate: *rate, origins: strings.FieldsFunc(*origins, func(r rune) bool { return r == ',' })}}
	if *logged {
		settings.observers = []observe.Observer{observe.AccessLog(slog.New(slog.NewTextHandler(os.Stderr, nil)))}
	}
	if *document || *routes {
		*name = ":memory:" // neither depends on what is kept
	}
	db, err := open(ctx, *name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	api, err := newAPI(db, settings)
	if err != nil {
		return err
	}
	switch {
	case *document:
		return openapi.Export(out, api, documentation(settings.edge))
	case *routes:
		return api.WriteRoutes(out)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", *addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Treasures:     http://%[1]s/api/dragon_treasures\nProgrammers:   http://%[1]s/api/programmers\n"+
		"Documentation: http://%[1]s/api/docs\n", listener.Addr())
	return serve(ctx, listener, api)
}
