package serve

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/parameters"
)

// appendItems appends the records of a page, with the beginning and end of the format. The result of a handler is complete or
// an error, because its author can fix it.
func (c *call) appendItems(ctx context.Context, b []byte) (_ []byte, err error) {
	written := &c.format.Collection
	c.masks = c.op.sortMasks(ctx, &c.caller)
	if written.Begin != nil {
		if b, err = written.Begin(b, (*page)(c)); err != nil {
			return b, err
		}
	}
	c.item = item{c: c, record: c.op.lists}
	for i := range c.items.Len() {
		if b, err = c.appendItem(ctx, b, c.items.At(i)); err != nil {
			return b, err
		}
	}
	if written.End != nil {
		return written.End(b, (*page)(c))
	}
	return b, nil
}

// page is the page that formats write.
type page call

// Type returns the short name of the resource.
func (p *page) Type() string { return p.op.Resource.ShortName }

// Path returns the path of the request, so that a collection below a record has its own path.
func (p *page) Path() string {
	if p.op.HasNoPath() {
		return ""
	}
	return p.path
}

// Selected returns the names of the fields that the response can have, nil for all.
func (p *page) Selected() []string { return (*call)(p).selected() }

// Parameters returns the parameters of the collection, without those of fields that the caller may read of no record.
// Such a filter never matches, and its name would reveal the field.
func (p *page) Parameters() []format.Parameter { return (*call)(p).parameters() }

func (c *call) parameters() []format.Parameter {
	if !c.op.guardsFields {
		return c.op.FormatParameters
	}
	return slices.DeleteFunc(slices.Clone(c.op.FormatParameters), func(of format.Parameter) bool {
		return of.Field != "" && !c.sees(of.Field)
	})
}

// Total returns the number of records, and whether it is known.
func (p *page) Total() (int, bool) { return p.total.N, p.total.Kind == parameters.ExactTotal }

// MoreThan returns a number that there are more records than, and whether only that is known.
func (p *page) MoreThan() (int, bool) { return p.total.N, p.total.Kind == parameters.MoreThan }

// Estimate returns about the number of records, and whether only that is known.
func (p *page) Estimate() (int, bool) { return p.total.N, p.total.Kind == parameters.EstimatedTotal }

// Links returns the links to the page and to other pages.
func (p *page) Links() (format.Links, error) {
	c := (*call)(p)
	if c.op.HasNoPath() {
		return format.Links{}, nil
	}
	var room [512]byte // more than most links have
	found := format.Links{Self: string(parameters.AppendAddress(room[:0], c.r.URL))}
	if c.format.Stream || !c.op.Pages {
		return found, nil
	}
	links, err := c.op.Parameters.Links(c.values, &parameters.Listing{
		URL: c.r.URL, Count: c.items.Len(), More: c.more, Total: c.total, At: c.items.At,
		Masks: c.masks, Positions: c.items.Positions(),
	})
	for i := range links.Len() {
		address := string(links.AppendAddress(room[:0], i))
		switch links.Rel(i) {
		case "first":
			found.First = address
		case "prev":
			found.Prev = address
		case "next":
			found.Next = address
		case "last":
			found.Last = address
		}
	}
	return found, err
}

// tagPage computes Link, the total, ETag and Content-Length of a page, as parts of one string, which saves allocations.
func tagPage(_ context.Context, c *call) error {
	if c.format.Stream {
		return nil
	}
	var room [512]byte
	b, err := c.op.Parameters.Link(room[:0], c.values, &parameters.Listing{
		URL: c.r.URL, Count: c.items.Len(), More: c.more, Total: c.total, At: c.items.At,
		Masks: c.masks, Positions: c.items.Positions(),
	})
	if err != nil {
		return err
	}
	link := len(b)
	b = append(b, totalFields[c.total.Kind].mark...)
	number := len(b)
	b = strconv.AppendInt(b, int64(c.total.N), 10)
	total := len(b)
	b = append(httpfield.AppendHash(append(b, '"'), c.response, b[:link], b[link:]), '"')
	tag := len(b)
	text := string(strconv.AppendInt(b, int64(len(c.response)), 10))
	c.link, c.totalCount, c.tag, c.length = text[:link], text[number:total], text[total:tag], text[tag:]
	return nil
}

