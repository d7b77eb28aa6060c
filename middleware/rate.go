package middleware

import (
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/go-chi/httprate"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Rate limits each client to perMinute requests a minute. Further ones get a 429 with Retry-After and a problem body
// (RFC 9457). All requests count, except those to /healthz and /readyz. Zero or less means no limit.
//
// To limit single operations, use it in [resource.Config.Around]. They then share one limit, which calls of agents
// count towards too. For a route of your own, use it with chi's With.
//
// A client is the host of RemoteAddr, for IPv6 the first 64 bits of it. Behind a proxy use [RateBy], because all
// connections come from the proxy. Each instance of a service counts for itself, in memory.
func Rate(perMinute int) func(http.Handler) http.Handler {
	return RateBy(connection, perMinute)
}

// RateBy is [Rate] with a function that identifies the client of a request. It can return a header field that the proxy
// sets, or the principal that a middleware has set. With chi, use middleware.GetClientIP after one of its ClientIPFrom…
// middleware. If the result looks like IPv6, only its first 64 bits count.
func RateBy(client func(*http.Request) string, perMinute int) func(http.Handler) http.Handler {
	if perMinute <= 0 {
		return unchanged
	}
	key := func(r *http.Request) (string, error) { return httprate.CanonicalizeIP(client(r)), nil }
	limit := httprate.LimitBy(perMinute, time.Minute, key, httprate.WithLimitHandler(func(w http.ResponseWriter, r *http.Request) {
		resource.WriteError(w, r, operation.Error{
			Status: http.StatusTooManyRequests,
			Detail: fmt.Sprintf("Too many requests: at most %d per minute are allowed. Try again later.", perMinute),
		})
	}))
	return func(next http.Handler) http.Handler {
		limited := limit(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// Health checks do not count, because they must work when the service is busiest.
			if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
				next.ServeHTTP(w, r)
			} else {
				limited.ServeHTTP(w, r)
			}
		})
	}
}

// connection returns the remote address of a request's client.
func connection(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr // a Unix socket has no port
	}
	return host
}
