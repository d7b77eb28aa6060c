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
	item            []byte // the JSON of a record, in its members
	members         []format.Member
	values          *parameters.Values // room for those of the query; nil until there is one
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
	if cap(kept.item) > maxKept {
		kept.members = nil // which are parts of it
	}
	for _, buffer := range []*[]byte{&kept.request, &kept.answer, &kept.state, &kept.item} {
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
