package httpserve

import (
	"net/http"

	"github.com/trove-api/trove/internal/compiled"
)

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
