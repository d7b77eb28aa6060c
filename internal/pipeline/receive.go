package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/negotiate"
	"github.com/trove-api/trove/internal/problem"
)

// receive reads the whole body, before any lock is held for it.
func receive(_ context.Context, x *exchange) error {
	if !x.op.TakesBody() {
		return nil
	}
	supported := x.op.MediaTypes()
	if err := x.checkMediaType(supported); err != nil {
		return err
	}
	limit := x.op.MaxBodyBytes
	if x.r.ContentLength > limit {
		return tooLarge(limit)
	}
	var body bytes.Buffer
	if x.r.ContentLength > 0 {
		body.Grow(int(x.r.ContentLength) + bytes.MinRead)
	}
	unlimit := x.limitReading()
	_, err := body.ReadFrom(http.MaxBytesReader(x.w, x.r.Body, limit))
	if tooMany, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge(tooMany.Limit)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		late := problem.New(http.StatusRequestTimeout, "The body did not arrive in time.")
		late.Header = []string{"Connection", "close"}
		return late
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return problem.New(http.StatusBadRequest, "The body ended before it was complete.")
	}
	unlimit()
	x.body = body.Bytes()
	return checkExtent(x.body, x.op.API.MaxBodyDepth, x.op.API.MaxBodyMembers)
}

// limitReading ends the reading of the body when the operation's time is over, for a read
// takes no notice of a context. A server that has a shorter limit of its own keeps it. What
// it returns takes the limit away, once there is nothing more to read. A writer that has no
// deadlines reads on.
func (x *exchange) limitReading() func() {
	server, _ := x.r.Context().Value(http.ServerContextKey).(*http.Server)
	if x.op.Timeout <= 0 || server != nil && 0 < server.ReadTimeout && server.ReadTimeout < x.op.Timeout {
		return func() {}
	}
	control := http.NewResponseController(x.w)
	_ = control.SetReadDeadline(time.Now().Add(x.op.Timeout))
	return func() { _ = control.SetReadDeadline(time.Time{}) }
}

// checkMediaType refuses a body of an unknown type, charset or coding. A request
// without a body is let pass, for the empty body is the clearer complaint.
func (x *exchange) checkMediaType(supported []string) error {
	coding := x.r.Header.Get("Content-Encoding")
	if coding != "" && !strings.EqualFold(coding, "identity") {
		return x.unsupported("Content-Encoding is not supported: send the body as it is.", supported)
	}
	header := x.r.Header.Get("Content-Type")
	if header == "" && x.r.ContentLength == 0 {
		return nil
	}
	if _, ok := negotiate.ContentType(header, supported); ok {
		return nil
	}
	return x.unsupported("The body's Content-Type must be "+strings.Join(supported, " or ")+", in UTF-8.", supported)
}

// unsupported returns a 415 that lists what is supported (RFC 9110, section 15.5.16).
func (x *exchange) unsupported(detail string, supported []string) error {
	refusal := problem.New(http.StatusUnsupportedMediaType, detail, problem.Member{Name: "supported", Value: supported})
	list := strings.Join(supported, ", ")
	switch x.r.Method {
	case http.MethodPatch:
		refusal.Header = []string{"Accept-Patch", list}
	case http.MethodPost:
		refusal.Header = []string{"Accept-Post", list}
	}
	return refusal
}

func tooLarge(limit int64) error {
	return problem.New(http.StatusRequestEntityTooLarge, fmt.Sprintf("The body must not be larger than %d bytes.", limit))
}
