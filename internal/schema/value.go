package schema

import (
	"bytes"
	"math"
	"math/big"
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ValueOf returns a Go value as JSON: nil for one that has none. Schemas are full of texts and
// numbers, so those do without the encoder.
func ValueOf(value any) jsontext.Value {
	switch v := value.(type) {
	case string:
		return appendText(nil, v)
	case int64:
		return strconv.AppendInt(nil, v, 10)
	case int:
		return strconv.AppendInt(nil, int64(v), 10)
	case uint64:
		return strconv.AppendUint(nil, v, 10)
	}
	// Deterministic, so that the same API has the same document, byte for byte, however often it is started.
	text, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		return nil
	}
	return text
}

// ValuesOf returns Go values as JSON.
func ValuesOf[V any](values ...V) []jsontext.Value {
	var list []jsontext.Value
	for _, value := range values {
		list = append(list, ValueOf(value))
	}
	return list
}

// Go returns a JSON value as a Go value: nil, bool, string, int64, float64, []any and map[string]any, and uint64 for
// what only that holds. A whole number is an integer, however it is written. Nil for what is no JSON. It is the one
// form in which values are compared and samples are made, whichever text they were read from.
func Go(text jsontext.Value) any {
	switch text.Kind() {
	case jsontext.KindTrue, jsontext.KindFalse:
		return text.Kind() == jsontext.KindTrue
	case jsontext.KindString:
		value, err := jsontext.AppendUnquote(nil, bytes.TrimSpace(text))
		if err != nil {
			return nil
		}
		return string(value)
	case jsontext.KindNumber:
		return numberOf(string(bytes.TrimSpace(text)))
	case jsontext.KindBeginArray:
		var elements []jsontext.Value
		if json.Unmarshal(text, &elements) != nil {
			return nil
		}
		list := make([]any, len(elements))
		for i, element := range elements {
			list[i] = Go(element)
		}
		return list
	case jsontext.KindBeginObject:
		var members map[string]jsontext.Value
		if json.Unmarshal(text, &members) != nil {
			return nil
		}
		object := make(map[string]any, len(members))
		for name, value := range members {
			object[name] = Go(value)
		}
		return object
	}
	return nil
}

// Integers before floats: float64 would round those beyond 2^53, and a document would show another
// number than the tag has.
func numberOf(text string) any {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil
	}
	return Whole(n)
}

// Whole returns a number as an integer, if it is one that float64 has whole. Beyond [Exact] a float64 stands for
// several integers, and to write one of them would claim a precision that nobody has given.
func Whole(n float64) any {
	if whole := int64(n); float64(whole) == n && whole < Exact && whole > -Exact {
		return whole
	}
	return n
}

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

// Merge adds the keywords of another schema, so that values must follow both. Of two bounds
// the tighter one stays; other keywords that both have with different values are kept apart
// by allOf. The other schema's parts are shared from then on.
func (s *Schema) Merge(from *Schema) {
	// By reflection, since a keyword that is forgotten here would be lost without a word. It runs while
	// documents are made, not for requests.
	target, source := reflect.ValueOf(s).Elem(), reflect.ValueOf(from).Elem()
	rest := &Schema{}
	for i := range source.NumField() {
		have, add := target.Field(i), source.Field(i)
		if add.IsZero() {
			continue
		}
		switch name := source.Type().Field(i).Name; {
		case reflect.DeepEqual(have.Interface(), add.Interface()):
		case have.IsZero() || name == "Format" && IsWidth(s.Format) || isTighter(name, have, add):
			have.Set(add)
		// Neither can be dropped and both cannot stand in one schema, so allOf has the other.
		case !isTighter(name, add, have):
			reflect.ValueOf(rest).Elem().Field(i).Set(add)
		}
	}
	if !rest.IsEmpty() {
		s.AllOf = append(s.AllOf, rest)
	}
}

// isTighter reports whether a bound is tighter than another. A keyword that is no bound never is. ExclusiveMin and
// ExclusiveMax are not among them: hardly any value has two of one, and allOf says the same where they do.
func isTighter(name string, have, add reflect.Value) bool {
	switch name {
	case "MinLength", "MinItems", "MinProperties":
		return add.Uint() > have.Uint()
	case "MaxLength", "MaxItems", "MaxProperties":
		return add.Elem().Uint() < have.Elem().Uint()
	case "Min":
		return Decimal(add.String()).Compare(Decimal(have.String())) > 0
	case "Max":
		return Decimal(add.String()).Compare(Decimal(have.String())) < 0
	}
	return false
}

// IsWidth reports whether a format is only about the size of a number. A rule that gives a format, such as email, says
// more than the width of the Go type that it is about, so the width gives way.
func IsWidth(format string) bool {
	switch format {
	case "int32", "int64", "uint64", "float", "double":
		return true
	}
	return false
}
