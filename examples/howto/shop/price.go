package main

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// Money is an amount of a currency: "12.50 EUR" in JSON, in URLs and in the database.
type Money struct {
	Cents    int64
	Currency string // ISO 4217; "" is EUR
}

var moneyForm = regexp.MustCompile(`^([0-9]{1,12})\.([0-9]{2}) ([A-Z]{3})$`)

// MarshalText returns the amount as text.
func (m Money) MarshalText() ([]byte, error) {
	if m.Cents < 0 {
		return nil, errors.New("a price is never negative")
	}
	return fmt.Appendf(nil, "%d.%02d %s", m.Cents/100, m.Cents%100, cmp.Or(m.Currency, "EUR")), nil
}

// UnmarshalText parses an amount. Trove puts the name of the field before the message.
func (m *Money) UnmarshalText(text []byte) error {
	parts := moneyForm.FindSubmatch(text)
	if parts == nil {
		return validation.Fail("", "must be an amount such as 12.50 EUR")
	}
	cents, err := strconv.ParseInt(string(parts[1])+string(parts[2]), 10, 64)
	*m = Money{cents, string(parts[3])}
	return err
}

// OrderKey sorts amounts as numbers. The text alone would sort 9.00 after 10.00.
func (m Money) OrderKey() string {
	return store.NumberKey(strconv.FormatInt(m.Cents, 10)) + " " + cmp.Or(m.Currency, "EUR")
}

// JSONSchema states the form of the text.
func (Money) JSONSchema() map[string]any {
	return map[string]any{"pattern": moneyForm.String(), "examples": []string{"12.50 EUR"}}
}

// price is a rule for validate tags.
var price = validation.Rule{
	Name: "price",
	Check: func(field validator.FieldLevel) bool {
		money, ok := reflect.TypeAssert[Money](field.Field())
		return ok && money.Cents > 0
	},
	Message: "must be more than 0.00",
}
