package httpserve

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/trove-api/trove/internal/compiled"
)

// streamBuffer is the number of bytes of a stream that are collected before they are sent.
const streamBuffer = 32 << 10

// errGone reports a client that has closed the connection.
var errGone = errors.New("the client has gone away")

// stream sends the records batch by batch. It returns an error that occurs before anything is sent. After that it aborts the
// response: the end is missing, which every HTTP client notices.
func (x *exchange) stream(ctx context.Context) error {
	if x.r.Method == http.MethodHead {
		x.beginStream()
		return nil
	}
	ctx, stop, ending := x.endsWithServer(ctx)
	defer stop()
	x.work.ctx = ctx //nolint:fatcontext // the context that ends with the server, for all that follows
	err := x.sendBatches(ctx)
	if err != nil && ending.Err() != nil {
		err = errEnding
	}
	if err != nil && x.begun {
		x.breakOff(err)
		panic(http.ErrAbortHandler) //nolint:forbidigo // asks net/http to abort the response
	}
	return err
}

// beginStream sends the status and the header fields.
func (x *exchange) beginStream() {
	header := x.w.Header()
	x.setHeader(header)
	header["X-Content-Type-Options"] = noSniff[:]
	header["Content-Type"] = x.format.ContentTypes
	x.status, x.begun = x.op.Status, true
	x.w.WriteHeader(x.status)
}

// breakOff records why a stream ends early.
func (x *exchange) breakOff(err error) {
	incident := ""
	if !errors.Is(err, errGone) && !errors.Is(err, errEnding) && !x.isGivenUp(err) {
		incident = newIncident()
		x.log(err, incident)
	}
	x.watch.failed(err, incident)
}

// sendBatches sends the records, with the beginning and end of the format.
func (x *exchange) sendBatches(ctx context.Context) (err error) {
	buffer, written := x.buffers.response[:0], &x.format.Collection
	x.masks = x.call.Masks(ctx)
	if written.Begin != nil {
		if buffer, err = written.Begin(buffer, (*page)(x)); err != nil {
			return err
		}
	}
	x.item = item{x: x, record: x.op.Resource}
	for items := x.result.Items; err == nil && items.Len() > 0; {
		if buffer, err = x.sendBatch(ctx, buffer, items); err == nil {
			items, err = x.call.Next(ctx, items, int(x.bytes)/max(1, x.written))
		}
	}
	if err == nil && written.End != nil {
		buffer, err = written.End(buffer, (*page)(x))
	}
	if err == nil && (len(buffer) > 0 || !x.begun) {
		buffer, err = x.flush(buffer)
	}
	x.buffers.response = buffer
	return err
}

// sendBatch sends the records of a batch, and returns the emptied buffer.
func (x *exchange) sendBatch(ctx context.Context, buffer []byte, items compiled.Items) (_ []byte, err error) {
	x.work.embedded = 0 // each batch has the budget of a page
	for i := range items.Len() {
		before := len(buffer)
		if x.written > 0 {
			buffer = append(buffer, x.format.Collection.Separator...)
		}
		made, shown, err := x.appendItem(ctx, buffer, items.At(i))
		if err != nil {
			return nil, err
		}
		if buffer = made; shown {
			x.written++
		} else {
			buffer = buffer[:before]
		}
		if len(buffer) < streamBuffer {
			continue
		}
		if buffer, err = x.flush(buffer); err != nil {
			return nil, err
		}
	}
	return x.flush(buffer)
}

// flush sends the buffer at once, so that a slow store does not delay earlier records.
func (x *exchange) flush(buffer []byte) ([]byte, error) {
	if !x.begun {
		x.beginStream()
	}
	n, err := x.w.Write(buffer)
	x.bytes += int64(n)
	if err != nil {
		return nil, errGone
	}
	_ = http.NewResponseController(x.w).Flush() // some writers cannot flush
	return buffer[:0], nil
}

// errEnding reports a stream that ends because the server shuts down.
var errEnding = errors.New("the server is shutting down")

// endingKey is the context key of the context that ends streams.
type endingKey struct{}

// WithEnding returns the base context of a server whose streams end when ending is done.
func WithEnding(ctx, ending context.Context) context.Context {
	return context.WithValue(ctx, endingKey{}, ending)
}

// endsWithServer ends a stream when its server shuts down, which would otherwise wait for the last record. It cancels the
// returned context and, because the client may be slow, the current write. Call stop after the last write.
func (x *exchange) endsWithServer(ctx context.Context) (_ context.Context, stop func(), ending context.Context) {
	ending, _ = ctx.Value(endingKey{}).(context.Context)
	if ending == nil {
		return ctx, func() {}, context.Background()
	}
	ctx, cancel := context.WithCancel(ctx)
	control := http.NewResponseController(x.w)
	unhook := context.AfterFunc(ending, func() {
		cancel()
		_ = control.SetWriteDeadline(time.Now()) // a writer without deadlines ends at the next record
	})
	return ctx, func() { unhook(); cancel() }, ending
}
