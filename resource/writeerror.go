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
	problem.Of(refusal).Write(w, r)
}
