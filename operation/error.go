package operation

import (
	"cmp"
	"net/http"
	"time"
)

// Error is an error response, sent as a problem (RFC 9457). Return it, or an error that wraps it, from a hook, a
// handler or a store.
type Error struct {
	// Status is the HTTP status, 400 to 599. Default, and for any other value: 500.
	Status int
	// Type is a URI that identifies the kind of problem. Default: "about:blank".
	Type string
	// Title is a short summary, the same for every problem of the kind. Default: the text of Status, such as "Payment
	// Required".
	Title string
	// Detail explains this occurrence to the client. It is not sent with a 5xx status.
	Detail string
	// RetryAfter is sent as the header field Retry-After, in whole seconds, rounded up. A 429 also has
	// X-RateLimit-Remaining and X-RateLimit-Reset, as those of edge.Rate. Default: not sent.
	RetryAfter time.Duration
}

// Error returns the detail, else the title, else the text of the status.
func (e Error) Error() string {
	return cmp.Or(e.Detail, e.Title, http.StatusText(e.Status), "operation failed")
}
