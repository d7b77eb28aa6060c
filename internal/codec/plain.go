package codec

import (
	"encoding/binary"
	"math/bits"
)

const (
	eachByte = 0x0101010101010101 // times a byte: that byte eight times
	topBits  = 0x80 * eachByte
)

// plainLength returns how many bytes text has before the first that is not ASCII, or
// that JSON strings must escape: control characters, quotes and backslashes.
func plainLength(text []byte) int {
	n := 0
	for ; len(text)-n >= 8; n += 8 {
		if special := specials(binary.LittleEndian.Uint64(text[n:])); special != 0 {
			return n + bits.TrailingZeros64(special)/8
		}
	}
	for n < len(text) && ' ' <= text[n] && text[n] < 0x80 && text[n] != '"' && text[n] != '\\' {
		n++
	}
	return n
}

// specials sets the top bit of the first of eight bytes that is not plain, and returns 0
// where all are. A subtraction sets the top bit of a byte below what is subtracted; it
// may then borrow from the bytes behind, which no longer matter.
func specials(word uint64) uint64 {
	control := word - ' '*eachByte
	quote := word ^ '"'*eachByte - eachByte
	backslash := word ^ '\\'*eachByte - eachByte
	return (control | quote | backslash | word) & topBits
}
