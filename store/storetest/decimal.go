package storetest

import (
	"cmp"
	"errors"
	"math/big"

	"github.com/trove-api/trove/store"
)

// Decimal is a number of any size and scale, which is kept as it was written and ordered as a
// number: a [store.Ordered]. Its zero value is 0.
type Decimal string

// MarshalText writes the number as it was written.
func (d Decimal) MarshalText() ([]byte, error) { return []byte(cmp.Or(d, "0")), nil }

// UnmarshalText takes a decimal number.
func (d *Decimal) UnmarshalText(text []byte) error {
	if _, ok := new(big.Rat).SetString(string(text)); !ok {
		return errors.New("must be a decimal number")
	}
	if *d = Decimal(text); *d == "0" {
		*d = ""
	}
	return nil
}

// OrderKey returns the key of the number.
func (d Decimal) OrderKey() string { return store.NumberKey(string(cmp.Or(d, "0"))) }

// compare compares numbers without their keys.
func (d Decimal) compare(other Decimal) int {
	a, _ := new(big.Rat).SetString(string(cmp.Or(d, "0")))
	b, _ := new(big.Rat).SetString(string(cmp.Or(other, "0")))
	return a.Cmp(b)
}

// decimal is one of numbers whose texts are in another order than they, and of which several are
// equal.
func (g *generator) decimal() Decimal {
	return one[Decimal](g,
		"", "-0", "0.00", "1", "1.0", "1.00", "+1", "10", "9", "9.99", "100", "1e2", "-1", "-1.5", "-1.50", "-10", "-9", "0.1", "0.01", "-0.01", ".5", "1e-7",
		"123456789012345678901234567890.123456789", "123456789012345678901234567890.12345678901", "-123456789012345678901234567890", "9007199254740993", "9007199254740992",
	)
}
