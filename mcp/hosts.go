package mcp

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/guest"
)

// DNS rebinding: a web page can let its own host name resolve to the loopback address, where a service may run without
// authentication. The browser then considers the service part of the page, and only Host shows the difference.
var (
	errHost   = guest.Forbidden("The Host of the request is not allowed.")
	errOrigin = guest.Forbidden("Requests from other origins are not allowed.")
)

// checkHost returns an error if Host is not a name of the service.
func (e *endpoint) checkHost(r *http.Request) error {
	host := hostOf(r.Host)
	here, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	switch {
	case isLoopback(host), slices.ContainsFunc(e.hosts, func(own string) bool { return strings.EqualFold(own, host) }):
		return nil
	case e.hosts == nil && (here == nil || !isLoopback(hostOf(here.String()))):
		return nil
	}
	return errHost
}

// checkOrigin returns an error if a page of another origin sent the request.
func (e *endpoint) checkOrigin(r *http.Request) error {
	if e.origins.Check(r) != nil {
		return errOrigin
	}
	return nil
}

// hostOf returns a host without its port.
func hostOf(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return strings.TrimSuffix(strings.TrimPrefix(address, "["), "]")
}

// isLoopback reports whether a host is the machine itself.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}
