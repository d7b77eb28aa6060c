package edge

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/httprate"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Rate refuses the requests of an address that makes more than perMinute of them in a minute: 429 with a problem
// (RFC 9457) and Retry-After. With paths it counts the requests to these, together, with a format suffix too
// (/api/users.jsonld); without, all but those to /healthz and /readyz. A path may have a method before it:
// "POST /api/users". Zero or less is no limit. IPv6 addresses of one /64 count as one. Each instance of a service
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
			Detail: fmt.Sprintf("Too many requests: at most %d per minute are allowed. Try again later.", perMinute),
		})
	}))
	targets := make([]target, 0, len(paths))
	for _, path := range paths {
		method, after, found := strings.Cut(path, " ")
		if !found {
			method, after = "", path
		}
		targets = append(targets, target{method, after})
	}
	return func(next http.Handler) http.Handler {
		limited := limit(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if counts(r, targets) {
				limited.ServeHTTP(w, r)
			} else {
				next.ServeHTTP(w, r)
			}
		})
	}
}

// target is what requests are counted of: a path, with any method or one.
type target struct{ method, path string }

// counts reports whether a request does. What watches over a service is to be answered when the service is
// busiest.
func counts(r *http.Request, targets []target) bool {
	if len(targets) > 0 {
		return slices.ContainsFunc(targets, func(t target) bool { return t.has(r) })
	}
	return r.URL.Path != "/healthz" && r.URL.Path != "/readyz"
}

// has reports whether a request is to the target. A format suffix does not count, because the API ignores it
// when it chooses the operation.
func (t target) has(r *http.Request) bool {
	after, found := strings.CutPrefix(r.URL.Path, t.path)
	isSuffix := strings.HasPrefix(after, ".") && !strings.Contains(after, "/")
	return found && (after == "" || isSuffix) && (t.method == "" || t.method == r.Method)
}

// connection returns the address of a request's connection.
func connection(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr // that of a socket which is a file
	}
	return host
}
