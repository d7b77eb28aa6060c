package collections_test

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// price is a decimal number as big.Rat has it. It trims zeros in its text, as some libraries do.
type price struct{ text string }

func (price) DecimalDigits() (precision, scale int) { return 8, 2 }

func (p price) MarshalText() ([]byte, error) {
	if p.text == "" {
		return []byte("0"), nil
	}
	return []byte(p.text), nil
}

func (p *price) UnmarshalText(text []byte) error {
	if _, ok := new(big.Rat).SetString(string(text)); !ok {
		return errors.New("must be a number")
	}
	if p.text = string(text); strings.Contains(p.text, ".") {
		p.text = strings.TrimSuffix(strings.TrimRight(p.text, "0"), ".")
	}
	return nil
}

// MarshalJSON, Value and the like come with types of libraries.
func (p price) MarshalJSON() ([]byte, error)  { return []byte(p.text), nil }
func (p *price) UnmarshalJSON(b []byte) error { return p.UnmarshalText(b) }

// rate keeps the digits of its text, and has no digits before the point.
type rate string

func (rate) DecimalDigits() (precision, scale int) { return 4, 4 }

func (r rate) MarshalText() ([]byte, error) {
	if r == "" {
		return []byte("0"), nil
	}
	return []byte(r), nil
}

func (r *rate) UnmarshalText(text []byte) error {
	*r = rate(text)
	return nil
}

// Offer has decimal numbers in all places.
type Offer struct {
	ID    int64   `json:"id"`
	Price price   `json:"price" validate:"gte=-5000,lte=99999.99" api:"filter=exact|range,sort"`
	Least *price  `json:"least" validate:"omitempty,ltefield=Price" api:"filter=range|exists,sort,unique"`
	Rate  rate    `json:"rate" default:"0.1"`
	Steps []price `json:"steps" validate:"dive,gt=0"`
	Extra struct {
		Fee price `json:"fee" api:"filter=range,sort"`
	} `json:"extra"`
}

func TestDecimalsAreExactOnEveryStore(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[Offer]{}, func(c spec.Client) {
		c.Send("POST /api/things", `{"price":"12.50","steps":["0.10","3"],"extra":{"fee":"-0.00"}}`).
			Is(201, `{"id":1,"price":"12.5","least":null,"rate":"0.1000","steps":["0.1","3"],"extra":{"fee":"0"}}`)
		c.Send("GET /api/things/1", "").
			Is(200, `{"id":1,"price":"12.5","least":null,"rate":"0.1000","steps":["0.1","3"],"extra":{"fee":"0"}}`)
		c.Send("PATCH /api/things/1", `{"rate":"0.3","least":"1"}`).HasStatus(200).Mentions(`"rate":"0.3000"`, `"least":"1"`)
		c.Send("GET /api/things/1", "").HasStatus(200).Mentions(`"rate":"0.3000"`, `"least":"1"`)
		c.Send("POST /api/things", `{"price":"2","least":"1.00","extra":{"fee":"0"}}`).IsProblem(409).Mentions(`"field":"least"`)
	})
}

func TestMoreDigitsAreAValidationError(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[Offer]{}, func(c spec.Client) {
		digits, form := "must have at most 6 digits before the decimal point and 2 after it", "must be a decimal number such as 12.50"
		for text, message := range map[string]string{
			`"1.234"`: digits, `"1234567"`: digits, `"-1234567.00"`: digits, `"1.500"`: digits,
			`"1e3"`: form, `"+1"`: form, `".5"`: form, `"5."`: form, `"007"`: form, `""`: form, `"NaN"`: form, `"Infinity"`: form, `"1,5"`: form, `" 1"`: form, `"-"`: form,
			`12.5`: "must be a string with a decimal number such as \"12.50\"", `null`: "must be a string with a decimal number such as \"12.50\"",
		} {
			c.Send("POST /api/things", `{"price":`+text+`,"extra":{"fee":"1"}}`).IsInvalid("price", "price "+message)
			c.Send("POST /api/things", `{"price":"1","extra":{"fee":`+text+`}}`).IsInvalid("extra.fee", "fee "+message)
		}
		c.Send("POST /api/things", `{"price":"1","rate":"1","extra":{"fee":"0"}}`).
			IsInvalid("rate", "rate must be less than 1, with at most 4 digits after the decimal point")
		c.Send("GET /api/things?price[gte]=1.234", "").IsProblem(400).Mentions(digits)
	})
}

func TestRulesCompareDecimals(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[Offer]{}, func(c spec.Client) {
		c.Send("POST /api/things", `{"price":"100000","extra":{"fee":"0"}}`).IsInvalid("price", "price must be at most 99999.99")
		c.Send("POST /api/things", `{"price":"-5000.01","extra":{"fee":"0"}}`).IsInvalid("price", "price must be at least -5000")
		c.Send("POST /api/things", `{"price":"9","least":"10","extra":{"fee":"0"}}`).IsInvalid("least", "least must be less than or equal to price")
		c.Send("POST /api/things", `{"price":"9","steps":["0.00"],"extra":{"fee":"0"}}`).IsInvalid("steps[0]", "steps[0] must be greater than 0")
	})
}

