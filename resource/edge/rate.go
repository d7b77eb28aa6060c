package edge

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/go-chi/httprate"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Rate refuses the requests of an address that makes more than perMinute of them in a minute: 429 with a problem
// (RFC 9457) and Retry-After. With paths it counts the requests to these, together; without, all but those to
// /healthz and /readyz. Zero or less is no limit. IPv6 addresses of one /64 count as one. Each instance of a service
// counts for itself, in memory. The address is that of the connection, which behind a proxy is the proxy's: use
// [RateBy] there.
func Rate(perMinute int, paths ...string) func(http.Handler) http.Handler {
	return RateBy(connection, perMinute, paths...)
}

// RateBy is [Rate] for what a function tells of a request, in place of the address of its connection: middleware.GetClientIP
// of chi behind one of its middleware ClientIPFrom…, the field of a header that the proxy sets, or who has been found to ask. What looks
// like an IPv6 address counts by its /64.
func RateBy(client func(*http.Request) string, perMinute int, paths ...string) func(http.Handler) http.Handler {
	if perMinute <= 0 {
		return unchanged
	}
	key := func(r *http.Request) (string, error) { return httprate.CanonicalizeIP(client(r)), nil }
	limit := httprate.LimitBy(perMinute, time.Minute, key, httprate.WithLimitHandler(func(w http.ResponseWriter, r *http.Request) {
		resource.WriteError(w, r, operation.Error{
			Status: http.StatusTooManyRequests,
			Detail: fmt.Sprintf("At most %d such requests a minute are served to one client.", perMinute),
		})
	}))
	return func(next http.Handler) http.Handler {
		limited := limit(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if counts(r.URL.Path, paths) {
				limited.ServeHTTP(w, r)
			} else {
				next.ServeHTTP(w, r)
			}
		})
	}
}

// counts reports whether requests to a path do. What watches over a service is to be answered when the service is
// busiest.
func counts(path string, paths []string) bool {
	if len(paths) > 0 {
		return slices.Contains(paths, path)
	}
	return path != "/healthz" && path != "/readyz"
}

// connection returns the address of a request's connection.
func connection(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr // that of a socket which is a file
	}
	return host
}
