package httpserve

import (
	"context"
	"net/http"
	"strings"

	"github.com/trove-api/trove/internal/negotiate"
	"github.com/trove-api/trove/internal/problem"
)

// negotiateType chooses the format of the answer, and refuses a request that takes none
// of those there are. A format suffix of the path goes before Accept.
func negotiateType(_ context.Context, x *exchange) error {
	if x.suffix != "" {
		return x.chooseBySuffix(x.suffix)
	}
	answers := x.op.Answers()
	if !answers && !x.op.TellsRefusals {
		return nil
	}
	offers := x.op.Offers
	chosen, ok := negotiate.Accept(x.r.Header["Accept"], offers)
	if !ok && !answers {
		return nil // Accept is about refusals alone, which every client must take
	}
	if !ok {
		return problem.New(http.StatusNotAcceptable,
			"None of the media types in Accept can be sent; supported: "+strings.Join(offers, ", ")+".",
			problem.Member{Name: "supported", Value: offers})
	}
	for i := range x.op.Formats {
		if x.op.Formats[i].MediaType == chosen {
			x.format, x.negotiated = x.op.Formats[i], true
			break
		}
	}
	return nil
}

func (x *exchange) chooseBySuffix(suffix string) error {
	for i := range x.op.Formats {
		if x.op.Suffix && x.op.Formats[i].Suffix == suffix {
			x.format, x.negotiated = x.op.Formats[i], true
			return nil
		}
	}
	return problem.New(http.StatusNotFound, "There is nothing at this path.")
}
