package codec

import (
	"errors"
	"math"
	"strconv"
)

// encodeSigned returns the encoder of signed integers of so many bits.
func encodeSigned(bits int) encoder {
	switch bits {
	case 8:
		return encodeInt[int8]
	case 16:
		return encodeInt[int16]
	case 32:
		return encodeInt[int32]
	}
	return encodeInt[int64]
}

func encodeInt[T int8 | int16 | int32 | int64](b []byte, at address, _ int) ([]byte, error) {
	return strconv.AppendInt(b, int64(*as[T](at)), 10), nil
}

// encodeUnsigned returns the encoder of unsigned integers of so many bits.
// Integers are written whole, however large, though many readers keep them as floats: the document
// says so by their format.
func encodeUnsigned(bits int) encoder {
	switch bits {
	case 8:
		return encodeUint[uint8]
	case 16:
		return encodeUint[uint16]
	case 32:
		return encodeUint[uint32]
	}
	return encodeUint[uint64]
}

func encodeUint[T uint8 | uint16 | uint32 | uint64](b []byte, at address, _ int) ([]byte, error) {
	return strconv.AppendUint(b, uint64(*as[T](at)), 10), nil
}

// encodeFloat returns the encoder of floats of so many bits.
func encodeFloat(bits int) encoder {
	if bits == 32 {
		return func(b []byte, at address, _ int) ([]byte, error) {
			return appendFloat(b, float64(*as[float32](at)), 32)
		}
	}
	return func(b []byte, at address, _ int) ([]byte, error) { return appendFloat(b, *as[float64](at), 64) }
}

// appendFloat appends a number as ECMAScript writes it, but that -0 keeps its sign.
func appendFloat(b []byte, number float64, bits int) ([]byte, error) {
	// Most floats in bodies are whole, and strconv finds their shortest form slowly.
	if isExactInteger(number, bits) {
		return strconv.AppendInt(b, int64(number), 10), nil
	}
	if math.IsNaN(number) || math.IsInf(number, 0) {
		return b, errors.New("the number is not finite")
	}
	if !isScientific(number, bits) {
		return strconv.AppendFloat(b, number, 'f', -1, bits), nil
	}
	b = strconv.AppendFloat(b, number, 'e', -1, bits)
	if n := len(b); b[n-4] == 'e' && b[n-2] == '0' { // Go pads exponents to two digits
		b = append(b[:n-2], b[n-1])
	}
	return b, nil
}

// isExactInteger reports whether a number is an integer, not 0, that no shorter text
// stands for: beyond these limits some digits are zeros.
func isExactInteger(number float64, bits int) bool {
	limit := float64(1 << 53)
	if bits == 32 {
		limit = 1 << 24
	}
	return -limit < number && number < limit && number != 0 && float64(int64(number)) == number
}

// isScientific reports whether a number is written with an exponent: one that is very
// small or very large, after rounding to the float's bits.
// The limits are ECMAScript's (ECMA-262, Number::toString), which most readers and writers of JSON
// follow.
func isScientific(number float64, bits int) bool {
	size := math.Abs(number)
	if bits == 32 {
		return size != 0 && (float32(size) < 1e-6 || float32(size) >= 1e21)
	}
	return size != 0 && (size < 1e-6 || size >= 1e21)
}
