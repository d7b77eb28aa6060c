package bodies_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// Amount is a type that reads itself, and says what it must be.
type Amount struct{ text string }

func (a Amount) MarshalText() ([]byte, error) { return []byte(a.text), nil }

func (a *Amount) UnmarshalText(text []byte) error {
	if a.text = string(text); strings.HasSuffix(a.text, " EUR") {
		return nil
	}
	if a.text == "secret" {
		return errors.New("the key of the bank is 1234")
	}
	return validation.Fail("", "must be an amount such as 12.50 EUR")
}

func TestErrorsOfAUsersTypeReachTheClient(t *testing.T) {
	t.Parallel()
	type Bill struct {
		ID    int64  `json:"id"`
		Price Amount `json:"price" api:"filter=exact"`
		Count int    `json:"count" validate:"gte=1"`
	}
	const said, form = "price must be an amount such as 12.50 EUR", "price has an invalid format"
	api := spec.NewClient(t, resource.Config{}, resource.Of[Bill]{})
	api.Send("POST /api/bills", `{"price":"1 EUR","count":1}`).HasStatus(201)
	api.Send("POST /api/bills", `{"price":"1","count":0}`).IsInvalid("price", said, "count", "count must be at least 1")
	api.Send("PATCH /api/bills/1", `{"price":"1"}`).IsInvalid("price", said)
	api.Send("POST /api/bills", `{"price":"secret","count":1}`).IsInvalid("price", form)
	api.Send("GET /api/bills?price=1", "").IsProblem(400).Mentions(said + `.`)
}
