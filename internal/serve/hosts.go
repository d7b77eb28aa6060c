package serve

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/problem"
)

// DNS rebinding: a web page can let its own host name resolve to the loopback address, where a service may run without
// authentication. The browser then considers the service part of the page, and only Host shows the difference.

// hostsKey is the key of the mark that the server of a request checks its Host.
type hostsKey struct{}

// Local returns a handler for a listener that only programs of the same machine reach. It returns 421 for requests
// whose Host is neither a loopback name nor one of the hosts; "*" allows all.
func Local(next http.Handler, hosts []string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "" && !HasHost(r, hosts) { // browsers always send it
			problem.New(http.StatusMisdirectedRequest, "The Host of the request is not a name of this service. "+
				"If a proxy on the same machine forwards it, set resource.Config.PublicURL, or the flag -hosts.").Write(w, r)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), hostsKey{}, true)))
	})
}

// HasHost reports whether the Host of a request is a loopback name, or one of the names, which have no port; "*" means all.
func HasHost(r *http.Request, names []string) bool {
	host := HostOf(r.Host)
	return isLoopbackName(host) || slices.ContainsFunc(names, func(own string) bool {
		return own == "*" || strings.EqualFold(HostOf(own), host)
	})
}

// IsLocal reports whether a request must have a Host of the service, because it comes to a loopback address. It need not
// if [Local] has checked that.
func IsLocal(r *http.Request) bool {
	here, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return r.Context().Value(hostsKey{}) == nil && here != nil && IsLoopback(here)
}

// IsLoopback reports whether only programs of the same machine reach a network address.
func IsLoopback(address net.Addr) bool {
	at, err := netip.ParseAddrPort(address.String())
	return err == nil && at.Addr().Unmap().IsLoopback()
}

// HostOf returns a host without its port, and without the dot of a complete name.
func HostOf(host string) string {
	if without, _, err := net.SplitHostPort(host); err == nil {
		host = without
	}
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), ".")
}

// isLoopbackName reports whether a host is a name of the machine itself (RFC 6761, section 6.3).
func isLoopbackName(host string) bool {
	name := strings.ToLower(host)
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}

// Origin returns the scheme and the host at which clients see the service: "https://api.example.com". It is the one that
// the API declares, or else the one of the request. Trove reads no header field of proxies, because clients can send
// them too. Middleware behind a proxy can set the scheme of the request's URL, and its Host.
//
// A client can send any Host. So a response with the origin must not be stored by caches that ignore the host.
func Origin(api *compiled.API, r *http.Request) string {
	if api.Origin != "" {
		return api.Origin
	}
	scheme := r.URL.Scheme
	if scheme != "http" && scheme != "https" { // the target of a request can be a URL with any scheme
		if scheme = "http"; r.TLS != nil {
			scheme = "https"
		}
	}
	return scheme + "://" + r.Host
}
