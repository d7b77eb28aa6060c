package pipeline

import (
	"context"
	"net/http"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/negotiate"
	"github.com/trove-api/trove/internal/problem"
)

// negotiateType refuses a request whose answer would have a media type that the client
// does not take. A format suffix of the path goes before Accept.
func negotiateType(_ context.Context, x *exchange) error {
	if format := pathFormat(x.r); format != "" {
		if !x.op.Suffix {
			return problem.New(http.StatusNotFound, "There is nothing at this path.")
		}
		return nil
	}
	if !x.op.Answers() {
		return nil
	}
	offers := []string{compiled.JSON}
	if _, ok := negotiate.Accept(x.r.Header["Accept"], offers); !ok {
		return problem.New(http.StatusNotAcceptable,
			"None of the media types in Accept can be sent; supported: "+strings.Join(offers, ", ")+".",
			problem.Member{Name: "supported", Value: offers})
	}
	return nil
}
