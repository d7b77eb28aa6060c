package httpserve

import (
	"context"
	"strings"

	"github.com/trove-api/trove/internal/negotiate"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/refusal"
)

// negotiateType chooses the format of the answer, and refuses a request that takes none
// of those there are. A format suffix of the path goes before Accept.
func negotiateType(_ context.Context, x *exchange) error {
	if x.suffix != "" {
		return x.chooseBySuffix(x.suffix)
	}
	answers := x.answers
	if !answers && !x.op.TellsRefusals {
		return nil
	}
	offers := x.op.Offers
	var means negotiate.Means
	if x.op.IsParticular {
		means = x.means
	}
	chosen, ok := negotiate.AcceptMeant(x.r.Header["Accept"], offers, means)
	if !ok && !answers {
		return nil // Accept is about refusals alone, which every client must take
	}
	if !ok {
		refused := raise(refusal.NotAcceptable, strings.Join(offers, ", "))
		refused.Members = []problem.Member{{Name: "supported", Value: offers}}
		return refused
	}
	for i := range x.op.Formats {
		if x.op.Formats[i].MediaType == chosen {
			x.format, x.negotiated = x.op.Formats[i], true
			break
		}
	}
	return nil
}

// means reports whether a range of Accept with parameters means the format of the media type.
// Profiles and the like are parameters whose meaning only their format knows.
func (x *exchange) means(mediaType string, parameters map[string]string) bool {
	for _, f := range x.op.Formats {
		if f.MediaType == mediaType && f.Supports != nil {
			return f.Supports(parameters)
		}
	}
	return true
}

// A suffix of a format that the operation does not have is part of no path: 404, not 406.
func (x *exchange) chooseBySuffix(suffix string) error {
	for i := range x.op.Formats {
		if x.op.Suffix && x.op.Formats[i].Suffix == suffix {
			x.format, x.negotiated = x.op.Formats[i], true
			return nil
		}
	}
	return raise(refusal.NoPath)
}
