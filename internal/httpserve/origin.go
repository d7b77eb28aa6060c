package httpserve

import "net/http"

// Origin returns the scheme and the host with which a client has reached the service: "https://api.example.com". Trove
// reads no header field of proxies, because clients can send them too. Middleware behind a proxy can set the scheme of
// the request's URL, and its Host.
//
// A client can send any Host. So a response with the origin must not be stored by caches that ignore the host.
func Origin(r *http.Request) string {
	scheme := r.URL.Scheme
	if scheme != "http" && scheme != "https" { // the target of a request can be a URL with any scheme
		if scheme = "http"; r.TLS != nil {
			scheme = "https"
		}
	}
	return scheme + "://" + r.Host
}
