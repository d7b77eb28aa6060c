package serve

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/parameters"
)

// checkFields rejects header fields that functions must not set, before anything is saved, because net/http silently drops
// some of them.
func checkFields(_ context.Context, c *call) error {
	fields := c.request.ResponseHeader
	if fields == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch {
		case !httpfield.IsName(name):
			return fmt.Errorf("a function has set the response header field %q, which is not a valid name", name)
		case c.op.ReservesHeader(name):
			return fmt.Errorf("a function has set the response header field %s, which Trove sets itself; see operation.ResponseHeader", name)
		case slices.ContainsFunc(fields[name], func(value string) bool { return !httpfield.IsValue(value) }):
			return fmt.Errorf("a function has set the response header field %s to a value with a control character", name)
		}
	}
	return nil
}

// serialize writes the whole body, so that an error can still be sent. A stream is written when it is sent.
func serialize(ctx context.Context, c *call) (err error) {
	c.work = work{ctx: ctx, caller: &c.caller, maxEmbedded: c.op.API.MaxEmbeddedBytes}
	c.encoder = c.op.Out.Encoder
	if fields := c.values.Fields; fields != nil {
		c.encoder = c.encoder.Narrow(c.op.Out.View.Only(fields)) // not cached, because clients can request too many combinations
	}
	switch {
	case c.format.Stream:
		return nil
	case c.items != nil:
		c.response, err = c.appendItems(ctx, c.buffers.response[:0])
	default:
		if !c.op.Custom {
			c.out = c.record
		}
		c.item = item{c: c}
		if c.op.Output != nil || c.op.Out.Type.Struct == c.op.Resource.Struct {
			c.item.record = c.op.Resource
		}
		c.response, err = c.appendView(ctx, c.buffers.response[:0], c.out, c.format.Item)
	}
	if err != nil && c.work.err != nil { // a format may have wrapped it
		return c.work.err
	}
	return err
}

// appendView appends a value in the given format, without the fields that the caller may not see.
func (c *call) appendView(ctx context.Context, b []byte, value any, write func([]byte, format.Item) ([]byte, error)) ([]byte, error) {
	view, shown, err := c.view(ctx, value, c.encoder)
	if err != nil {
		return b, err
	}
	c.item.encoder, c.item.value, c.item.shown, c.item.embedded = view, value, shown, c.embedded
	if m := c.buffers.items; m != nil {
		m.text, m.fields, m.items, m.lists = m.text[:0], m.fields[:0], m.items[:0], m.lists[:0]
	}
	return write(b, &c.item)
}

// work counts the work on a response, and ends it early on a timeout, when the client is gone, or when the budget of embedded
// records is exceeded.
type work struct {
	ctx         context.Context //nolint:containedctx // that of the run; formats call back without one
	caller      *authz.Caller
	maxEmbedded int64 // bytes
	embedded    int64 // bytes of embedded records
	unchecked   int   // bytes written since ctx was checked
	err         error // why the response ends; nil while it continues
}

