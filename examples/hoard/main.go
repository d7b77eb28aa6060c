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
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		log.Fatal("hoard: ", err)
	}
}

// run does what the flags say: it serves until ctx ends, and then lets the requests in hand finish.
func run(ctx context.Context, args []string, out, logs io.Writer) (err error) {
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
	_ = flags.Parse(args) // it exits by itself
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
		h.observers = []observe.Observer{observe.AccessLog(slog.New(slog.NewTextHandler(logs, nil)))}
	}
	api, err := h.newAPI()
	if err != nil {
		return err
	}
	switch {
	case *document:
		return openapi.Export(out, api, documentation)
	case *routes:
		return api.WriteRoutes(out)
	}
	if err := h.begin(ctx, *demo, *admin, out); err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", *addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Treasures:     http://%[1]s/api/dragon_treasures\nDocumentation: http://%[1]s/api/docs\n", listener.Addr())
	return resource.Serve(ctx, listener, api)
}
