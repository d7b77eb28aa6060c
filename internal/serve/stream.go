package serve

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
func (c *call) stream(ctx context.Context) error {
	if c.r.Method == http.MethodHead {
		c.sendHeader()
		return nil
	}
	ctx, stop, ending := c.endsWithServer(ctx)
	defer stop()
	c.work.ctx = ctx //nolint:fatcontext // the context that ends with the server, for all that follows
	err := c.sendBatches(ctx)
	if err != nil && ending.Err() != nil {
		err = errEnding
	}
	if err != nil && c.begun {
		c.breakOff(err)
		panic(http.ErrAbortHandler) //nolint:forbidigo // asks net/http to abort the response
	}
	return err
}

// sendHeader sends the status and the header fields.
func (c *call) sendHeader() {
	header := c.w.Header()
	c.setHeader(header)
	header["X-Content-Type-Options"] = noSniff[:]
	header["Content-Type"] = c.format.ContentTypes
	c.begun = true
	c.w.WriteHeader(c.status)
}

// breakOff records why a stream ends early.
func (c *call) breakOff(err error) {
	incident := ""
	if !errors.Is(err, errGone) && !errors.Is(err, errEnding) && !c.isGivenUp(err) {
		incident = newIncident()
		c.log(err, incident)
	}
	c.watch.failed(err, incident)
}

// sendBatches sends the records, with the beginning and end of the format.
func (c *call) sendBatches(ctx context.Context) (err error) {
	buffer, written := c.buffers.response[:0], &c.format.Collection
	c.masks = c.sortMasks(ctx)
	if written.Begin != nil {
		if buffer, err = written.Begin(buffer, (*page)(c)); err != nil {
			return err
		}
	}
	c.item = item{c: c, record: c.op.Resource}
	for items := c.items; err == nil && items.Len() > 0; {
		if buffer, err = c.sendBatch(ctx, buffer, items); err == nil {
			items, err = c.next(ctx, items, int(c.bytes)/max(1, c.count))
		}
	}
	if err == nil && written.End != nil {
		buffer, err = written.End(buffer, (*page)(c))
	}
	if err == nil && (len(buffer) > 0 || !c.begun) {
		buffer, err = c.flush(buffer)
	}
	c.buffers.response = buffer
	return err
}

// sendBatch sends the records of a batch, and returns the emptied buffer.
func (c *call) sendBatch(ctx context.Context, buffer []byte, items compiled.Items) (_ []byte, err error) {
	c.work.embedded = 0 // each batch has the budget of a page
	for i := range items.Len() {
		if buffer, err = c.appendItem(ctx, buffer, items.At(i)); err != nil {
			return nil, err
		}
		if len(buffer) < streamBuffer {
			continue
		}
		if buffer, err = c.flush(buffer); err != nil {
			return nil, err
		}
	}
	return c.flush(buffer)
}

// flush sends the buffer at once, so that a slow store does not delay earlier records.
func (c *call) flush(buffer []byte) ([]byte, error) {
	if !c.begun {
		c.sendHeader()
	}
	n, err := c.w.Write(buffer)
	c.bytes += int64(n)
	if err != nil {
		return nil, errGone
	}
	_ = http.NewResponseController(c.w).Flush() // some writers cannot flush
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
func (c *call) endsWithServer(ctx context.Context) (_ context.Context, stop func(), ending context.Context) {
	ending, _ = ctx.Value(endingKey{}).(context.Context)
	if ending == nil {
		return ctx, func() {}, context.Background()
	}
	ctx, cancel := context.WithCancel(ctx)
	control := http.NewResponseController(c.w)
	unhook := context.AfterFunc(ending, func() {
		cancel()
		_ = control.SetWriteDeadline(time.Now()) // a writer without deadlines ends at the next record
	})
	return ctx, func() { unhook(); cancel() }, ending
}