const (
	// checkEvery is the number of bytes after which the context is checked. Encoding them takes some microseconds.
	checkEvery = 16 << 10
	// perRecord is the work on a record in addition to its bytes.
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
func (w *work) embeds(n int) error {
	if w.embedded += int64(n); w.embedded > w.maxEmbedded && w.err == nil {
		w.err = tooMuchEmbedded(w.maxEmbedded, "bytes of embedded records")
	}
	return w.did(n)
}

// tagRecord computes ETag and Last-Modified of a response that shows the record, unless the record has not been saved. If the
// state does not determine the whole response, the tag also has a hash of the representation.
func tagRecord(_ context.Context, c *call) (err error) {
	if c.format.Stream || c.unsaved {
		return nil
	}
	version, modified := c.op.Resource.Stamps(c.record)
	if c.embedded == nil { // embedded records may have changed later
		c.modified = modified
	}
	var room [96]byte
	tag := append(room[:0], '"')
	isWhole := c.values.Fields == nil && c.embedded == nil && c.out == c.record && !c.op.Computes
	if c.format.JSON && isWhole && !c.op.Resource.HidesState() { // the body has the bytes that Call.AppendState hashes
		tag = httpfield.AppendState(tag, version, c.response)
	} else if tag, err = c.appendState(tag, c.record); err == nil && (!c.format.JSON || !bytes.Equal(c.buffers.state, c.response)) {
		tag = httpfield.AppendRepresentation(tag, c.response)
	}
	c.setTag(append(tag, '"'))
	return err
}

// tagBody computes the ETag of all other responses to reads.
func tagBody(_ context.Context, c *call) error {
	if !c.format.Stream {
		var room [96]byte
		c.setTag(append(httpfield.AppendHash(append(room[:0], '"'), c.response), '"'))
	}
	return nil
}

// setTag sets ETag and Content-Length as parts of one string, which saves an allocation.
func (c *call) setTag(tag []byte) {
	text := string(strconv.AppendInt(tag, int64(len(c.response)), 10))
	c.tag, c.length = text[:len(tag)], text[len(tag):]
}

// evaluateConditions evaluates the preconditions of a read.
func evaluateConditions(_ context.Context, c *call) error {
	if !c.conditions.Given || c.format.Stream {
		return nil
	}
	selected := httpfield.Selected{Exists: true, State: httpfield.StateOf(c.tag), Tag: c.tag, Modified: c.modified}
	switch c.conditions.Evaluate(selected) {
	case http.StatusPreconditionFailed:
		return preconditionFailed(&c.conditions)
	case http.StatusNotModified:
		c.status = http.StatusNotModified
	}
	return nil
}

// Header values that responses share; they are never changed.
var (
	varyAccept = [...]string{"Accept"}
	noSniff    = [...]string{"nosniff"}
)

// totalFields are the header fields of totals, by kind. The mark distinguishes their numbers in entity tags.
var totalFields = [...]struct{ name, mark string }{
	parameters.ExactTotal:     {"X-Total-Count", ""},
	parameters.MoreThan:       {"X-Total-More-Than", ">"},
	parameters.EstimatedTotal: {"X-Total-Estimate", "~"},
}

// headersOf returns the functions that write the header fields of successful responses of an operation.
func headersOf(op *compiled.Operation, vary []string) (list []func(c *call, header http.Header)) {
	add := func(declared bool, write func(c *call, header http.Header)) {
		if declared {
			list = append(list, write)
		}
	}
	add(op.Creates || op.AllowCreate || op.IsLocated, (*call).setLocations)
	add(op.Cache != nil, func(_ *call, header http.Header) { header["Cache-Control"] = op.Cache })
	add(vary != nil, func(_ *call, header http.Header) { addField(header, "Vary", vary) })
	add(op.HasResponseBody() && op.Pages, func(c *call, header http.Header) {
		if c.link != "" {
			addField(header, "Link", c.line(c.link))
		}
		if c.total.Kind != parameters.NoTotal {
			header[totalFields[c.total.Kind].name] = c.line(c.totalCount)
		}
	})
	add(op.Queries, func(_ *call, header http.Header) { header["Accept-Query"] = acceptQuery[:] })
	add(op.HasResponseBody(), func(c *call, header http.Header) {
		if c.tag != "" {
			header["Etag"] = c.line(c.tag)
		}
		if !c.modified.IsZero() {
			header["Last-Modified"] = []string{c.modified.UTC().Format(http.TimeFormat)} // RFC 9110, section 5.6.7
		}
	})
	// Fields of functions replace those of middleware, except fields whose lines are independent.
	add(op.Observed, func(c *call, header http.Header) {
		for name, lines := range c.request.ResponseHeader {
			switch name {
			case "Link", "Set-Cookie", "Vary":
				addField(header, name, lines)
			default:
				header[name] = lines
			}
		}
	})
	for _, f := range op.Formats {
		if f.Leads != nil {
			add(true, (*call).writeLeads)
			break
		}
	}
	return list
}

// setHeader sets the status of a success, and writes its header fields. A Put that has created returns 201 (RFC 9110,
// section 9.3.4), one that has changed the operation's own status.
func (c *call) setHeader(header http.Header) {
	switch {
	case c.status != 0: // 304
	case c.created && c.id != nil:
		c.status = http.StatusCreated
	default:
		c.status = c.op.Status
	}
	for _, write := range c.op.headers {
		write(c, header)
	}
}

// setLocations writes Location for a new record, and Content-Location if a Get returns the record in the same form (RFC
// 9110, sections 10.2.2 and 8.7).
func (c *call) setLocations(header http.Header) {
	location, written := "", item{record: c.op.Resource, value: c.record} // without a Get, its path is ""
	if c.created && c.status == http.StatusCreated {
		if location = written.Path(); location != "" {
			header["Location"] = c.line(location)
		}
	}
	if !c.op.IsLocated {
		return
	}
	isItsPath := c.op.isHome && c.suffix == "" && strings.IndexByte(c.path, '%') < 0
	switch {
	case location != "":
	case !c.created && isItsPath:
		location = c.path
	default:
		location = written.Path()
	}
	if location != "" {
		header["Content-Location"] = c.line(location)
	}
}

// line returns a header value, which the writer may keep. All values of a response share one allocation.
func (c *call) line(text string) []string {
	if c.lines == nil {
		c.lines = make([]string, 0, c.op.lineCount)
	}
	n := len(c.lines)
	c.lines = append(c.lines, text)
	return c.lines[n : n+1 : n+1]
}

// addField adds a line of a field after those of middleware. A shared line has no spare capacity, so append copies it.
func addField(header http.Header, name string, line []string) {
	if there := header[name]; there != nil {
		line = append(there, line...)
	}
	header[name] = line
}

// writeLeads writes links to documents that describe the format of the response.
func (c *call) writeLeads(header http.Header) {
	if c.format.Leads != nil {
		AddLeads(header, c.op.API, c.r, *c.format.Leads)
	}
}

// AddLeads adds a field Link for each document that responses of a format lead to (RFC 8288).
func AddLeads(header http.Header, api *compiled.API, r *http.Request, leads []compiled.Lead) {
	origin := Origin(api, r)
	for _, lead := range leads {
		addField(header, "Link", []string{"<" + origin + lead.Path + `>; rel="` + lead.Rel + `"`})
	}
}

// send sends the status and the body, with Content-Type and nosniff, so that browsers never interpret a value as a page with
// scripts.
func (c *call) send(header http.Header, contentTypes []string) {
	header["X-Content-Type-Options"] = noSniff[:]
	hasBody := c.op.HasResponseBody() && c.status != http.StatusNotModified
	if hasBody {
		header["Content-Type"] = contentTypes
		if c.length == "" {
			c.length = strconv.Itoa(len(c.response))
		}
		header["Content-Length"] = c.line(c.length)
	}
	c.begun = true
	c.w.WriteHeader(c.status)
	if hasBody && c.r.Method != http.MethodHead {
		n, _ := c.w.Write(c.response) // the client may be gone, which is not a failure
		c.bytes += int64(n)
	}
}
