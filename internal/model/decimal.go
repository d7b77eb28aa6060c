package model

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/trove-api/trove/store"
)

// maxPrecision is the maximum number of digits of a decimal number. Its text is in indexes, which are limited.
const maxPrecision = 300

// Digits are the limits of a type of decimal numbers; see [store.Decimal].
type Digits struct{ Precision, Scale int }

// digits sets the limits of a type of decimal numbers, and reports those that are not valid.
func (c *compiler) digits(t *Type, where Declaration) {
	base := t.Base()
	switch {
	case !has[store.Decimal](base):
		return
	case t.Kind != Text:
		c.fail(where, "the type %s has a DecimalDigits method but does not marshal itself as text; add MarshalText and UnmarshalText", base)
		return
	}
	var precision, scale int
	own, _ := reflect.TypeAssert[store.Decimal](reflect.New(base))
	cause := panicOf(func() { precision, scale = own.DecimalDigits() })
	t.Digits = &Digits{max(precision, 1), max(scale, 0)}
	switch {
	case cause != nil:
		c.fail(where, "DecimalDigits of the type %s panics on its zero value: %v", base, cause)
	case precision < 1 || precision > maxPrecision || scale < 0 || scale > precision:
		c.fail(where, "DecimalDigits of the type %s returns %d, %d; allowed: a precision from 1 to %d, and a scale from 0 to the precision",
			base, precision, scale, maxPrecision)
	default:
		if _, err := t.Decimal(reflect.New(base).Elem()); err != nil {
			c.fail(where, "the zero value of the type %s %w; make MarshalText return \"0\" for it", base, err)
		}
	}
}

// Decimal returns the text of a value of a type of decimal numbers, with all digits of its scale: "12.50". The error
// continues a sentence that begins with the field's name.
func (t *Type) Decimal(v reflect.Value) (string, error) {
	text, err := MarshalText(v)
	if err != nil {
		return "", errNoDecimal
	}
	return t.Digits.Text(string(text))
}

// number matches the texts of decimal numbers, such as 12, -0.50, +.5 and 1e-7.
var number = regexp.MustCompile(`^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,9}))?$`)

var errNoDecimal = errors.New("must be a decimal number such as 12.50")

// Text returns the text of a decimal number with all digits of the scale.
func (d *Digits) Text(text string) (string, error) {
	parts := number.FindStringSubmatch(text)
	if parts == nil || parts[2]+parts[3] == "" {
		return "", errNoDecimal
	}
	exponent, _ := strconv.Atoi(parts[4]) // "" is 0
	all := parts[2] + parts[3]
	digits := strings.TrimLeft(all, "0")
	point := len(parts[2]) + exponent - (len(all) - len(digits)) // its position in digits
	if digits = strings.TrimRight(digits, "0"); digits == "" {
		point = 0
	}
	// Checked before any zero is written, because 1e999999999 is short.
	if point > d.Precision-d.Scale || len(digits)-point > d.Scale {
		return "", errors.New(d.limits())
	}
	if point < 1 {
		digits, point = strings.Repeat("0", 1-point)+digits, 1
	}
	digits += strings.Repeat("0", max(0, point+d.Scale-len(digits)))
	sign := ""
	if parts[1] == "-" && strings.Trim(digits, "0") != "" {
		sign = "-"
	}
	if d.Scale == 0 {
		return sign + digits[:point], nil
	}
	return sign + digits[:point] + "." + digits[point:], nil
}

// limits says how many digits a number may have.
func (d *Digits) limits() string {
	whole := d.Precision - d.Scale
	switch {
	case d.Scale == 0:
		return fmt.Sprintf("must have at most %d digits, and no fraction", whole)
	case whole == 0:
		return fmt.Sprintf("must be less than 1, with at most %d digits after the decimal point", d.Scale)
	}
	return fmt.Sprintf("must have at most %d digits before the decimal point and %d after it", whole, d.Scale)
}

// Pattern returns a regular expression (ECMA-262) of the texts that clients may send.
func (d *Digits) Pattern() string {
	pattern := "^-?0"
	if whole := d.Precision - d.Scale; whole > 0 {
		pattern = fmt.Sprintf("^-?(0|[1-9][0-9]{0,%d})", whole-1)
	}
	if d.Scale > 0 {
		pattern += fmt.Sprintf(`(\.[0-9]{1,%d})?`, d.Scale)
	}
	return pattern + "$"
}

// plain matches the decimal numbers of clients, with any number of digits.
var plain = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// Read returns the text of a decimal number that a client has sent, with all digits of the scale. It accepts what
// [Digits.Pattern] matches.
func (d *Digits) Read(text string) (string, error) {
	if !plain.MatchString(text) {
		return "", errNoDecimal
	}
	if _, fraction, _ := strings.Cut(text, "."); len(fraction) > d.Scale {
		return "", errors.New(d.limits())
	}
	return d.Text(text)
}
