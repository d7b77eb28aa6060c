package operation

import (
	"cmp"
	"net/http"
)

// Error is a refusal that the client is told of, as a problem (RFC 9457). Return it,
// or an error that wraps it, from any hook, handler or store.
type Error struct {
	// Status is the HTTP status, 400 to 599. Default, and in place of any other
	// value: 500.
	Status int
	// Type is a URI for the kind of problem. Default: "about:blank".
	Type string
	// Title is the problem's short text, the same for each of its kind. Default: the
	// text of Status, such as "Payment Required".
	Title string
	// Detail says what went wrong this time, for the client's eyes. It is not sent
	// with a 5xx status, which says nothing of its cause.
	Detail string
}

// Error returns the detail, else the title, else the text of the status.
func (e Error) Error() string {
	return cmp.Or(e.Detail, e.Title, http.StatusText(e.Status), "operation failed")
}
