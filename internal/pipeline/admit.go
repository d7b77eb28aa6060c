package pipeline

import (
	"context"
	"net/http"
	"strconv"

	"github.com/trove-api/trove/internal/compiled"
)

// admit gives the request one of the places of those that run at once, and says how long
// it may take. What it returns ends both.
func (x *exchange) admit(ctx context.Context) (context.Context, func(), error) {
	places := x.op.API.Places
	if places != nil {
		select {
		case places <- struct{}{}:
		default:
			busy := unavailable("The service has too much to do for now.")
			busy.Busy = true
			return ctx, func() {}, busy
		}
	}
	end := func() {}
	if x.op.Timeout > 0 {
		ctx, end = context.WithTimeout(ctx, x.op.Timeout)
	}
	return ctx, func() {
		end()
		if places != nil {
			<-places
		}
	}, nil
}

// announceEnd says of an operation that it is to go, in every answer of it (RFC 9745,
// RFC 8594).
func announceEnd(header http.Header, l compiled.Lifecycle) {
	if !l.Deprecated.IsZero() {
		header.Set("Deprecation", "@"+strconv.FormatInt(l.Deprecated.Unix(), 10))
	}
	if !l.Sunset.IsZero() {
		header.Set("Sunset", httpTime(l.Sunset))
	}
	if l.Link != "" {
		header.Add("Link", "<"+l.Link+`>; rel="deprecation"`)
	}
}
