package codec_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/trove-api/trove/validation"
)

// amount is a type that says what it must be, or something else.
type amount struct{ text string }

func (a amount) MarshalText() ([]byte, error) { return []byte(a.text), nil }

func (a *amount) UnmarshalText(text []byte) error {
	a.text = string(text)
	return refusalOf(a.text)
}

// weighed is one that reads itself from JSON.
type weighed struct{ text string }

func (w weighed) MarshalJSON() ([]byte, error) { return []byte(w.text), nil }

func (w *weighed) UnmarshalJSON(text []byte) error {
	w.text = string(text)
	return refusalOf(w.text[1 : len(w.text)-1])
}

func refusalOf(text string) error {
	said := validation.Fail("", "must be an amount such as 12.50 EUR")
	switch text {
	case "said":
		return said
	case "wrapped":
		return fmt.Errorf("reading an amount: %w", said)
	case "twice":
		return errors.Join(said, validation.Fail("", "must not be twice"))
	case "within":
		return validation.Fail("currency", "There is no such currency")
	case "more":
		return errors.Join(said, errors.New("secret"))
	case "other":
		return errors.New("secret")
	}
	return nil
}

func TestErrorsOfATypesOwnMethodAreReported(t *testing.T) {
	t.Parallel()
	type bill struct {
		Price  amount            `json:"price"`
		Weight weighed           `json:"weight"`
		Others []*amount         `json:"others"`
		By     map[string]amount `json:"by"`
	}
	c := codecOf[bill](t)
	const must, form = " must be an amount such as 12.50 EUR (invalid)", " has an invalid format (type)"
	for body, want := range map[string]string{
		`{"price":"said"}`:            "price: price" + must,
		`{"price":"wrapped"}`:         "price: price" + must,
		`{"price":"twice"}`:           "price: price" + must,
		`{"price":"within"}`:          "price.currency: There is no such currency (invalid)",
		`{"price":"more"}`:            "price: price" + form,
		`{"price":"other"}`:           "price: price" + form,
		`{"weight":"said"}`:           "weight: weight" + must,
		`{"weight":"wrapped"}`:        "weight: weight" + must,
		`{"weight":"other"}`:          "weight: weight" + form,
		`{"others":["1","said"]}`:     "others[1]: others[1]" + must,
		`{"by":{"a":"1","b":"said"}}`: "by[b]: by[b]" + must,
	} {
		for _, mode := range []mode{create, merge} {
			decoded := decode(t, c, body, c.New(), mode)
			wantLines(t, body, decoded, want)
			if !decoded.Mistyped {
				t.Errorf("%s is not mistyped", body)
			}
		}
	}
}

// TestRejectedValuesBehindTheLimitCostNoPaths counts the allocations of one more rejected element, deep in a body.
func TestRejectedValuesBehindTheLimitCostNoPaths(t *testing.T) { //nolint:paralleltest // counts allocations
	type box struct {
		Inner  map[string]box `json:"inner"`
		Prices []amount       `json:"prices"`
	}
	c := codecOf[box](t)
	const depth = 40
	for _, word := range []string{"said", "within"} {
		allocations := func(n int) float64 {
			body := strings.Repeat(`{"inner":{"`+strings.Repeat("k", 60)+`":`, depth) + `{"prices":["` + word + strings.Repeat(`","`+word, n-1) + `"]}` +
				strings.Repeat("}}", depth)
			return testing.AllocsPerRun(5, func() { _ = decode(t, c, body, c.New(), create) })
		}
		if each := (allocations(3000) - allocations(1000)) / 2000; each > 12 {
			t.Errorf("a further element that is %q costs %v allocations", word, each)
		}
	}
}
