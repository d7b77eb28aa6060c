// Command library serves books, their authors and their subjects in formats of linked data, as an
// example of these and for their clients. Run it with
//
//	go run ./examples/library
//
// and ask for http://127.0.0.1:8000/api as application/ld+json. It keeps its records in memory.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8000", "address to serve at")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := serve(ctx, *addr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "library:", err)
		os.Exit(1)
	}
}

// serve serves until ctx ends.
func serve(ctx context.Context, addr string) error {
	api, err := newAPI()
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("Entrypoint:    http://%[1]s/api\nDocumentation: http://%[1]s/api/docs\n", listener.Addr())
	server := &http.Server{Handler: api, ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
