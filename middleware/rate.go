package middleware

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Rate limits each client to perMinute requests a minute. Further ones get a 429 with Retry-After and a problem body
// (RFC 9457), and do not count. All others count, except those to /healthz and /readyz. Zero or less means no limit.
//
// To limit single operations, use it in [resource.Config.Around]. They then share one limit, which calls of agents
// count towards too. For a route of your own, use it with chi's With.
//
// A client is the host of RemoteAddr, for IPv6 the first 64 bits of it. Behind a proxy use [RateBy], because all
// connections come from the proxy. Each instance of a service counts for itself, in memory, unless an option is [Shared].
//
// Responses say what is left, in the fields RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10), and
// in the older X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset.
func Rate(perMinute int, options ...RateOption) func(http.Handler) http.Handler {
	return RateBy(connection, perMinute, options...)
}

// RateBy is [Rate] with a function that identifies the client of a request. It can return a header field that the proxy
// sets, or the principal that a middleware has set. With chi, use middleware.GetClientIP after one of its ClientIPFrom…
// middleware. If the result is an IPv6 address, only its first 64 bits count.
func RateBy(client func(*http.Request) string, perMinute int, options ...RateOption) func(http.Handler) http.Handler {
	if perMinute <= 0 {
		return unchanged
	}
	l := &limit{client: client, most: perMinute, name: strconv.Itoa(perMinute) + "-per-minute", local: newLocal()}
	for _, option := range options {
		option(l)
	}
	l.policy = fmt.Sprintf("%q;q=%d;w=60", l.name, l.most)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// Health checks do not count, because they must work when the service is busiest.
			if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" || l.allows(w, r) {
				next.ServeHTTP(w, r)
			}
		})
	}
}

// RateOption configures [Rate] and [RateBy].
type RateOption func(*limit)

// Shared makes all instances of a service count together, with a counter such as those of [Stored] and of package
// redisrate. The name distinguishes the limits of a counter, and clients see it in RateLimit-Policy: ASCII letters, digits and
// hyphens. While the counter fails, each instance counts for itself, and logs the first failure with [slog.Default]. It uses
// the counter again when one request, which tries that every five seconds, succeeds.
func Shared(name string, counter Counter) RateOption {
	return func(l *limit) { l.name, l.shared = name, counter }
}

// limit limits the requests of clients.
type limit struct {
	client func(*http.Request) string
	most   int
	name   string
	policy string
	shared Counter // nil for none
	local  *local
	due    atomic.Int64 // when a shared counter that failed is tried again, in nanoseconds since 1970; 0 if it works
}

// allows counts a request and reports whether the client may send it. Otherwise it sends the response.
func (l *limit) allows(w http.ResponseWriter, r *http.Request) bool {
	now := time.Now()
	window := Window{Minute: now.Unix() / 60, Passed: float64(now.UnixNano()%int64(time.Minute)) / float64(time.Minute), Limit: l.most}
	counts, ok := l.take(r.Context(), keyOf(l.name, canonical(l.client(r))), window)
	left := strconv.Itoa(max(0, l.most-window.used(counts)))
	header, reset := w.Header(), 60-now.Unix()%60
	if left == "0" { // requests of the minute before may count longer
		reset = int64(window.wait(counts))
	}
	header.Add("Ratelimit-Policy", l.policy)
	header.Add("Ratelimit", fmt.Sprintf("%q;r=%s;t=%d", l.name, left, reset))
	header.Set("X-Ratelimit-Limit", strconv.Itoa(l.most))
	header.Set("X-Ratelimit-Remaining", left)
	header.Set("X-Ratelimit-Reset", strconv.FormatInt(now.Unix()+reset, 10))
	if ok {
		return true
	}
	header.Set("Retry-After", strconv.Itoa(window.wait(counts)))
	resource.WriteError(w, r, operation.Error{
		Status: http.StatusTooManyRequests,
		Detail: fmt.Sprintf("Too many requests: at most %d per minute are allowed. Try again later.", l.most),
	})
	return false
}

// pause is how long a shared counter that failed is not used, because each try can take as long as its timeout.
const pause = int64(5 * time.Second)

// take counts a request in memory, and with the shared counter unless that fails. What this instance does not allow is not
// counted elsewhere, so one client cannot slow the shared counter down.
func (l *limit) take(ctx context.Context, key string, window Window) (Counts, bool) {
	counts, ok := l.local.take(key, window)
	now, due := time.Now().UnixNano(), l.due.Load()
	if ok && l.shared != nil && (due == 0 || now >= due && l.due.CompareAndSwap(due, now+pause)) {
		together, allowed, err := l.shared.Take(ctx, key, window)
		switch {
		case err == nil:
			l.due.CompareAndSwap(now+pause, 0)
			if !allowed {
				l.local.giveBack(key, window)
			}
			return together, allowed
		case ctx.Err() == nil && l.due.Swap(now+pause) == 0:
			slog.WarnContext(ctx, "requests are counted by this instance alone, because the shared counter fails", "limit", l.name, "error", err.Error())
		}
	}
	return counts, ok
}

// keyOf returns a key of fixed length, from which no one can read who the client is.
func keyOf(name, client string) string {
	sum := sha256.Sum256([]byte(name + "\x00" + client))
	return base64.RawURLEncoding.EncodeToString(sum[:18])
}

// used returns how many requests of the last minute count, rounded up. Less than a millionth is an error of rounding.
func (w Window) used(counts Counts) int {
	return int(math.Ceil(float64(counts.Previous)*(1-w.Passed)-1e-6)) + counts.Current
}

// wait returns after how many seconds a client may send the next request, if it sends none before.
func (w Window) wait(counts Counts) int {
	before, here, free, rest := counts.Previous, counts.Current, float64(w.Limit-1), -w.Passed
	if here >= w.Limit { // in the next minute
		before, here, rest = here, 0, 1-w.Passed
	}
	if before > 0 {
		rest += max(0, 1-(free-float64(here))/float64(before))
	}
	return max(1, int(math.Ceil(rest*60-1e-6)))
}

// connection returns the remote address of a request's client.
func connection(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr // a Unix socket has no port
	}
	return host
}

// canonical returns the first 64 bits of an IPv6 address, the IPv4 form of one that is mapped to IPv6, and any other text as it is.
func canonical(client string) string {
	ip, err := netip.ParseAddr(client)
	if err != nil {
		return client
	}
	if ip = ip.Unmap().WithZone(""); ip.Is4() {
		return ip.String()
	}
	network, _ := ip.Prefix(64) // never fails
	return network.String()
}
