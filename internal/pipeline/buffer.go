package pipeline

import "sync"

// maxKept is the size in bytes up to which a buffer is used again. A large answer is rare,
// and its buffer would stay as large for ever.
const maxKept = 64 << 10

// buffers are the buffers in which the answers of one operation are encoded.
type buffers struct{ pool sync.Pool }

// buffer is bytes that are used again.
type buffer struct{ bytes []byte }

// take returns an empty buffer.
func (b *buffers) take() *buffer {
	if kept, ok := b.pool.Get().(*buffer); ok {
		kept.bytes = kept.bytes[:0]
		return kept
	}
	return &buffer{}
}

// giveBack keeps a buffer that nobody reads any more.
func (b *buffers) giveBack(used *buffer) {
	if cap(used.bytes) <= maxKept {
		b.pool.Put(used)
	}
}

// room returns the empty buffer of the answer.
func (x *exchange) room() []byte {
	if x.buffer == nil {
		x.buffer = x.buffers.take()
	}
	return x.buffer.bytes[:0]
}

// giveBack keeps the buffers of an answer that has been sent, and of the body, of which
// decoding has copied what the record keeps, and lets go of all else.
func (x *exchange) giveBack() {
	if x.received != nil {
		x.received.bytes = x.body
		x.buffers.giveBack(x.received)
	}
	if x.buffer != nil {
		x.buffer.bytes = x.answer
		x.buffers.giveBack(x.buffer)
	}
	*x = exchange{}
}
