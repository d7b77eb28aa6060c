package httpserve

import (
	"context"
	"net/http"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/parameters"
)

// exchange is one request and its response.
type exchange struct {
	*Server

	w       http.ResponseWriter
	r       *http.Request
	routing *Routing // nil if no function can see the routing
	watch   *watch   // nil without observers

	secret     string           // the secret of the credentials, which is removed from logs
	path       string           // percent-encoded, one of the operation's template
	suffix     string           // of the path, which chooses the format; "" for none
	format     *compiled.Format // of the response
	negotiated bool             // the client has chosen the format
	inner      *Inner           // nil unless the request is part of a request of another protocol
	translated bool             // the format has translated the query
	query      string           // the query that was sent, if it is translated
	item       item             // the item that a format is writing

	call   execute.Call
	result *execute.Result // of the call; nil before it
	response

	ends    time.Time // the deadline of the operation; zero for none
	begun   bool      // the status has been sent
	bytes   int64     // how many bytes of the body have been sent
	buffers buffers
}

// response is the state of a response. A transaction may run again, and then begins with the zero value.
type response struct {
	status     int
	body       []byte
	modified   time.Time
	encoder    *codec.Encoder // of the record, or of each of a collection
	written    int            // records of a collection
	work       work
	names      []string // see exchange.selected
	isSelected bool     // names is set

	tag, length, link, total string   // header fields, "" for none
	lines                    []string // header lines: see line

	masks func(record any, name string) bool // see execute.Call.Masks
}

// serve runs the steps before the call, the call, and sends its response. It returns an error only if nothing has been
// sent, so that an error response can be sent instead.
func serve(ctx context.Context, x *exchange) (err error) {
	before := x.before
	if x.inner != nil {
		before = x.beforeInner
	}
	if err := x.steps(ctx, before); err != nil {
		return err
	}
	x.call.Stream, x.call.EmbedsOnce = x.format.Stream, x.format.EmbedsOnce
	x.result, err = x.call.Run(ctx)
	switch {
	case err != nil:
		return err
	case x.result.Replayed:
		return x.respondAgain()
	case x.format.Stream:
		return x.stream(ctx)
	}
	header := x.w.Header()
	x.setHeader(header)
	x.send(header, x.format.ContentTypes)
	return nil
}

// Respond creates the response in the transaction, so that nothing is saved if it fails.
func (x *exchange) Respond(ctx context.Context, result *execute.Result) error {
	x.result, x.work.ctx = result, ctx
	// A Put that has created returns 201 (RFC 9110, section 9.3.4), one that has changed the operation's own status.
	if x.status = x.op.Status; result.Created && x.call.ID != nil {
		x.status = http.StatusCreated
	}
	return x.steps(ctx, x.after)
}

// Again discards the response, and reads the parameters again, because hooks may have changed them.
func (x *exchange) Again(ctx context.Context) error {
	x.response = response{}
	if x.call.Request == nil {
		return nil
	}
	return readParameters(ctx, x)
}

// steps runs steps in order. The clock is read only with observers.
func (x *exchange) steps(ctx context.Context, list []step) error {
	for i := range list {
		if x.watch == nil {
			if err := list[i].run(ctx, x); err != nil {
				return err
			}
			continue
		}
		if err := list[i].watched(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// watched runs the step and reports it to observers, also if it panics.
func (s *step) watched(ctx context.Context, x *exchange) error {
	defer x.watch.Ran(s.name, time.Now())
	return s.run(ctx, x)
}

// maxReused is the maximum size in bytes of a buffer that is reused, because the buffer of a rare large response would stay in
// memory.
const maxReused = 64 << 10

// buffers are the buffers of an exchange, which later ones reuse.
type buffers struct {
	request, response []byte             // their bodies
	state             []byte             // the state of a record, for its ETag
	ofCall            *execute.Scratch   // memory that calls reuse; nil until there is some
	scratch           *scratch           // nil until a format uses more of an item than its JSON
	values            *parameters.Values // of the query; nil until there is one
}

// scratch is memory for what items return to the writer of a record. It stays valid until the writer returns.
type scratch struct {
	text    []byte // JSON that fields refer to
	members []format.Field
	items   []item // embedded ones
	lists   []format.Item
	met     map[recordName]bool // the records that a page has included; nil for none
}

// maxScratch is the maximum number of fields and of items in scratch that is reused.
const maxScratch = 1 << 10

// scratch returns the memory for what items return.
func (x *exchange) scratch() *scratch {
	if x.buffers.scratch == nil {
		x.buffers.scratch = new(scratch)
	}
	return x.buffers.scratch
}

// next empties the scratch for the next record.
func (m *scratch) next() {
	m.text, m.members, m.items, m.lists = m.text[:0], m.members[:0], m.items[:0], m.lists[:0]
}

// release drops all records, and memory that is too large to be kept.
func (m *scratch) release() {
	if cap(m.text) > maxReused || cap(m.members) > maxScratch || cap(m.items) > maxScratch || cap(m.lists) > maxScratch || len(m.met) > maxScratch {
		*m = scratch{}
	}
	clear(m.met)
	clear(m.items[:cap(m.items)])
	clear(m.lists[:cap(m.lists)])
}

// reset removes everything but the buffers, so that the pool holds no records, requests or credentials. The response has been
// sent, and decoding has copied what the record keeps of the body.
func (x *exchange) reset() {
	kept := x.buffers
	kept.state, kept.ofCall = x.call.State, x.call.Scratch
	if kept.ofCall != nil {
		kept.ofCall.Clear()
	}
	if x.body != nil {
		kept.response = x.body
	}
	if kept.scratch != nil {
		kept.scratch.release()
	}
	for _, buffer := range []*[]byte{&kept.request, &kept.response, &kept.state} {
		if cap(*buffer) > maxReused {
			*buffer = nil
		}
		*buffer = (*buffer)[:0] // nothing of this request is visible to the next one
	}
	if kept.values != nil {
		*kept.values = parameters.Values{}
	}
	*x = exchange{} // an empty literal, because one with fields would be created elsewhere and copied
	x.buffers, x.call.State, x.call.Scratch = kept, kept.state, kept.ofCall
}
