package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/cors"
	"github.com/go-chi/httprate"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// middleware lists what stands between clients and operations, the outermost first.
func (h *hoard) middleware() []func(http.Handler) http.Handler {
	list := []func(http.Handler) http.Handler{middleware.RequestID}
	if len(h.origins) > 0 {
		list = append(list, cors.Handler(cors.Options{
			AllowedOrigins: h.origins,
			AllowedMethods: []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"},
			AllowedHeaders: []string{"Accept", "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"},
			ExposedHeaders: []string{"Deprecation", "ETag", "Idempotent-Replayed", "Link", "Location", "Retry-After", "Sunset", "X-Total-Count"},
			MaxAge:         600,
		}))
	}
	return append(list, limitRate(h.rate))
}

// limitRate refuses the requests of an address that makes more in a minute; 0 is no limit. Behind a proxy, take
// the address from the field that the proxy sets.
func limitRate(rate int) func(http.Handler) http.Handler {
	refuse := refusal(http.StatusTooManyRequests, fmt.Sprintf("One address may make %d requests a minute.", rate))
	limit := httprate.LimitBy(rate, time.Minute, httprate.KeyByIP, httprate.WithLimitHandler(refuse))
	return func(next http.Handler) http.Handler {
		limited := limit(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if rate <= 0 || r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
				next.ServeHTTP(w, r)
			} else {
				limited.ServeHTTP(w, r)
			}
		})
	}
}

// refusal answers with a problem, as operations do.
func refusal(status int, detail string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		resource.WriteError(w, r, operation.Error{Status: status, Detail: detail})
	}
}

func serve(ctx context.Context, addr string, handler http.Handler, out io.Writer) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Treasures:     http://%[1]s/api/dragon_treasures\nDocumentation: http://%[1]s/api/docs\n", listener.Addr())
	server := &http.Server{ // net/http itself bounds nothing that a client can hold
		Handler: handler, MaxHeaderBytes: 16 << 10, ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
	}
	finished := make(chan error, 1)
	context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		finished <- server.Shutdown(grace)
	})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-finished
}
