package serve

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store"
)

const positionCookie = "trove_position"

// readsReplicas makes an operation read from replicas, if it only reads, and send the position of what a request writes.
func (o *Operation) readsReplicas() {
	o.perform = performRouted
	if o.Reads {
		o.vary = []string{strings.Join(append(o.vary, compiled.PositionField), ", ")}
	}
}

// performRouted performs a request with a route.
func performRouted(ctx context.Context, c *call) error {
	if c.inner != nil { // its client gets no position
		return perform(ctx, c)
	}
	ctx, route := txn.WithRoute(ctx, c.positionSeen(), !c.op.Reads)
	err := c.execute(ctx)
	position, covers := route.Position(err != nil)
	if !c.op.Reads && (!covers || errors.Is(err, store.ErrUnavailable)) { // after the latter, it may have been saved
		position = "unknown" // no replica reaches that
	}
	if header := c.w.Header(); position != "" {
		header[compiled.PositionField] = []string{position}
		cookie := http.Cookie{ //nolint:gosec // Secure if the request is
			Name: positionCookie, Value: position, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
			Secure: strings.HasPrefix(Origin(c.op.API, c.r), "https:"),
			MaxAge: int(c.op.Staleness() / time.Second), // after that, every replica that is used has the write
		}
		addField(header, "Set-Cookie", []string{cookie.String()})
	}
	return c.respond(ctx, err)
}

// positionSeen returns the last position that the client has sent. It is not checked: any other text is after
// all positions, or before them.
func (c *call) positionSeen() (last string) {
	for _, given := range c.r.Header[compiled.PositionField] {
		last = max(last, given)
	}
	for _, cookie := range c.r.CookiesNamed(positionCookie) {
		last = max(last, cookie.Value)
	}
	return last
}
