package store

import (
	"fmt"
	"strconv"
	"strings"
)

// Ordered is implemented by types that marshal themselves as text, and whose values are in
// another order than the bytes of that text: decimals, versions, amounts of money. Fields of such a
// type are sorted and filtered by range in the order of the keys, alike in every store:
//
//	type Decimal struct{ text string }
//
//	func (d Decimal) MarshalText() ([]byte, error) { … }
//	func (d *Decimal) UnmarshalText(text []byte) error { … }
//	func (d Decimal) OrderKey() string { return store.NumberKey(d.text) }
//
// What has one key is equal: to filters, rules of access and unique fields 1.0 is 1.00, though
// each record keeps and shows the text that it was given. An identifier, which is a text in an
// address, cannot be of such a type, nor can what lists are asked for. Tables of [store/sqlstore] have
// the key in a column of its own; one that Trove did not make is compared as its database does.
//
// [store/sqlstore]: https://pkg.go.dev/github.com/trove-api/trove/store/sqlstore
type Ordered interface {
	// OrderKey returns the text by whose bytes the value is ordered. It depends on the value alone,
	// is valid UTF-8 without U+0000 and has 1,600 bytes at most: no store keeps another one. It
	// must not fail for the zero value.
	OrderKey() string
}

// What the key of a number begins with, so that they are in this order.
const (
	keyOfNone     = "!"
	keyOfNegative = "0"
	keyOfZero     = "1"
	keyOfPositive = "2"
)

// maxExponent is the greatest exponent of a number that has a key, and -maxExponent the least.
const maxExponent = 1_000_000_000

// NumberKey returns a key for [Ordered] of a decimal number in any of its forms, such as 12, -0.50,
// +.5 or 1e-7, of any number of digits: keys are in the order of the numbers, and those of 1.0,
// 1.00 and 1e0 are one. A text that is no such number (NaN, infinity, one with an exponent beyond
// 1,000,000,000 or with separators) comes before all of them.
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
	// A number is 0.digits times ten to the power of point: the greater that is, the greater the
	// number, and the first digit, which is none of 0, then weighs most.
	key := fmt.Sprintf("%010d", point+5*maxExponent) + digits
	if !isNegative {
		return keyOfPositive + key
	}
	// What ends comes behind what goes on: -1 is more than -1.5.
	return keyOfNegative + strings.Map(func(digit rune) rune { return '0' + '9' - digit }, key) + "~"
}

// decimal takes a number without a sign apart: its digits without zeros at either end, and where
// the point stands before or behind the first of them.
func decimal(text string) (digits string, point int64, ok bool) {
	text, exponent, hasExponent := cutExponent(text)
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

func cutExponent(text string) (number, exponent string, found bool) {
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		return text[:at], text[at+1:], true
	}
	return text, "", false
}