func TestAProgramCannotSaveMoreDigits(t *testing.T) {
	t.Parallel()
	for name, in := range spec.Stores[Offer](t) {
		for _, text := range []string{"0.001", "1e6", "1e999999999", "NaN", "-1234567"} {
			if err := store.Insert(t.Context(), in, &Offer{Price: price{text}}); err == nil || !strings.Contains(err.Error(), "price must ") {
				t.Errorf("%s: %s: %v", name, text, err)
			}
		}
		offer := &Offer{Price: price{"1.5e2"}, Rate: "25e-2"}
		if err := store.Insert(t.Context(), in, offer); err != nil || offer.Price.text != "150" || offer.Rate != "0.2500" {
			t.Errorf("%s: %v, %v", name, offer, err)
		}
		found, err := store.List(t.Context(), in, store.Eq("price", "150.00"), store.Lt("rate", "0.3"), store.Gt("price", price{"149.999"}))
		if err != nil || len(found) != 1 || found[0].Rate != "0.2500" {
			t.Errorf("%s: found %v, %v", name, found, err)
		}
	}
}

func TestDecimalsAreSortedAndFilteredByValue(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	cents := make([]int64, 60)
	for i := range cents {
		cents[i] = random.Int64N([]int64{3, 300, 60_000, 900_000}[random.IntN(4)])
		if cents[i] < 400_000 && random.IntN(2) == 0 {
			cents[i] = -cents[i]
		}
	}
	text := func(cents int64) string { return big.NewRat(cents, 100).FloatString(2) }
	spec.Alike(t, resource.Of[Offer]{}, func(c spec.Client) {
		for _, n := range cents {
			c.Send("POST /api/things", fmt.Sprintf(`{"price":%q,"extra":{"fee":%q}}`, text(n), text(n))).HasStatus(201)
		}
		for range 15 {
			limit := cents[random.IntN(len(cents))] + random.Int64N(3) - 1
			for query, holds := range map[string]func(n int64) bool{
				"price=" + text(limit):          func(n int64) bool { return n == limit },
				"price[gt]=" + text(limit):      func(n int64) bool { return n > limit },
				"price[lte]=" + text(limit):     func(n int64) bool { return n <= limit },
				"extra.fee[lt]=" + text(limit):  func(n int64) bool { return n < limit },
				"extra.fee[gte]=" + text(limit): func(n int64) bool { return n >= limit },
			} {
				var want []string
				for i, n := range cents {
					if holds(n) {
						want = append(want, fmt.Sprint(i+1))
					}
				}
				if got := idsIn(c, "/api/things?itemsPerPage=100&"+query); got != strings.Join(want, " ") {
					t.Errorf("%s has %s, want %s", query, got, want)
				}
			}
		}
		for _, sort := range []string{"price", "-price", "extra.fee"} {
			query := "sort=" + url.QueryEscape(sort)
			all := strings.Fields(idsIn(c, "/api/things?itemsPerPage=100&"+query))
			for i := 1; i < len(all); i++ {
				var a, b int
				_, _ = fmt.Sscan(all[i-1]+" "+all[i], &a, &b)
				if before, after := cents[a-1], cents[b-1]; sort[0] != '-' && before > after || sort[0] == '-' && before < after {
					t.Errorf("%s: %d before %d", sort, before, after)
				}
			}
			if got := walkBack(c, "/api/things?itemsPerPage=1&cursor=&"+query); got != strings.Join(all, " ") {
				t.Errorf("%s by cursors: %s, want %s", sort, got, all)
			}
		}
	})
}

func TestTheDocumentDescribesDecimals(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[Offer]{})
	if err != nil {
		t.Fatal(err)
	}
	if err := openapi.Mount(api, openapi.Config{Title: "Shop", Version: "1"}); err != nil {
		t.Fatal(err)
	}
	c := spec.Client{T: t, Handler: api}
	c.Send("GET /api/docs.json", "").HasStatus(200).Mentions(`"format":"decimal"`, `"pattern":"^-?(0|[1-9][0-9]{0,5})(\\.[0-9]{1,2})?$"`)
	openapitest.Conform(t, api)
}

type noText int

func (noText) DecimalDigits() (precision, scale int) { return 2, 1 }

type noDigits struct{ price }

func (noDigits) DecimalDigits() (precision, scale int) { return 2, 3 }

type noZero struct{ price }

func (noZero) MarshalText() ([]byte, error) { return []byte("none"), nil }

func TestMistakesWithDecimalsAreErrorsOfNew(t *testing.T) {
	t.Parallel()
	type coin struct {
		ID   price    `json:"id"`
		Text noText   `json:"text"`
		Few  noDigits `json:"few"`
		Zero noZero   `json:"zero"`
		Most price    `json:"most" validate:"lte=much"`
		Base price    `json:"base" default:"0.001"`
	}
	_, err := resource.New(resource.Config{}, resource.Of[coin]{})
	for _, want := range []string{
		"coin.ID: the identifier cannot have the type",
		"coin.Text: the type collections_test.noText has a DecimalDigits method but does not marshal itself as text",
		"coin.Few: DecimalDigits of the type collections_test.noDigits returns 2, 3; allowed: a precision from 1 to 300, and a scale from 0 to the precision",
		`coin.Zero: the zero value of the type collections_test.noZero must be a decimal number such as 12.50; make MarshalText return "0" for it`,
		`coin.Most: validate rule "lte" needs a value of the type collections_test.price, found "much"`,
		"coin.Base: ",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v\nwant %s", err, want)
		}
	}
}
