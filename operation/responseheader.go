package operation

import "net/http"

// ResponseHeader are fields that hooks and handlers set in the header of an answer, such as a cookie,
// by canonical names. Nil is none, and takes more by its methods:
//
//	req, _ := operation.RequestFrom(ctx)
//	req.ResponseHeader.Set("Location", "/api/users/1")
//	req.ResponseHeader.Add("Set-Cookie", cookie.String())
//
// They are sent if the operation succeeds: a refusal has none of them, nor has a run of hooks that
// the store runs again. An answer that is kept for an Idempotency-Key is sent again with them. A stream
// has those that are set before its first record. Agents are not told of them.
//
// What says how the answer is to be read is for Trove alone: Content-Type and others with that
// beginning but Content-Disposition, ETag, Last-Modified, Idempotent-Replayed, X-Total-Count, Deprecation, Sunset,
// X-Content-Type-Options, what is about the connection, Location where the operation itself creates a
// record, and Cache-Control where it reads ([Metadata.CacheControl] is for that). To set one of these, or a name or
// a value that HTTP does not allow, is a fault of the service: 500, and nothing is saved.
type ResponseHeader http.Header

// Set sets a field, in place of what functions have set before, or a middleware. Set-Cookie, Link and Vary
// stand beside those of a middleware and of Trove itself.
func (h *ResponseHeader) Set(name, value string) {
	if *h == nil {
		*h = ResponseHeader{}
	}
	http.Header(*h).Set(name, value)
}

// Add adds a line to a field, as a second Set-Cookie is one.
func (h *ResponseHeader) Add(name, value string) {
	if *h == nil {
		*h = ResponseHeader{}
	}
	http.Header(*h).Add(name, value)
}
