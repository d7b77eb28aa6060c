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

// isPlain reports whether a text is ASCII that JSON strings need not escape. It looks at
// some bytes twice rather than at any by itself.
// Whole words are ored together and judged once, without a branch in the loop: most texts are plain
// to their end, and looking for the first special byte is the caller's rare case. The last word may
// overlap the one before.
func isPlain(text string) bool {
	n := len(text)
	if n < 8 {
		return isShortPlain(text)
	}
	found := specials(wordOf(text[n-8:]))
	for ; len(text) > 16; text = text[16:] {
		found |= specials(wordOf(text)) | specials(wordOf(text[8:]))
	}
	if len(text) > 8 {
		found |= specials(wordOf(text))
	}
	return found == 0
}

// isShortPlain does what isPlain does with fewer than eight bytes.
func isShortPlain(text string) bool {
	word := uint64(' ' * eachByte)
	switch n := len(text); {
	case n >= 4:
		word = halfOf(text) | halfOf(text[n-4:])<<32
	case n > 0:
		word = word<<24 | uint64(text[0]) | uint64(text[n/2])<<8 | uint64(text[n-1])<<16
	}
	return specials(word) == 0
}

// wordOf returns the first eight bytes of a text, which the compiler reads at once.
func wordOf(text string) uint64 {
	// One check of the bounds for eight bytes; the compiler then makes one load of them.
	_ = text[7]
	return uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
		uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
}

// halfOf returns the first four bytes of a text.
func halfOf(text string) uint64 {
	_ = text[3]
	return uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24
}

// specials sets the top bit of the first of eight bytes that is not plain, and returns 0
// where all are. A subtraction sets the top bit of a byte below what is subtracted; it
// may then borrow from the bytes behind, which no longer matter.
func specials(word uint64) uint64 {
	// The quotation mark changes places with the space, which makes it the first byte behind the control
	// characters: one subtraction finds both.
	control := word ^ ('"'^' ')*eachByte - ('"'-1)*eachByte
	backslash := word ^ '\\'*eachByte - eachByte
	return (control | backslash | word) & topBits
}
