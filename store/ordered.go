package store

import (
	"fmt"
	"strconv"
	"strings"
)

// Ordered is implemented by types that marshal themselves as text, but whose order differs from the byte order of that
// text. Examples are decimals, versions and amounts of money. Every store sorts and filters fields of such a type by
// their keys:
//
//	type Decimal struct{ text string }
//
//	func (d Decimal) MarshalText() ([]byte, error) { … }
//	func (d *Decimal) UnmarshalText(text []byte) error { … }
//	func (d Decimal) OrderKey() string { return store.NumberKey(d.text) }
//
// Values with the same key are equal to filters, access rules and unique fields. So 1.0 equals 1.00, although each
// record keeps the text it was given. Identifiers and filterable lists cannot be of such a type. A table of
// [store/sqlstore] stores the key in an additional column; a table that Trove did not create is compared as its
// database compares.
//
// [store/sqlstore]: https://pkg.go.dev/github.com/trove-api/trove/store/sqlstore
type Ordered interface {
	// OrderKey returns a key whose byte order is the order of the values. It depends on the value only and must accept
	// the zero value. The key is valid UTF-8 without U+0000 and has at most 1,600 bytes; stores reject any other.
	OrderKey() string
}

// Decimal is implemented by types that marshal themselves as text and hold exact decimal numbers, such as amounts of money:
//
//	type Price struct{ decimal.Decimal } // of a library, with MarshalText and UnmarshalText
//
//	func (Price) DecimalDigits() (precision, scale int) { return 12, 2 }
//
// Clients send and get them as strings such as "12.50", with all digits of the scale if the type writes these. Every store
// sorts, filters and compares them by value, like an [Ordered]. A table of store/sqlstore has a column NUMERIC(12, 2)
// where the database has that type. A number with more digits is a validation error, and so is a text that is not a plain
// decimal number, such as 1e3, NaN or infinity. Arithmetic is that of the type.
//
// OrderKey, MarshalJSON, Value and Scan are ignored.
type Decimal interface {
	// DecimalDigits returns how many digits a number may have, from 1 to 300, and how many of them are after the decimal
	// point. It is called once, with the zero value.
	DecimalDigits() (precision, scale int)
}

// These prefixes of a number's key put the kinds of numbers in order.
const (
	keyOfNone     = "!"
	keyOfNegative = "0"
	keyOfZero     = "1"
	keyOfPositive = "2"
)

// maxExponent is the greatest exponent of a number that has a key; -maxExponent is the least.
const maxExponent = 1_000_000_000

// NumberKey returns a key for [Ordered] that sorts decimal numbers by value. The number may have any number of digits
// and any form, such as 12, -0.50, +.5 or 1e-7. The keys of 1.0, 1.00 and 1e0 are the same. Any other text sorts before
// all numbers, such as NaN, infinity, a number with separators, or one with an exponent beyond ±1,000,000,000.
func NumberKey(text string) string {
	digits, isNegative := strings.CutPrefix(text, "-")
	if !isNegative {
		digits = strings.TrimPrefix(text, "+")
	}
	digits, point, ok := decimal(digits)
	switch {
	case !ok:
		return keyOfNone + strconv.QuoteToASCII(text)
	case digits == "":
		return keyOfZero
	}
	// A number is 0.digits times ten to the power of point. The first digit is not 0, so a greater point means a
	// greater number.
	key := fmt.Sprintf("%010d", point+5*maxExponent) + digits
	if !isNegative {
		return keyOfPositive + key
	}
	// The "~" sorts a shorter number after a longer one with the same digits, because -1 is greater than -1.5.
	return keyOfNegative + strings.Map(func(digit rune) rune { return '0' + '9' - digit }, key) + "~"
}

// decimal splits a number without a sign into its digits, without zeros at either end, and the position of the decimal
// point relative to the first digit.
func decimal(text string) (digits string, point int64, ok bool) {
	text, exponent, hasExponent := strings.Cut(strings.ToLower(text), "e")
	if hasExponent {
		n, err := strconv.ParseInt(exponent, 10, 64)
		if err != nil || n < -maxExponent || n > maxExponent {
			return "", 0, false
		}
		point = n
	}
	whole, rest, _ := strings.Cut(text, ".")
	digits = whole + rest
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return "", 0, false
	}
	point += int64(len(whole))
	significant := strings.TrimLeft(digits, "0")
	point -= int64(len(digits) - len(significant))
	return strings.TrimRight(significant, "0"), point, true
}
