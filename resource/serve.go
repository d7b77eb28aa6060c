package resource

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/serve"
)

const (
	// headerBytes is enough for cookies and tokens. Headers are read into memory before a request can be rejected.
	headerBytes = 16 << 10
	// headerTime limits reading the header, bodyTime the whole request. A body has at most 1 MiB by default.
	headerTime, bodyTime = 5 * time.Second, 30 * time.Second
	// responseTime limits how long a client may take to read the response, from its request on.
	responseTime = time.Minute
	// idleTime is how long an unused connection stays open.
	idleTime = 2 * time.Minute
	// graceTime is how long running requests may take during shutdown.
	graceTime = 10 * time.Second
)

// Serve serves HTTP until ctx ends, with limits that net/http does not set by default. It then lets running requests
// finish, for at most 10 seconds. It returns nil if they do, else context.DeadlineExceeded. If the listener fails, it
// returns that error at once. Streams are aborted when ctx ends, because they may take longer.
//
// A client has 5 seconds to send the header of a request, which has at most 16 KiB. It has 30 seconds for the whole
// request, and a minute to read the response. Idle connections close after two minutes. Serve closes the listener. For
// other limits, such as for longer streams, use your own http.Server.
//
// If the listener has a loopback address, such as 127.0.0.1:8000, the Host of a request must be localhost, a name below it,
// a loopback address, or one of the hosts, which have no port. Other requests return 421. Otherwise web pages that the
// user of the machine visits could use the service under their own host name (DNS rebinding). So name the public hosts
// behind a proxy on the same machine that forwards Host; "*" accepts all. If the handler is an [API], the host of
// [Config.PublicURL] is one of them. With any other listener, hosts have no effect. A URL instead of a host is an error.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, hosts ...string) error {
	if i := slices.IndexFunc(hosts, func(host string) bool { return strings.Contains(host, "/") }); i >= 0 {
		_ = listener.Close()
		return fmt.Errorf("resource.Serve: the host is %q; write only the name, such as api.example.com", hosts[i])
	}
	if serve.IsLoopback(listener.Addr()) {
		if api, ok := handler.(*API); ok {
			hosts = slices.Concat(hosts, api.model.Hosts())
		}
		handler = serve.Local(handler, hosts)
	}
	server := &http.Server{
		Handler: handler, MaxHeaderBytes: headerBytes, ReadHeaderTimeout: headerTime,
		ReadTimeout: bodyTime, WriteTimeout: responseTime, IdleTimeout: idleTime,
		BaseContext: func(net.Listener) context.Context { return serve.WithEnding(context.Background(), ctx) },
	}
	finished := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
		defer cancel()
		finished <- server.Shutdown(grace)
	})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		stop() // the listener failed, and finished is not read
		return err
	}
	return <-finished
}
