package httpfield

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// DNS rebinding: a web page can let its own host name resolve to the loopback address, where a service may run without
// authentication. The browser then considers the service part of the page, and only Host shows the difference.

// hostsKey is the key of the mark that the server of a request checks its Host.
type hostsKey struct{}

// HasHost reports whether the Host of a request is a loopback name, or one of the names, which have no port; "*" means all.
func HasHost(r *http.Request, names []string) bool {
	host := HostOf(r.Host)
	return isLoopbackName(host) || slices.ContainsFunc(names, func(own string) bool {
		return own == "*" || strings.EqualFold(HostOf(own), host)
	})
}

// HostChecked returns a request whose Host the server has checked.
func HostChecked(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), hostsKey{}, true))
}

// IsLocal reports whether a request must have a Host of the service, because it comes to a loopback address. It need not
// if [HostChecked] has marked it.
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

// IsPlainHost reports whether a host can be part of a quoted string as it is.
func IsPlainHost(host string) bool { return IsOf(host, "-._:[]") }
