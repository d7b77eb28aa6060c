package httpserve

import (
	"context"
	"net/http"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/parameters"
)

// exchange is one request on its way and the answer that comes of it.
type exchange struct {
	*Server

	w     http.ResponseWriter
	r     *http.Request
	watch *watch // nil where nobody observes

	secret     string           // of the credentials, which no log has
	path       string           // percent-encoded, one of the operation's template
	suffix     string           // of the path, which chooses the format; "" for none
	format     *compiled.Format // of the answer
	negotiated bool             // the client has said which format it wants
	inner      *Inner           // nil for a request that came by itself
	translated bool             // the query is one that the format has made
	query      string           // as it was sent, of one that is translated
	item       item             // that a format is writing

	call   execute.Call
	result *execute.Result // of the call; nil until there is one
	answer

	ends    time.Time // when the operation's time is over; zero for never
	begun   bool      // the status has been sent
	bytes   int64     // of the body that have been sent
	buffers buffers
}

// answer is what is made of a result. A transaction may run again, and it then begins with
// the zero value.
type answer struct {
	status   int
	body     []byte
	modified time.Time
	written  int    // records of a collection
	work     work

	tag, length, link, total string   // header fields, "" for none
	lines                    []string // of the header: see line

	masks func(record any, name string) bool // of a page, in whose order some members may be null for the client; nil for none
}

// serve runs the steps before the call, the call, and sends its response. It returns an error only if nothing has been
// sent, so that a refusal can be sent instead.
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

// Answer makes the answer.
// In the transaction: an answer that cannot be made must leave nothing saved.
func (x *exchange) Answer(ctx context.Context, result *execute.Result) error {
	x.result, x.work.ctx = result, ctx
	// A Put that has created returns 201 (RFC 9110, section 9.3.4), one that has changed the operation's own status.
	if x.status = x.op.Status; result.Created && x.call.ID != nil {
		x.status = http.StatusCreated
	}
	return x.steps(ctx, x.after)
}

// Again forgets the answer, and reads anew what hooks have been handed.
// Hooks may have changed what they were handed, so it is made anew.
func (x *exchange) Again(ctx context.Context) error {
	x.answer = answer{}
	if x.call.Request == nil {
		return nil
	}
	return readParameters(ctx, x)
}

// steps runs steps in order. The clock is read only if someone watches.
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

// maxKept is the size in bytes up to which a buffer is used again. A large answer is rare,
// and its buffer would stay as large for ever.
const maxKept = 64 << 10

// buffers are the buffers of an exchange, which the next one uses again.
type buffers struct {
	request, answer []byte // their bodies
	state           []byte // of a record, for its tag
	room            *execute.Room
	made            *made              // nil until an item is asked for more than its JSON
	values          *parameters.Values // room for those of the query; nil until there is one
}

// made is what items have returned to the writer of a record, and what that was made of. It is valid until
// the writer returns, whatever else it asks for: all is appended, and nothing written over before the next
// record.
type made struct {
	text    []byte // the JSON that members are parts of
	members []format.Member
	items   []item // embedded ones
	lists   []format.Item
	met     map[recordName]bool // the records that a page includes; nil until one does
}

// maxMade is how many members and items there may be in room that is used again.
const maxMade = 1 << 10

// made returns the room for what items return.
func (x *exchange) made() *made {
	if x.buffers.made == nil {
		x.buffers.made = new(made)
	}
	return x.buffers.made
}

// forNext empties the room for the next record.
func (m *made) forNext() {
	m.text, m.members, m.items, m.lists = m.text[:0], m.members[:0], m.items[:0], m.lists[:0]
}

// letGo lets go of all records, and of room that is too large to be kept.
func (m *made) letGo() {
	if cap(m.text) > maxKept || cap(m.members) > maxMade || cap(m.items) > maxMade || cap(m.lists) > maxMade || len(m.met) > maxMade {
		*m = made{}
	}
	clear(m.met)
	clear(m.items[:cap(m.items)])
	clear(m.lists[:cap(m.lists)])
}

// answerBuffer returns the empty buffer of the answer.
// It may be asked for again before the answer is sent, by a refusal in place of a half-made answer:
// nobody reads the first one then.
func (x *exchange) answerBuffer() []byte { return x.buffers.answer[:0] }

// giveBack lets go of all but the buffers. The answer has been sent, and decoding has
// copied what the record keeps of the body.
func (x *exchange) giveBack() {
	kept := x.buffers
	kept.state, kept.room = x.call.State, x.call.Room
	kept.room.Clear()
	if x.body != nil {
		kept.answer = x.body
	}
	if kept.made != nil {
		kept.made.letGo()
	}
	for _, buffer := range []*[]byte{&kept.request, &kept.answer, &kept.state} {
		if cap(*buffer) > maxKept {
			*buffer = nil
		}
	}
	if kept.values != nil {
		*kept.values = parameters.Values{}
	}
	// All else goes, so that the pool holds on to no record, no request and no credentials.
	*x = exchange{} // by itself: a literal with a field in it would be made elsewhere, and copied
	x.buffers, x.call.State, x.call.Room = kept, kept.state, kept.room
}
