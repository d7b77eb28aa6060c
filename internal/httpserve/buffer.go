package httpserve

import (
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/parameters"
)

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
	ends    []int  // where these begin and end
	members []format.Member
	items   []item // embedded ones
	lists   []format.Item
	met     map[recordName]bool // the records that a page includes; nil until one does
	names   []string            // of the members of what no encoder knew; those of one request, and nobody changes them
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
	m.text, m.ends, m.members, m.items, m.lists = m.text[:0], m.ends[:0], m.members[:0], m.items[:0], m.lists[:0]
}

// letGo lets go of all records, and of room that is too large to be kept.
func (m *made) letGo() {
	if cap(m.text) > maxKept || cap(m.ends) > maxMade || cap(m.members) > maxMade || cap(m.items) > maxMade || cap(m.lists) > maxMade || len(m.met) > maxMade {
		*m = made{}
	}
	m.names = nil
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
