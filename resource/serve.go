package resource

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/trove-api/trove/internal/httpserve"
)

const (
	// headerBytes is enough for cookies and tokens. Header fields are read into memory before anything can be
	// refused.
	headerBytes = 16 << 10
	// headerTime is how long a client may take for its header, bodyTime for all of its request: a
	// body has 1 MiB where nothing else is said.
	headerTime, bodyTime = 5 * time.Second, 30 * time.Second
	// answerTime is how long a client may take to read an answer, from its request on.
	answerTime = time.Minute
	// idleTime is how long a connection stays open that nobody uses.
	idleTime = 2 * time.Minute
	// graceTime is how long requests in hand may take to finish at the end.
	graceTime = 10 * time.Second
)

// Serve serves HTTP with the limits that net/http leaves out, until ctx ends; it then lets the requests
// in hand finish, for 10 seconds at most, and returns nil where they have. It breaks off streams at once, because
// they may take longer. A client has 5 seconds for its header, which
// has 16 KiB at most, 30 for its request and a minute until it has read the answer, and may leave a
// connection idle for two. The listener is closed in the end. Where other limits are needed, such as for
// streams that take longer, use an http.Server of your own.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler: handler, MaxHeaderBytes: headerBytes, ReadHeaderTimeout: headerTime,
		ReadTimeout: bodyTime, WriteTimeout: answerTime, IdleTimeout: idleTime,
		BaseContext: func(net.Listener) context.Context { return httpserve.WithEnding(context.Background(), ctx) },
	}
	finished := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
		defer cancel()
		finished <- server.Shutdown(grace)
	})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		stop() // the listener has failed, and nobody waits for the end any more
		return err
	}
	return <-finished
}