// appendItem appends a record of a collection to b, with the separator before it. A record of a store that cannot be encoded,
// because another program wrote it, is logged and left out. An error ends the whole response.
func (c *call) appendItem(ctx context.Context, b []byte, record any) (all []byte, err error) {
	all = b
	if c.op.Pages { // the result of a handler is complete or an error
		defer func() {
			if cause := recover(); cause != nil { // of a type's own method
				c.logPanic(cause, newIncident())
				all, err = b, nil
			}
		}()
	}
	if c.count > 0 {
		all = append(all, c.format.Collection.Separator...)
	}
	if all, err = c.appendView(ctx, all, record, c.format.Collection.Item); err == nil {
		c.count++
		return all, c.work.did(len(all) - len(b))
	}
	if !c.op.Pages {
		return all, err
	}
	if c.work.err == nil {
		c.work.err = c.work.ctx.Err()
	}
	if c.work.err != nil { // which may be why the record could not be written
		return b, c.work.err
	}
	about := []slog.Attr{slog.String("error", err.Error())}
	if id, err := c.op.Resource.ID.Text(c.op.Resource.ID.Of(record)); err == nil {
		about = append(about, slog.String("record", id))
	}
	c.op.logAt(c.r, slog.LevelError, "record left out", newIncident(), about...)
	return b, nil
}

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
	if c.op.Timeout > 0 { // it is for each batch, because a client may read slowly
		ctx = untimed{c.r.Context(), ctx}
	}
	ctx, stop, ending := endsWithServer(ctx, c.w)
	defer stop()
	c.work.ctx = ctx //nolint:fatcontext // the context that ends with the server, for all that follows
	err := c.sendBatches(ctx)
	if err != nil && ending.Err() != nil {
		err = errEnding
	}
	if err != nil && c.begun {
		incident := ""
		if !errors.Is(err, errGone) && !errors.Is(err, errEnding) && !isGivenUp(c.r, err) {
			incident = newIncident()
			c.log(err, incident)
		}
		c.watch.failed(err, incident)
		panic(http.ErrAbortHandler) //nolint:forbidigo // asks net/http to abort the response
	}
	return err
}

// untimed is the context of a request with the values of a context that ends earlier.
type untimed struct {
	context.Context //nolint:containedctx // it is one

	values context.Context //nolint:containedctx // it is one
}

func (u untimed) Value(key any) any { return u.values.Value(key) }

// sendHeader sends the status and the header fields.
func (c *call) sendHeader() {
	header := c.w.Header()
	c.setHeader(header)
	header["X-Content-Type-Options"] = noSniff[:]
	header["Content-Type"] = c.format.ContentTypes
	c.begun = true
	c.w.WriteHeader(c.status)
}

// sendBatches sends the records, with the beginning and end of the format.
func (c *call) sendBatches(ctx context.Context) (err error) {
	buffer, written := c.buffers.response[:0], &c.format.Collection
	c.masks = c.op.sortMasks(ctx, &c.caller)
	if written.Begin != nil {
		if buffer, err = written.Begin(buffer, (*page)(c)); err != nil {
			return err
		}
	}
	c.item = item{c: c, record: c.op.lists}
	for items := c.items; err == nil && items.Len() > 0; {
		buffer, items, err = c.turn(ctx, buffer, items)
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

// turn sends a batch and loads the next one.
func (c *call) turn(ctx context.Context, buffer []byte, items compiled.Items) (_ []byte, _ compiled.Items, err error) {
	if c.op.Timeout > 0 {
		timed, cancel := context.WithTimeout(ctx, c.op.Timeout)
		defer cancel()
		defer func() { c.work.ctx = ctx }()
		ctx, c.work.ctx = timed, timed
	}
	if buffer, err = c.sendBatch(ctx, buffer, items); err == nil {
		items, err = c.next(ctx, items, int(c.bytes)/max(1, c.count))
	}
	return buffer, items, err
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
	control := http.NewResponseController(c.w)
	if server, ok := c.work.ctx.Value(http.ServerContextKey).(*http.Server); ok && server.WriteTimeout > 0 {
		_ = control.SetWriteDeadline(time.Now().Add(server.WriteTimeout)) // a client that stops reading is still cut off
		if err := c.work.ctx.Err(); err != nil {                          // it has set a deadline, which is lost now
			return nil, err
		}
	}
	n, err := c.w.Write(buffer)
	c.bytes += int64(n)
	if err != nil {
		return nil, errGone
	}
	_ = control.Flush() // some writers cannot flush
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
func endsWithServer(ctx context.Context, w http.ResponseWriter) (_ context.Context, stop func(), ending context.Context) {
	ending, _ = ctx.Value(endingKey{}).(context.Context)
	if ending == nil {
		return ctx, func() {}, context.Background()
	}
	ctx, cancel := context.WithCancel(ctx)
	control := http.NewResponseController(w)
	unhook := context.AfterFunc(ending, func() {
		cancel()
		_ = control.SetWriteDeadline(time.Now()) // a writer without deadlines ends at the next record
	})
	return ctx, func() { unhook(); cancel() }, ending
}
