package httpserve

import "github.com/trove-api/trove/format"

// maxKept is the size in bytes up to which a buffer is used again. A large answer is rare,
// and its buffer would stay as large for ever.
const maxKept = 64 << 10

// buffers are the buffers of an exchange, which the next one uses again.
type buffers struct {
	request, answer []byte // their bodies
	state           []byte // of a record, for its tag
	item            []byte // the JSON of a record, in its members
	members         []format.Member
}

// room returns the empty buffer of the answer.
func (x *exchange) room() []byte { return x.kept.answer[:0] }

// giveBack lets go of all but the buffers. The answer has been sent, and decoding has
// copied what the record keeps of the body.
func (x *exchange) giveBack() {
	kept := x.kept
	kept.state = x.call.State
	if x.body != nil {
		kept.answer = x.body
	}
	for _, buffer := range []*[]byte{&kept.request, &kept.answer, &kept.state, &kept.item} {
		if cap(*buffer) > maxKept {
			*buffer = nil
		}
	}
	*x = exchange{kept: kept}
	x.call.State = kept.state
}
