package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// newServer bounds what a client can hold, for net/http itself bounds nothing.
func newServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler: handler,
		// A client that sends its header byte by byte is not waited for.
		ReadHeaderTimeout: 5 * time.Second,
		// Nor is one that does so with its body, which has 1 MiB at most.
		ReadTimeout: 30 * time.Second,
		// One that does not read its answer is dropped. The longest answers are streams of
		// a whole collection: set more where those take longer.
		WriteTimeout: 60 * time.Second,
		// A connection that nobody uses costs memory, and opening another one time.
		IdleTimeout: 2 * time.Minute,
		// Header fields are read into memory before anything can be refused.
		MaxHeaderBytes: 16 << 10,
	}
}

// serve serves until ctx ends, and then lets the requests in hand finish.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := newServer(handler)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	err := server.Shutdown(grace)
	if stopped := <-served; !errors.Is(stopped, http.ErrServerClosed) {
		err = errors.Join(err, stopped)
	}
	return err
}
