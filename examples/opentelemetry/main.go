// Command opentelemetry is a service that reports its requests and the statements of its database as OpenTelemetry
// traces and metrics, on the standard output.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// grace is how long requests and exporters may take after the program gets a signal to stop.
const grace = 10 * time.Second

func main() {
	address := flag.String("addr", "localhost:8000", "network address to serve at")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", *address)
	if err == nil {
		err = run(ctx, listener, os.Stdout)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "opentelemetry:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends, and writes spans and metrics to out.
func run(ctx context.Context, listener net.Listener, out io.Writer) error {
	providers, err := newProviders(out)
	if err != nil {
		return err
	}
	db, err := sqlite.Open(":memory:")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	api, err := newAPI(ctx, db, providers.spans, providers.metrics)
	if err == nil {
		err = serve(ctx, listener, api)
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	return errors.Join(err, providers.shutdown(ending)) // after the span of the last request has ended
}

// serve serves until ctx ends, and then waits for running requests.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: grace}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	return server.Shutdown(ending)
}
