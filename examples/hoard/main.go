// Command hoard is a whole product on Trove: users who sign in, treasures that they own, publish and review,
// notifications, tokens and quests. Run it with -demo, and open the page whose address it prints.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
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
		log.Fatal("hoard: ", err)
	}
}

// run serves until ctx ends, and then lets the requests in hand finish.
func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("hoard", flag.ExitOnError)
	addr := flags.String("addr", "127.0.0.1:8000", "address to serve at")
	name := flags.String("db", "hoard.db", "SQLite file, :memory:, or postgres:// URL to keep records in")
	demo := flags.Bool("demo", false, "fill an empty database: the tokens of its users are demo-ann, demo-bob and demo-root")
	admin := flags.String("admin", "", "make the first user, an admin with this email, and print the password")
	document := flags.Bool("openapi", false, "print the OpenAPI document and exit")
	routes := flags.Bool("routes", false, "print what is served where and exit")
	logged := flags.Bool("log", false, "write an access log to the standard error")
	rate := flags.Int("rate", 6000, "requests that one address may make in a minute; 0 for no limit")
	origins := flags.String("origins", "", "origins of web pages that may use the service, separated by commas; * for all")
	_ = flags.Parse(args) // which exits
	if *document || *routes {
		*name = ":memory:" // neither depends on what is kept
	}
	h, err := open(ctx, *name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.db.Close()) }()
	h.rate, h.origins = *rate, strings.FieldsFunc(*origins, func(r rune) bool { return r == ',' })
	if *logged {
		h.observers = []observe.Observer{observe.AccessLog(slog.New(slog.NewTextHandler(os.Stderr, nil)))}
	}
	api, err := h.newAPI()
	switch {
	case err != nil:
		return err
	case *document:
		return openapi.Export(out, api, documentation)
	case *routes:
		for _, route := range api.Routes() {
			fmt.Fprintf(out, "%-7s%-48s%-32s%d\n", route.Method, route.Path, route.Operation, route.Status)
		}
		return nil
	case *demo:
		err = h.fill(ctx)
	case *admin != "":
		err = h.makeAdmin(ctx, *admin, out)
	}
	if err != nil {
		return err
	}
	return serve(ctx, *addr, api, out)
}
