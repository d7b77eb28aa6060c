package schema

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ValueOf returns a Go value as JSON, nil if it has no form. Bytes of a string that are not UTF-8 are replaced.
func ValueOf(value any) jsontext.Value {
	// Deterministic, so that an API always has the same document, byte for byte.
	text, err := json.Marshal(value, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
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

// Go returns a JSON value as a Go value: nil, bool, string, int64, float64, []any or map[string]any, or uint64 for
// larger integers. A whole number is an integer, however it is written. It returns nil for invalid JSON. Values are
// compared and samples are made in this form.
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

// Integers first, because float64 would round those beyond 2^53.
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
	return AsInteger(n)
}

// AsInteger returns a whole number as an integer. It leaves numbers beyond [Exact] unchanged, because a float64 there
// represents several integers.
func AsInteger(n float64) any {
	if whole := int64(n); float64(whole) == n && whole < Exact && whole > -Exact {
		return whole
	}
	return n
}

// Decimal is a number as JSON writes it, "" for none. It keeps every digit, because float64 cannot represent all
// integers of Go.
type Decimal string

// Int returns an integer.
func Int[N int | int64](n N) Decimal { return Decimal(strconv.FormatInt(int64(n), 10)) }

// Float returns a number as a Decimal, "" for infinities and NaN, which JSON cannot write. Whole numbers have no
// exponent: 1000000, not 1e+06.
func Float(n float64) Decimal {
	switch {
	case math.IsNaN(n), math.IsInf(n, 0):
		return ""
	case n == math.Trunc(n) && math.Abs(n) < Exact:
		return Int(int64(n))
	}
	return Decimal(strconv.FormatFloat(n, 'g', -1, 64))
}

// Exact is the magnitude below which float64 represents every integer exactly.
const Exact = 1 << 53

// Float64 returns the nearest float64, and reports whether there is a number. It can lose precision: see [Exact].
func (d Decimal) Float64() (float64, bool) {
	n, err := strconv.ParseFloat(string(d), 64)
	return n, err == nil
}

// digits is how many bits of a number are compared, more than any Go type has.
const digits = 512

// Compare returns -1 if d is less than another number, 1 if it is greater, and 0 if they are equal or one is not a
// number.
func (d Decimal) Compare(other Decimal) int {
	// big.Rat would be exact, but it would write a gigabyte of digits for 1e999999999. 512 bits distinguish all
	// numbers of Go types.
	a, _, errA := big.ParseFloat(string(d), 10, digits, big.ToNearestEven)
	b, _, errB := big.ParseFloat(string(other), 10, digits, big.ToNearestEven)
	if errA != nil || errB != nil {
		return 0
	}
	return a.Cmp(b)
}

// Merge adds the keywords of another schema, so that values must follow both. Of two bounds, the tighter one stays.
// Other conflicting keywords go into allOf. Afterwards s shares the parts of the other schema.
func (s *Schema) Merge(from *Schema) {
	// By reflection, so that no keyword can be forgotten. It does not run for requests.
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
		// Both must stay, so the other one goes into allOf.
		case !isTighter(name, add, have):
			reflect.ValueOf(rest).Elem().Field(i).Set(add)
		}
	}
	if !rest.IsEmpty() {
		s.AllOf = append(s.AllOf, rest)
	}
}

// DropImplied removes the limits that all values of the enumeration follow, because they say nothing more, and some
// generators of clients cannot combine them with it.
func (s *Schema) DropImplied() {
	if s.Enum == nil {
		return
	}
	limits := *s
	limits.Enum, limits.Type, limits.Format = nil, nil, ""
	for _, value := range s.Enum {
		if !limits.Allows(Go(value)) {
			return
		}
	}
	s.MinLength, s.MaxLength, s.Pattern = 0, nil, ""
	s.Min, s.Max, s.ExclusiveMin, s.ExclusiveMax = "", "", "", ""
}

// isTighter reports whether a bound is tighter than another. It is false for keywords that are not bounds, and for
// ExclusiveMin and ExclusiveMax, which rarely occur twice.
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

// IsWidth reports whether a format only states the size of a number. It gives way to the format of a rule, such as
// email, which says more.
func IsWidth(format string) bool {
	switch format {
	case "int32", "int64", "uint64", "float", "double":
		return true
	}
	return false
}

// Texts lists the values of an enumeration, or of the one of the elements, as strings; nil for none. Null is not one of them.
func (s *Schema) Texts() (values []string) {
	if s.Items != nil {
		s = s.Items
	}
	for _, value := range s.Enum {
		if made := Go(value); made != nil {
			values = append(values, fmt.Sprint(made))
		}
	}
	return values
}
