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
	routing *Routing // nil if nobody can see how the request is routed
	watch   *watch   // nil without observers

	secret     string           // of the credentials, which no log has
	path       string           // percent-encoded, one of the operation's template
	suffix     string           // of the path, which chooses the format; "" for none
	format     *compiled.Format // of the response
	negotiated bool             // the client has said which format it wants
	inner      *Inner           // nil unless the request is within that of another protocol
	translated bool             // the query is one that the format has made
	query      string           // as it was sent, if it is translated
	item       item             // that a format is writing

	call   execute.Call
	result *execute.Result // of the call; nil until there is one
	answer

	ends    time.Time // when the operation's time is over; zero for never
	begun   bool      // the status has been sent
	bytes   int64     // of the body that have been sent
	buffers buffers
}

// answer is what is made of a result. A transaction may run again, and it then begins with the zero value.
type answer struct {
	status   int
	body     []byte
	modified time.Time
	encoder  *codec.Encoder // of the record, or of each of a collection
	written  int            // records of a collection
	work     work

	tag, length, link, total string   // header fields, "" for none
	lines                    []string // of the header: see line

	masks func(record any, name string) bool // of a page, in whose order some fields may be null for the client; nil for none
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
	for _, broken := range x.result.Broken { // records that the store could not read
		x.logOmitted(broken, nil)
	}
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

// Answer makes the response, in the transaction: a response that cannot be made must leave nothing saved.
func (x *exchange) Respond(ctx context.Context, result *execute.Result) error {
	x.result, x.work.ctx = result, ctx
	// A Put that has created returns 201 (RFC 9110, section 9.3.4), one that has changed the operation's own status.
	if x.status = x.op.Status; result.Created && x.call.ID != nil {
		x.status = http.StatusCreated
	}
	return x.steps(ctx, x.after)
}

// Again forgets the response, and reads the parameters again because hooks may have changed what they got.
func (x *exchange) Again(ctx context.Context) error {
	x.answer = answer{}
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
		began := time.Now()
		err := list[i].run(ctx, x)
		if x.watch.Ran(list[i].name, began); err != nil {
			return err
		}
	}
	return nil
}

// maxKept is the size in bytes up to which a buffer is used again. A large response is rare, and its buffer would stay
// as large forever.
const maxKept = 64 << 10

// buffers are the buffers of an exchange, which the next one uses again.
type buffers struct {
	request, answer []byte             // their bodies
	state           []byte             // of a record, for its tag
	ofCall          *execute.Scratch   // what the call leaves for the next one; nil until it has left any
	scratch         *scratch           // nil until an item is asked for more than its JSON
	values          *parameters.Values // of the query; nil until there is one
}

// scratch is what items have returned to the writer of a record. It is valid until the writer returns: all is appended,
// and nothing overwritten before the next record.
type scratch struct {
	text    []byte // the JSON that members are parts of
	members []format.Field
	items   []item // embedded ones
	lists   []format.Item
	met     map[recordName]bool // the records that a page includes; nil until one does
}

// maxScratch is how many members and items there may be in scratch that is used again.
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
	if cap(m.text) > maxKept || cap(m.members) > maxScratch || cap(m.items) > maxScratch || cap(m.lists) > maxScratch || len(m.met) > maxScratch {
		*m = scratch{}
	}
	clear(m.met)
	clear(m.items[:cap(m.items)])
	clear(m.lists[:cap(m.lists)])
}

// reset drops everything but the buffers, so that the pool holds no record, no request and no credentials. The response
// has been sent, and decoding has copied what the record keeps of the body.
func (x *exchange) reset() {
	kept := x.buffers
	kept.state, kept.ofCall = x.call.State, x.call.Scratch
	if kept.ofCall != nil {
		kept.ofCall.Clear()
	}
	if x.body != nil {
		kept.answer = x.body
	}
	if kept.scratch != nil {
		kept.scratch.release()
	}
	for _, buffer := range []*[]byte{&kept.request, &kept.answer, &kept.state} {
		if cap(*buffer) > maxKept {
			*buffer = nil
		}
	}
	if kept.values != nil {
		*kept.values = parameters.Values{}
	}
	*x = exchange{} // by itself: a literal with a field in it would be made elsewhere, and copied
	x.buffers, x.call.State, x.call.Scratch = kept, kept.state, kept.ofCall
}
