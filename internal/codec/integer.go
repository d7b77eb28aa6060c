package codec

import (
	"bytes"
	"slices"
	"strconv"
)

// integer is a JSON number read as an integer.
// It says what is wrong with a number, so that a message can tell a fraction from one that is too
// large.
type integer struct {
	negative  bool
	magnitude uint64
	fraction  bool // the number is no integer
	huge      bool // the magnitude does not fit
}

// parseInteger reads a well-formed JSON number. 3.0 and 1e1 are integers, as in JSON
// Schema. It takes no longer than the number is, whatever the exponent says.
func parseInteger(number []byte) integer {
	digits, negative := bytes.CutPrefix(number, []byte("-"))
	exponent := 0
	if bytes.ContainsAny(digits, ".eE") {
		digits, exponent = decimal(digits)
	}
	n := integer{negative: negative}
	// Bounded before any digit is written: 1e999999999 is ten bytes of a body, and a gigabyte of zeros.
	const longest = len("18446744073709551615")
	switch {
	case exponent < 0:
		n.fraction = true
	case len(digits)+exponent > longest:
		n.huge = true
	default:
		digits = append(slices.Clip(digits), bytes.Repeat([]byte("0"), exponent)...)
		magnitude, err := strconv.ParseUint(string(digits), 10, 64)
		n.magnitude, n.huge = magnitude, err != nil
	}
	return n
}

// decimal splits a number without sign into significant digits and the power of ten
// that they are multiplied with.
// On digits rather than by float64, which has not all integers of 64 bits.
func decimal(number []byte) (digits []byte, exponent int) {
	if i := bytes.IndexAny(number, "eE"); i >= 0 {
		exponent = parseExponent(number[i+1:])
		number = number[:i]
	}
	whole, fraction, _ := bytes.Cut(number, []byte("."))
	exponent -= len(fraction)
	digits = bytes.TrimLeft(slices.Concat(whole, fraction), "0")
	// Zeros at the end go into the power, so that 10.0 and 100e-1 are the same 1 with a power of 1.
	short := bytes.TrimRight(digits, "0")
	if len(short) == 0 {
		return []byte("0"), 0
	}
	return short, exponent + len(digits) - len(short)
}

// parseExponent reads an exponent, or one that is beyond all that a body could even out
// with digits.
func parseExponent(text []byte) int {
	exponent, err := strconv.ParseInt(string(text), 10, 32)
	switch {
	case err == nil:
		return int(exponent)
	case text[0] == '-':
		return -1 << 40
	}
	return 1 << 40
}
