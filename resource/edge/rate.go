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

// Rate limits each client to perMinute requests a minute. Further ones get a 429 with Retry-After and a problem body
// (RFC 9457). With paths, only requests to them count, including those with a format suffix (/api/users.jsonld). All
// paths share one limit. Without paths, all requests count except those to /healthz and /readyz. A path may begin with
// a method: "POST /api/users". Zero or less means no limit.
//
// A client is the host of RemoteAddr, for IPv6 the first 64 bits of it. Behind a proxy use [RateBy], because all
// connections come from the proxy. Each instance of a service counts for itself, in memory.
func Rate(perMinute int, paths ...string) func(http.Handler) http.Handler {
	return RateBy(connection, perMinute, paths...)
}

// RateBy is [Rate] with a function that identifies the client of a request. It can return a header field that the proxy
// sets, or the principal. With chi, use middleware.GetClientIP after one of its ClientIPFrom… middleware. If the result
// looks like IPv6, only its first 64 bits count.
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

// target is a path to count, with any method or one.
type target struct{ method, path string }

// counts reports whether a request counts. Health checks do not, because they must work when the service is busiest.
func counts(r *http.Request, targets []target) bool {
	if len(targets) > 0 {
		return slices.ContainsFunc(targets, func(t target) bool { return t.has(r) })
	}
	return r.URL.Path != "/healthz" && r.URL.Path != "/readyz"
}

// has reports whether a request is to the target. It ignores a format suffix, as the API does when it chooses the
// operation.
func (t target) has(r *http.Request) bool {
	after, found := strings.CutPrefix(r.URL.Path, t.path)
	isSuffix := strings.HasPrefix(after, ".") && !strings.Contains(after, "/")
	return found && (after == "" || isSuffix) && (t.method == "" || t.method == r.Method)
}

// connection returns the remote address of a request's client.
func connection(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr // a Unix socket has no port
	}
	return host
}
