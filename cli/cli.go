// Package cli defines the usual flags of a program that serves an API. They set the listen address, limits and an
// access log, and print the OpenAPI document or the routes. [Main] is a whole main function. If your program does more,
// use the flags:
//
//	func run(ctx context.Context) error {
//		common := cli.Define(flag.CommandLine)
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
// The flags need no further code. Define other flags in the same set. Nothing in Trove requires this package.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
)

// Flags has the values of the flags. Create it with [Define]; the values are set by [Flags.Parse].
type Flags struct {
	// Addr is the listen address, set by -addr; port 0 selects a free port. Default: 127.0.0.1:8000.
	Addr string
	// Rate is the maximum number of requests per client and minute, set by -rate; 0 or less means no limit. Default:
	// 6000.
	Rate int
	// Origins are the web origins that can use the API (CORS), set by -origins, separated by commas. Default: none.
	Origins []string
	// Hosts are the names that requests may have as Host in addition to those of the machine, if Addr is a loopback
	// address. They are set by -hosts, separated by commas; "*" allows all: see [resource.Serve]. Default: none.
	Hosts []string
	// Log reports whether -log enables the access log. Default: false.
	Log bool
	// Document and Routes report whether -openapi or -routes prints the OpenAPI document or a table of routes instead of
	// serving.
	Document, Routes bool

	set  *flag.FlagSet
	plan plan
}

// Define adds the flags -addr, -rate, -origins, -hosts, -log, -openapi and -routes to a set, and returns their values, which
// [Flags.Parse] sets. Only [Main] has -plan, -migrations and -migration-tool.
func Define(flags *flag.FlagSet) *Flags {
	f := &Flags{set: flags}
	flags.StringVar(&f.Addr, "addr", "127.0.0.1:8000", "listen address; port 0 selects a free port")
	flags.IntVar(&f.Rate, "rate", 6000, "maximum requests per client and minute; 0 for no limit")
	flags.BoolVar(&f.Log, "log", false, "write an access log to standard error")
	flags.BoolVar(&f.Document, "openapi", false, "print the OpenAPI document and exit")
	flags.BoolVar(&f.Routes, "routes", false, "print the routes and exit")
	list := func(name, usage string, to *[]string) {
		flags.Func(name, usage, func(list string) error {
			*to = strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
			return nil
		})
	}
	list("origins", "comma-separated web origins that can use the API; * for all", &f.Origins)
	list("hosts", "comma-separated public host names, behind a proxy on the same machine; * for all", &f.Hosts)
	return f
}

// Parse parses the arguments of a program that has only flags. With -h it prints the flags to out and returns
// [flag.ErrHelp]. Errors are one line and suggest a flag for a misspelled one. It never exits, regardless of the set's
// error handling.
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
	if name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: "); unknown {
		var names []string
		f.set.VisitAll(func(each *flag.Flag) { names = append(names, "-"+each.Name) })
		err = fmt.Errorf("unknown flag %s%s", name, naming.DidYouMean(name, names))
	}
	return fmt.Errorf("%w; -h lists the flags", err)
}

// Prints reports whether the program prints something instead of serving, so that it needs no database.
func (f *Flags) Prints() bool { return f.Document || f.Routes }

// Run prints the document or the routes if a flag says so. Otherwise it prints the URLs of the API, its documentation and
// what else is mounted, such as the admin, and the hints, in which {url} is the URL of the API. Then it serves the API like
// resource.Serve until ctx ends. The config is the one that [openapi.Mount] got. The access log goes to the output of the
// flag set in the format of slog.TextHandler. Call Run once for an API.
func (f *Flags) Run(ctx context.Context, out io.Writer, api *resource.API, config openapi.Config, hints ...string) error {
	switch {
	case f.Document:
		return openapi.Export(out, api, config)
	case f.Routes:
		return api.WriteRoutes(out)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.Addr)
	if err != nil {
		return fmt.Errorf("cannot serve: %w; choose another listen address with -addr, such as -addr 127.0.0.1:0 for a free port", err)
	}
	model := compiled.Of(api)
	server := "http://" + browsable(listener.Addr())
	url := server + model.Prefix
	lines := []string{"API:           {url}", "Documentation: {url}/docs"}
	for _, link := range model.Links() {
		if !strings.HasPrefix(link.Rel, "service-") { // the documentation
			lines = append(lines, fmt.Sprintf("%-14s %s", link.Title+":", server+link.Path))
		}
	}
	lines = append(append(lines, hints...), "Press Ctrl-C to stop.", "")
	if _, err := io.WriteString(out, strings.ReplaceAll(strings.Join(lines, "\n"), "{url}", url)); err != nil {
		return errors.Join(err, listener.Close())
	}
	if f.Log {
		logger := slog.New(slog.NewTextHandler(f.set.Output(), nil))
		model.Observers = append(slices.Clip(model.Observers), observe.AccessLog(logger))
	}
	limited := middleware.Origins(f.Origins...)(middleware.Rate(f.Rate)(api))
	return resource.Serve(ctx, listener, limited, slices.Concat(f.Hosts, model.Hosts())...)
}

// browsable returns a network address that a browser on this machine can open: localhost for an unspecified IP address.
func browsable(address net.Addr) string {
	if tcp, ok := address.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return address.String()
}
