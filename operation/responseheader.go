package operation

import "net/http"

// ResponseHeader holds response header fields that hooks and handlers set, such as a cookie, by canonical name. The
// zero value is empty and ready to use:
//
//	req, _ := operation.RequestFrom(ctx)
//	req.ResponseHeader.Set("Location", "/api/users/1")
//	req.ResponseHeader.Add("Set-Cookie", cookie.String())
//
// The fields are sent only with successful responses. If the store reruns a transaction, only the fields of the last
// run are sent. A response stored for an Idempotency-Key includes them. A stream sends the fields that are set before
// its first record. Agents, which call by package mcp, do not get them.
//
// Some fields are reserved for Trove. They are all that begin with Content-, except Content-Disposition and
// Content-Security-Policy, and those of the connection. ETag, Last-Modified, Idempotent-Replayed, X-Total-Count,
// Deprecation, Sunset and X-Content-Type-Options are reserved too. Location is reserved if the operation creates a
// record, and Cache-Control if it reads; use [Metadata.CacheControl] there. Setting a reserved field, or a name or
// value that HTTP does not allow, is a 500, and nothing is saved.
type ResponseHeader http.Header

// Set sets a field and replaces the values that hooks or middleware set before. Set-Cookie, Link and Vary are added to
// those of middleware and of Trove instead.
func (h *ResponseHeader) Set(name, value string) {
	if *h == nil {
		*h = ResponseHeader{}
	}
	http.Header(*h).Set(name, value)
}

// Add adds another line to a field, such as a second Set-Cookie.
func (h *ResponseHeader) Add(name, value string) {
	if *h == nil {
		*h = ResponseHeader{}
	}
	http.Header(*h).Add(name, value)
}
