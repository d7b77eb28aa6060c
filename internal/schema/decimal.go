package schema

import (
	"math"
	"math/big"
	"strconv"
)

// Decimal is a number as JSON writes it, "" for none. It keeps every digit, where float64
// has not all integers that a Go program has.
type Decimal string

// Int returns an integer.
func Int[N int | int64](n N) Decimal { return Decimal(strconv.FormatInt(int64(n), 10)) }

// Float returns a number; "" for infinities and what is no number, which JSON cannot write.
// Whole numbers are written without an exponent, as people write limits: 1000000, not 1e+06.
func Float(n float64) Decimal {
	switch {
	case math.IsNaN(n), math.IsInf(n, 0):
		return ""
	case n == math.Trunc(n) && math.Abs(n) < Exact:
		return Int(int64(n))
	}
	return Decimal(strconv.FormatFloat(n, 'g', -1, 64))
}

// Exact is the magnitude below which float64, with which many readers keep numbers, has
// every integer and rounds none to it.
const Exact = 1 << 53

// Float64 returns the nearest float64, and reports whether there is a number.
// Who needs a float64, as kin-openapi does, takes the loss on himself: see [Exact].
func (d Decimal) Float64() (float64, bool) {
	n, err := strconv.ParseFloat(string(d), 64)
	return n, err == nil
}

// digits is how many bits of a number are compared: more than any type of Go has.
const digits = 512

// Compare returns -1 where d is less than another number, 1 where it is more, and 0 where
// both are the same or one is none.
func (d Decimal) Compare(other Decimal) int {
	// big.Rat would be exact, but 1e999999999 has it write a gigabyte of digits; 512 bits tell all
	// numbers of Go's types apart.
	a, _, errA := big.ParseFloat(string(d), 10, digits, big.ToNearestEven)
	b, _, errB := big.ParseFloat(string(other), 10, digits, big.ToNearestEven)
	if errA != nil || errB != nil {
		return 0
	}
	return a.Cmp(b)
}
