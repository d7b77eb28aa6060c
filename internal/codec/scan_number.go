package codec

import (
	"math"
	"strconv"

	"github.com/trove-api/trove/internal/model"
)

// The value is set before the word is known to be one: a scanner that gives up leaves anything
// behind, since the record is put back whole.
func scanBool(d *decoding, at address, i int) int {
	is := d.at(i) == 't'
	*as[bool](at) = is
	if is {
		return d.word(i, "true")
	}
	return d.word(i, "false")
}

// digits reads a row of at most 19 digits, which 64 bits always hold. Without a digit, or
// with a 0 before others, it gives up.
func (d *decoding) digits(i int) (number uint64, end int) {
	start := i
	for ; i < len(d.body) && '0' <= d.body[i] && d.body[i] <= '9'; i++ {
		if i-start == 19 {
			return 0, gaveUp
		}
		number = number*10 + uint64(d.body[i]-'0')
	}
	if i == start || d.body[start] == '0' && i > start+1 {
		return 0, gaveUp
	}
	return number, i
}

// scanSigned returns the scanner of signed integers of so many bits.
func scanSigned(bits int) scanner {
	switch bits {
	case 8:
		return scanInt[int8]
	case 16:
		return scanInt[int16]
	case 32:
		return scanInt[int32]
	}
	return scanInt[int64]
}

// An instance for each size, where reflection would ask for it at each value. The smallest integer
// of 64 bits is left to the decoder: its magnitude is none of int64.
func scanInt[T int8 | int16 | int32 | int64](d *decoding, at address, i int) int {
	negative := d.at(i) == '-'
	if negative {
		i++
	}
	magnitude, end := d.digits(i)
	if end == gaveUp || magnitude > math.MaxInt64 {
		return gaveUp
	}
	number := int64(magnitude)
	if negative {
		number = -number
	}
	*as[T](at) = T(number)
	// Converting there and back finds what does not fit, for all sizes with one comparison.
	if int64(T(number)) != number {
		return gaveUp
	}
	return end
}

// scanUnsigned returns the scanner of unsigned integers of so many bits.
func scanUnsigned(bits int) scanner {
	switch bits {
	case 8:
		return scanUint[uint8]
	case 16:
		return scanUint[uint16]
	case 32:
		return scanUint[uint32]
	case model.SignedBits:
		return scanHalf
	}
	return scanUint[uint64]
}

// A number that gave up is 0 with an end that says so, which fits any size: the end is what counts.
func scanUint[T uint8 | uint16 | uint32 | uint64](d *decoding, at address, i int) int {
	number, end := d.digits(i)
	*as[T](at) = T(number)
	if uint64(T(number)) != number {
		return gaveUp
	}
	return end
}

// scanHalf scans the unsigned integers that are signed ones, too.
// Databases have no unsigned integer of 64 bits, so that the upper half could not be kept.
func scanHalf(d *decoding, at address, i int) int {
	end := scanUint[uint64](d, at, i)
	if *as[uint64](at) > math.MaxInt64 {
		return gaveUp
	}
	return end
}

// scanFloat returns the scanner of floats of so many bits.
// Rounding is strconv's: a float read by any quicker way could differ in its last bit from what the
// decoder reads.
func scanFloat(bits int) scanner {
	return func(d *decoding, at address, i int) int {
		end := d.numeral(i)
		if end == gaveUp {
			return gaveUp
		}
		number, err := strconv.ParseFloat(string(d.body[i:end]), bits)
		switch {
		case err != nil:
			return gaveUp
		case bits == 32:
			*as[float32](at) = float32(number)
		default:
			*as[float64](at) = number
		}
		return end
	}
}

// numeral returns where the number at i ends.
// It is the grammar of RFC 8259, section 6, by hand: strconv takes more (a plus, hexadecimal
// digits, underscores, Inf), so that the end has to be found before it is asked.
func (d *decoding) numeral(i int) int {
	if d.at(i) == '-' {
		i++
	}
	start := i
	i = d.endOfDigits(i)
	if i == start || d.body[start] == '0' && i > start+1 {
		return gaveUp
	}
	if d.at(i) == '.' {
		start, i = i+1, d.endOfDigits(i+1)
		if i == start {
			return gaveUp
		}
	}
	if c := d.at(i); c != 'e' && c != 'E' {
		return i
	}
	i++
	if c := d.at(i); c == '+' || c == '-' {
		i++
	}
	start, i = i, d.endOfDigits(i)
	if i == start {
		return gaveUp
	}
	return i
}

// endOfDigits returns where the digits that begin at i end.
func (d *decoding) endOfDigits(i int) int {
	for i < len(d.body) && '0' <= d.body[i] && d.body[i] <= '9' {
		i++
	}
	return i
}
