package resource

import (
	"net/http"

	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
)

// WriteError answers a request with a problem (RFC 9457), as operations do: for
// middleware and for routes of your own, such as a limit of rates. A status that is no
// error is sent as 500. Header fields, such as Retry-After, are set on w before.
func WriteError(w http.ResponseWriter, r *http.Request, refusal operation.Error) {
	if refusal.Status < http.StatusBadRequest || refusal.Status > 599 {
		refusal.Status = http.StatusInternalServerError
	}
	answer := problem.New(refusal.Status, refusal.Detail)
	answer.Type, answer.Title = refusal.Type, refusal.Title
	answer.Write(w, r)
}
