package pipeline

import "sync"

// maxKept is the size in bytes up to which a buffer is used again. A large answer is rare,
// and its buffer would stay as large for ever.
const maxKept = 64 << 10

// buffers are the buffers in which the answers of one operation are encoded.
type buffers struct{ pool sync.Pool }

// take returns an empty buffer.
func (b *buffers) take() []byte {
	if kept, ok := b.pool.Get().(*[]byte); ok {
		return (*kept)[:0]
	}
	return nil
}

// giveBack keeps a buffer whose answer has been sent.
func (b *buffers) giveBack(buffer []byte) {
	if buffer != nil && cap(buffer) <= maxKept {
		b.pool.Put(&buffer)
	}
}
