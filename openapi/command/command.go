// Package command has the flags that programs serving an API share: where to serve, limits, a log, and what to print.
//
//	func run(ctx context.Context) error {
//		common := command.Define(flag.CommandLine)
//		if err := common.Parse(os.Stdout, os.Args[1:]); err != nil {
//			return err // flag.ErrHelp after -h
//		}
//		api, err := resource.New(resource.Config{}, Books)
//		if err == nil {
//			err = openapi.Mount(api, documentation)
//		}
//		if err != nil {
//			return err
//		}
//		return common.Run(ctx, os.Stdout, api, documentation)
//	}
//
// Each flag works without further code. A program that needs other flags defines its own; nothing in Trove requires this
// package.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/resource/edge"
)

// Flags are the values of the flags, once they are parsed.
type Flags struct {
	// Addr is the address to serve at, set by -addr. Default: 127.0.0.1:8000.
	Addr string
	// Rate is how many requests one client may make per minute, set by -rate; 0 is no limit. Default: 6000.
	Rate int
	// Origins are the origins whose pages may use the API, set by -origins. Default: none.
	Origins []string
	// Log reports that -log asks for an access log.
	Log bool
	// Document and Routes report that -openapi or -routes asks to print the OpenAPI document or a table of routes
	// instead of serving.
	Document, Routes bool

	set *flag.FlagSet
}

// Define adds the flags -addr, -rate, -origins, -log, -openapi and -routes to those of a program, and returns their values,
// which are valid after parsing.
func Define(flags *flag.FlagSet) *Flags {
	f := &Flags{set: flags}
	flags.StringVar(&f.Addr, "addr", "127.0.0.1:8000", "address to serve at; port 0 takes a free one")
	flags.IntVar(&f.Rate, "rate", 6000, "requests that one client may make per minute; 0 for no limit")
	flags.BoolVar(&f.Log, "log", false, "write an access log to the standard error")
	flags.BoolVar(&f.Document, "openapi", false, "print the OpenAPI document and exit")
	flags.BoolVar(&f.Routes, "routes", false, "print the routes and exit")
	flags.Func("origins", "origins of web pages that may use the API, separated by commas; * for all", func(list string) error {
		f.Origins = strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
		return nil
	})
	return f
}

// Parse parses the arguments of a program that takes flags alone. An error is one line, and suggests a flag for a misspelled
// one. With -h it prints the flags to out and returns [flag.ErrHelp]. It never exits, whatever the flag set's error handling.
func (f *Flags) Parse(out io.Writer, args []string) error {
	logs := f.set.Output()
	f.set.Init(f.set.Name(), flag.ContinueOnError)
	f.set.SetOutput(io.Discard) // the caller prints the error
	defer f.set.SetOutput(logs)
	err := f.set.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		f.set.SetOutput(out)
		f.set.Usage()
		return err
	case err == nil && f.set.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", f.set.Arg(0))
	case err == nil:
		return nil
	}
	if name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); unknown {
		var names []string
		f.set.VisitAll(func(each *flag.Flag) { names = append(names, each.Name) })
		err = fmt.Errorf("unknown flag -%s", name)
		if near := naming.Suggest(name, names); near != "" {
			err = fmt.Errorf("%w; did you mean -%s?", err, near)
		}
	}
	return fmt.Errorf("%w; -h lists the flags", err)
}

// Prints reports whether the program prints something instead of serving. It needs no records then: a database in memory
// will do.
func (f *Flags) Prints() bool { return f.Document || f.Routes }

// Run prints the document or the routes if flags ask for it. Otherwise it prints the URLs of the API and of its
// documentation, and serves the API until ctx ends, as resource.Serve does, with the limits and the log that flags set.
// Call it once for an API. The config is that of openapi.Mount. Hints are further lines to print; {url} in them stands for
// the URL of the API. The access log goes to the output of the flag set, by default the standard error, in the form of
// slog.TextHandler. The error of an address that cannot be served at names -addr.
func (f *Flags) Run(ctx context.Context, out io.Writer, api *resource.API, config openapi.Config, hints ...string) error {
	switch {
	case f.Document:
		return openapi.Export(out, api, config)
	case f.Routes:
		return api.WriteRoutes(out)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.Addr)
	if err != nil {
		return fmt.Errorf("cannot serve: %w; choose another address with -addr, such as -addr 127.0.0.1:0 for a free port", err)
	}
	model := compiled.Of(api)
	url := "http://" + browsable(listener.Addr()) + model.Prefix
	lines := append([]string{"API:           {url}", "Documentation: {url}/docs"}, hints...)
	lines = append(lines, "Press Ctrl-C to stop.", "")
	if _, err := io.WriteString(out, strings.ReplaceAll(strings.Join(lines, "\n"), "{url}", url)); err != nil {
		return errors.Join(err, listener.Close())
	}
	if f.Log {
		logger := slog.New(slog.NewTextHandler(f.set.Output(), nil))
		model.Observers = append(slices.Clip(model.Observers), observe.AccessLog(logger))
	}
	return resource.Serve(ctx, listener, f.limited(api))
}

// browsable returns an address as a browser on this machine takes it: one that stands for all addresses is localhost.
func browsable(address net.Addr) string {
	if tcp, ok := address.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return address.String()
}

// limited puts the limits that flags set around the API.
func (f *Flags) limited(api http.Handler) http.Handler {
	return edge.Origins(f.Origins...)(edge.Rate(f.Rate)(api))
}
