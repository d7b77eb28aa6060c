package httpserve

import (
	"context"

	"github.com/trove-api/trove/internal/execute"
)

// work is what writing a response has taken so far. It ends the response early when its time is over, its client is
// gone, or its budget of embedded records is spent.
type work struct {
	ctx       context.Context //nolint:containedctx // formats call back without one
	embedded  int64           // bytes of embedded records
	unchecked int             // bytes written since ctx was checked
	err       error           // why it has ended; nil while it goes on
}

const (
	// checkEvery is after how many bytes the context is checked. Encoding as many takes some microseconds.
	checkEvery = 16 << 10
	// perRecord stands for the work on a record besides its bytes.
	perRecord = 128
)

// did counts a record of n bytes, and returns an error if the response is to end.
func (w *work) did(n int) error {
	w.unchecked += n + perRecord
	if w.unchecked >= checkEvery && w.err == nil {
		w.unchecked = 0
		w.err = w.ctx.Err()
	}
	return w.err
}

// embeds counts an embedded record of n bytes, and returns an error if the response is to end.
func (x *exchange) embeds(n int) error {
	x.work.embedded += int64(n)
	if limit := x.op.API.MaxEmbeddedBytes; x.work.embedded > limit && x.work.err == nil {
		x.work.err = execute.TooMuchEmbedded(limit, "bytes of embedded records")
	}
	return x.work.did(n)
}

// ended returns why the response is to end, if that is why a record could not be written.
func (w *work) ended() error {
	if w.err == nil {
		w.err = w.ctx.Err()
	}
	return w.err
}

// wrote counts the bytes of a record that is embedded, and returns an error if the response is to end.
func (i *item) wrote(n int) error {
	if !i.within {
		return nil
	}
	return i.x.embeds(n)
}
