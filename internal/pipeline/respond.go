package pipeline

import (
	"context"
	"net/http"
	"strconv"

	"github.com/trove-api/trove/internal/compiled"
)

// respond sends the answer.
func (x *exchange) respond(ctx context.Context) {
	if x.format.Stream {
		x.stream(ctx)
		return
	}
	status, header := x.op.Status, x.w.Header()
	if x.created && x.id != nil {
		status = http.StatusCreated
	}
	if status == http.StatusCreated && x.created {
		if location := x.location(x.op.Resource.ID.Of(x.record)); location != "" {
			header.Set("Location", location)
		}
	}
	if !x.op.Answers() {
		x.w.WriteHeader(status)
		return
	}
	header.Set("Vary", "Accept")
	header.Set("Content-Type", compiled.JSON)
	x.setPageHeader(header)
	header.Set("Content-Length", strconv.Itoa(len(x.answer)))
	x.w.WriteHeader(status)
	if x.r.Method != http.MethodHead {
		_, _ = x.w.Write(x.answer) // the client may be gone, which is nobody's fault
	}
}
