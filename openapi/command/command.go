// Package command has what programs that serve an API have in common: flags, and what they ask for.
//
//	common := command.Define(flag.CommandLine)
//	flag.Parse()
//	api, err := resource.New(resource.Config{
//		Middleware: []func(http.Handler) http.Handler{edge.Origins(common.Origins...), edge.Rate(common.Rate)},
//		Observers:  common.Observers(os.Stderr),
//	}, Books)
//	if err == nil {
//		err = openapi.Mount(api, documentation)
//	}
//	if err == nil {
//		err = common.Run(ctx, os.Stdout, api, documentation)
//	}
//
// A program that wants other flags has its own; nothing of Trove needs this package.
package command

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
)

// Flags are what the flags of a program say, once they are parsed.
type Flags struct {
	// Addr is the address to serve at, by -addr. Default: 127.0.0.1:8000.
	Addr string
	// Rate is how many requests one client may make in a minute, by -rate, for edge.Rate; 0 for no limit. Default: 6000.
	Rate int
	// Origins are those of pages that may use the service, by -origins, for edge.Origins. Default: none.
	Origins []string
	// Log says, by -log, that there is to be an access log.
	Log bool
	// Document and Routes say, by -openapi and -routes, that the OpenAPI document or a table of routes is to be
	// printed, and that nothing is to be served.
	Document, Routes bool
}

// Define adds the flags -addr, -rate, -origins, -log, -openapi and -routes to those of a program, and returns what they
// say once the program has parsed them.
func Define(flags *flag.FlagSet) *Flags {
	f := new(Flags)
	flags.StringVar(&f.Addr, "addr", "127.0.0.1:8000", "address to serve at")
	flags.IntVar(&f.Rate, "rate", 6000, "requests that one client may make in a minute; 0 for no limit")
	flags.BoolVar(&f.Log, "log", false, "write an access log to the standard error")
	flags.BoolVar(&f.Document, "openapi", false, "print the OpenAPI document and exit")
	flags.BoolVar(&f.Routes, "routes", false, "print what is served where and exit")
	flags.Func("origins", "origins of web pages that may use the service, separated by commas; * for all", func(list string) error {
		f.Origins = strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
		return nil
	})
	return f
}

// Observers returns an access log in the form of slog.TextHandler where -log asks for one, for resource.Config, else none.
func (f *Flags) Observers(w io.Writer) []observe.Observer {
	if !f.Log {
		return nil
	}
	return []observe.Observer{observe.AccessLog(slog.New(slog.NewTextHandler(w, nil)))}
}

// Prints reports whether the program is only to print something. It needs no records then: a database in memory will do.
func (f *Flags) Prints() bool { return f.Document || f.Routes }

// Run prints the document or the routes, if flags ask for it, or else where the API is, and serves it until ctx ends, as
// resource.Serve does. The config is that of openapi.Mount.
func (f *Flags) Run(ctx context.Context, out io.Writer, api *resource.API, config openapi.Config) error {
	switch {
	case f.Document:
		return openapi.Export(out, api, config)
	case f.Routes:
		return api.WriteRoutes(out)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.Addr)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "API:           http://%[1]s%[2]s\nDocumentation: http://%[1]s%[2]s/docs\n", listener.Addr(), compiled.Of(api).Prefix)
	if err != nil {
		_ = listener.Close()
		return err
	}
	return resource.Serve(ctx, listener, api)
}
