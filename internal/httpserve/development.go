package httpserve

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation/observe"
)

// Developer is an observer that does nothing. In development it makes requests record the steps that run, as they do for
// other observers, so that [exchange.explain] can show them.
type Developer struct{}

// Begin returns ctx.
func (Developer) Begin(ctx context.Context, _ observe.Operation, _ *http.Request) context.Context {
	return ctx
}

// End does nothing.
func (Developer) End(context.Context, *observe.Outcome) {}

// explain adds the cause of a failure to its problem, and the steps that ran, of which the last one failed. It does so only
// in development, and only for a developer on the same machine.
func (x *exchange) explain(p *problem.Problem, cause string) {
	if !x.op.API.Development || !isDeveloper(x.r) {
		return
	}
	p.Fields = append(slices.Clip(p.Fields), problem.Field{Name: "cause", Value: x.redact(cause)})
	if x.watch == nil { // not a request of an operation
		return
	}
	steps := make([]string, len(x.watch.outcome.Steps))
	for i, step := range x.watch.outcome.Steps {
		steps[i] = step.Name
	}
	p.Fields = append(p.Fields, problem.Field{Name: "steps", Value: steps})
}

// isDeveloper reports whether a request comes from a program of the same machine and through nothing else. Each condition
// excludes another way in which someone elsewhere could send it or read the response.
func isDeveloper(r *http.Request) bool {
	return isLoopbackPeer(r) && !isForwarded(r) && isLoopbackName(r.Host) && !isFromOtherPage(r)
}

// isLoopbackPeer reports whether the connection is between programs of the same machine. Middleware can replace RemoteAddr
// by what a header field says, but not the address of the server.
func isLoopbackPeer(r *http.Request) bool {
	here, isServed := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return isLoopback(r.RemoteAddr) && (!isServed || isLoopback(here.String()))
}

// isLoopback reports whether an IP address with a port is a loopback address.
func isLoopback(address string) bool {
	at, err := netip.ParseAddrPort(address)
	return err == nil && at.Addr().Unmap().IsLoopback()
}

// forwarding are the beginnings of names of header fields that proxies add.
var forwarding = [...]string{
	"X-Forwarded", "Forwarded", "Via", "X-Real-", "X-Client-", "X-Cluster-", "X-Original-", "X-Envoy-", "X-Proxy", "True-Client-", "Cf-", "Fly-",
	"Fastly-", "X-Azure-", "X-Appengine-", "X-Amz", "Cdn-Loop", "Client-Ip", "Ngrok-", "X-Arr-", "X-Host", "X-Remote-", "X-Scheme", "X-Vercel-",
}

// isForwarded reports whether a proxy has forwarded a request. Proxies that add no header field often send HTTP/1.0, as
// nginx does by default; no browser does.
func isForwarded(r *http.Request) bool {
	if !r.ProtoAtLeast(1, 1) {
		return true
	}
	for name := range r.Header {
		if slices.ContainsFunc(forwarding[:], func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			return true
		}
	}
	return false
}

// isLoopbackName reports whether Host is a name of the machine itself. A web page can let its own host name resolve to a
// loopback address (DNS rebinding), but cannot change Host.
func isLoopbackName(host string) bool {
	name := host
	if without, _, err := net.SplitHostPort(host); err == nil {
		name = without
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(name, "["), "]"))
	return err == nil && address.Unmap().IsLoopback()
}

// isFromOtherPage reports whether a browser sends the request for a page of another origin, which may read the response if
// the API allows it by CORS.
func isFromOtherPage(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return true
	}
	origin := r.Header.Get("Origin")
	return origin != "" && !strings.EqualFold(origin, Origin(r))
}
