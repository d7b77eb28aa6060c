package codec_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"testing"
)

// number is a number in a value of type any.
type number = json.Number

func (l level) MarshalJSON() ([]byte, error) {
	if l.n == 99 {
		return nil, errors.New("99 is no level")
	}
	return strconv.AppendInt(nil, int64(l.n), 10), nil
}

func (l *level) UnmarshalJSON(text []byte) error {
	n, err := strconv.Atoi(string(text))
	l.n = n // before the check, as careless methods do
	if err == nil && (n < 0 || n > 3) {
		err = errors.New("a level is between 0 and 3")
	}
	return err
}

// colour marshals itself as text, with a pointer receiver only.
type colour struct{ name string }

func (c *colour) MarshalText() ([]byte, error) {
	if c.name == "infrared" {
		return nil, errors.New("nobody sees infrared")
	}
	return []byte(c.name), nil
}

func (c *colour) UnmarshalText(text []byte) error {
	c.name = string(text)
	if c.name == "infrared" {
		return errors.New("nobody sees infrared")
	}
	return nil
}

// scores is a map that marshals itself, by the methods of the type that it holds.
type scores map[string]int

func (s scores) MarshalText() ([]byte, error) {
	return strconv.AppendInt(nil, int64(s["n"]), 10), nil
}

func (s *scores) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	*s = scores{"n": n}
	return err
}

// failing appends itself as text, or would.
type failing struct{}

func (failing) AppendText([]byte) ([]byte, error) { return nil, errors.New("no text") }

func (failing) UnmarshalText([]byte) error { return errors.New("no text") }

// many returns how many random inputs a test tries: fewer in short tests.
func many(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}
