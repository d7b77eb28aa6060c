package pipeline

import (
	"context"
	"net/http"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/negotiate"
	"github.com/trove-api/trove/internal/problem"
)

// negotiateType chooses the format of the answer, and refuses a request that takes none
// of those there are. A format suffix of the path goes before Accept.
func negotiateType(_ context.Context, x *exchange) error {
	if x.suffix != "" {
		return x.chooseBySuffix(x.suffix)
	}
	if !x.op.Answers() {
		return nil
	}
	offers := x.op.Offers
	chosen, ok := negotiate.Accept(x.r.Header["Accept"], offers)
	if !ok {
		return problem.New(http.StatusNotAcceptable,
			"None of the media types in Accept can be sent; supported: "+strings.Join(offers, ", ")+".",
			problem.Member{Name: "supported", Value: offers})
	}
	x.choose(func(f compiled.Format) bool { return f.MediaType == chosen })
	return nil
}

func (x *exchange) chooseBySuffix(suffix string) error {
	x.choose(func(f compiled.Format) bool { return f.Suffix == suffix })
	if !x.op.Suffix || x.format.Suffix != suffix {
		return problem.New(http.StatusNotFound, "There is nothing at this path.")
	}
	return nil
}

func (x *exchange) choose(fits func(compiled.Format) bool) {
	for _, format := range x.op.Formats {
		if fits(format) {
			x.format = format
		}
	}
}
