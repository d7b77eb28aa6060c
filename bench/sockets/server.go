// Package sockets measures contenders over local sockets. Each runs in its own process, so that its CPU time excludes
// the client.
package sockets

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/trove-api/trove/bench/catalog"
	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/measure"
)

// The commands of a server, one per line.
const (
	askUsage = "usage" // returns the CPU time so far, in nanoseconds
	askReset = "reset" // returns 0 after the store was replaced
)

// Serve serves a contender until its input ends. It first writes the network address.
func Serve(c *contender.Contender, commands io.Reader, answers io.Writer) error {
	s := server{contender: c, items: catalog.Seed()}
	if err := s.reset(); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // there is nothing to wait for
	if err != nil {
		return err
	}
	web := &http.Server{Handler: &s, ReadHeaderTimeout: time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(listener) }()
	_, err = fmt.Fprintln(answers, listener.Addr())
	if err == nil {
		err = s.obey(commands, answers)
	}
	return errors.Join(err, web.Close(), ignoreClosed(<-ended))
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

type server struct {
	contender *contender.Contender
	items     []catalog.Item
	handler   atomic.Pointer[http.Handler]
}

// ServeHTTP calls the handler with the current store.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	(*s.handler.Load()).ServeHTTP(w, r)
}

func (s *server) reset() error {
	handler, err := s.contender.New(s.items)
	if err == nil {
		s.handler.Store(&handler)
		runtime.GC()
	}
	return err
}

// obey executes the commands of the input.
func (s *server) obey(commands io.Reader, answers io.Writer) error {
	lines := bufio.NewScanner(commands)
	for lines.Scan() {
		var usage time.Duration
		var err error
		switch lines.Text() {
		case askUsage:
			usage, err = measure.Usage()
		case askReset:
			err = s.reset()
		default:
			err = fmt.Errorf("there is no command %q", lines.Text())
		}
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(answers, usage.Nanoseconds()); err != nil {
			return err
		}
	}
	return lines.Err()
}
