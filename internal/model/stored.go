package model

import (
	"database/sql"
	"database/sql/driver"
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trove-api/trove/store"
)

// MarshalText returns the text that v marshals itself as. Paths, bodies, columns and indexes all use it, so that they
// agree. The value need not be addressable: methods with a pointer receiver are called on a copy. If a type has both
// methods, AppendText is called, as in encoding/json/v2.
func MarshalText(v reflect.Value) ([]byte, error) {
	switch own := addressed(v).(type) {
	case encoding.TextAppender:
		return own.AppendText(nil)
	case encoding.TextMarshaler:
		return own.MarshalText()
	}
	return nil, fmt.Errorf("%s does not marshal itself as text", v.Type())
}

// OrderTextOf returns the text by whose bytes v, a value of a type that marshals itself, is compared and sorted: the key of
// a decimal number, or its OrderKey if it has one.
func OrderTextOf(v reflect.Value) (string, error) {
	own := addressed(v)
	_, isDecimal := own.(store.Decimal)
	if ordered, ok := own.(store.Ordered); ok && !isDecimal {
		return ordered.OrderKey(), nil
	}
	text, err := MarshalText(v)
	if isDecimal && err == nil {
		return store.NumberKey(string(text)), nil
	}
	return string(text), err
}

// addressed returns a pointer to v, or to a copy of it.
func addressed(v reflect.Value) any {
	if !v.CanAddr() {
		made := reflect.New(v.Type()).Elem()
		made.Set(v)
		v = made
	}
	return v.Addr().Interface()
}

// UnmarshalText sets v, which is addressable, from a text. After an error the content of v is undefined.
func UnmarshalText(v reflect.Value, text []byte) error {
	own, ok := reflect.TypeAssert[encoding.TextUnmarshaler](v.Addr())
	if !ok {
		return fmt.Errorf("%s does not unmarshal itself from text", v.Type())
	}
	return own.UnmarshalText(text)
}

// The maximum length of values that stores index. An index entry of PostgreSQL has at most 2,704 bytes and a character
// up to four, and an index for sorting appends the identifier to each value. All stores have the same limits.
const (
	maxIndexedID    = 255 // characters of a string that is the identifier
	maxIndexedText  = 400 // characters of any other text
	maxIndexedBytes = 4 * maxIndexedText
	maxTogether     = 640 // characters of all texts in an index of a constraint
)

// MaxIndexed returns the maximum length of a value because stores index the field, in characters, or bytes for a
// []byte; 0 for no limit.
func (f *Field) MaxIndexed() int {
	indexed := f.Unique || f.Indexed || f.Sort || f.Type.HasOrderKey() || f.together > 0 ||
		slices.ContainsFunc(f.Filters, func(filter string) bool { return slices.Contains(indexing, filter) })
	most := maxIndexedText
	if f.together > 0 {
		most = f.together
	}
	switch f.Type.Kind {
	case String, Text:
		switch {
		case f.Identifier:
			return min(maxIndexedID, most)
		case indexed:
			return most
		}
	case Bytes:
		if indexed {
			return most * maxIndexedBytes / maxIndexedText
		}
	}
	return 0
}

// FitsIndex returns a function that reports why a value, which may be a pointer, does not fit into the index of its
// field. It is nil for a field without an index. Its errors continue a sentence that begins with the field's name. As
// in the document, the limit counts characters of strings and bytes of a []byte.
func (f *Field) FitsIndex() func(v reflect.Value) error {
	most, base := f.MaxIndexed(), f.Type.Base()
	hasKey := f.Type.HasOrderKey()
	if most == 0 || base.Kind() == reflect.Array && !hasKey { // such as a UUID
		return nil
	}
	length, unit := func(v reflect.Value) int { return utf8.RuneCountInString(v.String()) }, "characters"
	switch f.Type.Kind {
	case Bytes:
		length, unit = reflect.Value.Len, "bytes"
	case Text:
		length = func(v reflect.Value) int {
			text, _ := MarshalText(v) // an error is reported when the value is written
			return utf8.RuneCount(text)
		}
	}
	tooLong := fmt.Errorf("must be at most %d %s long", most, unit)
	return func(v reflect.Value) error {
		if f.Type.Nullable {
			v = v.Elem()
		}
		switch {
		case !v.IsValid():
			return nil
		case length(v) > most:
			return tooLong
		case hasKey:
			// All stores index the key as text.
			key, err := OrderTextOf(v)
			if err != nil || len(key) > maxIndexedBytes || !utf8.ValidString(key) || strings.ContainsRune(key, 0) {
				return errors.New("must have a valid sort key")
			}
		}
		return nil
	}
}

// indexing lists the filters that use an index. The others read each text.
var indexing = []string{"exact", "iexact", "start", "range", "exists"}

// limitIndexed adds the rule max to a field whose values an index limits, unless its rules limit them already, so that
// validation and the document agree. Types that marshal themselves as text have no such rule; stores check them.
func (c *compiler) limitIndexed(where Declaration, f *Field) {
	most := f.MaxIndexed()
	if most == 0 || f.Type.Kind == Text || f.Rules.Skip {
		return
	}
	// Tighten an existing rule instead of adding a second one, because both would be reported.
	bounded := false
	for i := range f.Rules.All {
		rule := &f.Rules.All[i]
		n, err := strconv.Atoi(rule.Param)
		switch {
		case rule.Name == "oneof", rule.Name == "eq" && f.Type.Kind == String && utf8.RuneCountInString(rule.Param) <= most:
			bounded = true
		case err != nil:
		case rule.Name == "max", rule.Name == "lte":
			rule.Param, bounded = strconv.Itoa(min(n, most)), true
		case rule.Name == "lt":
			rule.Param, bounded = strconv.Itoa(min(n, most+1)), true
		case rule.Name == "len" && n <= most:
			bounded = true
		case rule.Name == "len", rule.Name == "min" && n > most, rule.Name == "gte" && n > most, rule.Name == "gt" && n >= most:
			c.fail(where, "rule %s=%s exceeds the maximum of %d for an indexed field", rule.Name, rule.Param, most)
			return
		}
	}
	if !bounded {
		f.Rules.All = append(f.Rules.All, Constraint{Name: "max", Param: strconv.Itoa(most)})
	}
}

// Sortable reports whether all stores sort values of the type alike. A database sorts what the type's Value method
// returns; the in-memory store sorts the JSON. Sortable compares the two for some samples, because a method cannot be
// inspected.
func (t *Type) Sortable() bool {
	if !t.Ordered() {
		return false
	}
	if t.HasOrderKey() { // which all stores sort by
		return true
	}
	base := t.Base()
	// Without both methods a value is stored by its kind, which all stores sort alike.
	if t.Kind == Time || !base.Implements(reflect.TypeFor[driver.Valuer]()) || !has[sql.Scanner](base) {
		return true
	}
	for _, sample := range t.samples(base) {
		kept, ok := valueOf(sample)
		if _, isBytes := kept.([]byte); !ok || isBytes || kept != t.plain(sample) {
			return t.Kind == Text && ordersAsBytes(base)
		}
	}
	return true
}

// ordersAsBytes reports whether a type is a UUID whose Value method returns its bytes, which sort like the text. It
// tries samples, because several types exist, and some (as for SQL Server) have another byte order.
func ordersAsBytes(base reflect.Type) bool {
	var before []byte
	for _, text := range []string{
		"00000000-0000-4000-8000-000000000001", "0190b6d8-5c1f-7c3e-8f5a-3b1e5d7c9a24", "0a90b6d8-5c1f-7c3e-8f5a-3b1e5d7c9a24",
		"9f000000-0000-4000-8000-00000000000a", "a0000000-0000-4000-8000-000000000001", "f0000000-0000-4000-8000-000000000001",
	} {
		made := reflect.New(base).Elem()
		if UnmarshalText(made, []byte(text)) != nil {
			return false
		}
		kept, _ := valueOf(made)
		bytes, _ := kept.([]byte)
		if string(bytes) <= string(before) {
			return false
		}
		before = slices.Clone(bytes)
	}
	return true
}

// samples returns some values of a type. The texts suit common types: UUIDs, enumerations, decimals and dates. A type
// that accepts none of them is judged by its zero value.
func (t *Type) samples(base reflect.Type) []reflect.Value {
	v := reflect.New(base).Elem()
	switch t.Kind {
	case Bool:
		v.SetBool(true)
	case Int, Uint, Float:
		v.Set(reflect.ValueOf(1).Convert(base))
	case String:
		v.SetString("a")
	}
	samples := []reflect.Value{reflect.New(base).Elem(), v}
	if t.Kind != Text {
		return samples
	}
	for _, text := range []string{"0190b6d8-5c1f-7c3e-8f5a-3b1e5d7c9a24", "1", "a", "10.50", "2024-02-29", "2024-02-29T00:00:00Z"} {
		if made := reflect.New(base).Elem(); UnmarshalText(made, []byte(text)) == nil {
			samples = append(samples, made)
		}
	}
	return samples
}

// valueOf returns what the Value method passes to a database. Some types panic on their zero value; ok is then false.
func valueOf(v reflect.Value) (value driver.Value, ok bool) {
	own, isValuer := reflect.TypeAssert[driver.Valuer](v)
	if !isValuer {
		return nil, false
	}
	var err error
	cause := panicOf(func() {
		if value, err = own.Value(); err == nil {
			value, err = driver.DefaultParameterConverter.ConvertValue(value)
		}
	})
	return value, cause == nil && err == nil
}

// plain returns what the database driver stores for a value whose type has no Value method. The in-memory store
// compares the same.
func (t *Type) plain(v reflect.Value) driver.Value {
	switch t.Kind {
	case Bool:
		return v.Bool()
	case Int:
		return v.Int()
	case Uint:
		n, _ := strconv.ParseInt(strconv.FormatUint(v.Uint(), 10), 10, 64)
		return n
	case Float:
		return v.Float()
	case Text:
		text, err := MarshalText(v)
		if err != nil {
			return nil
		}
		return string(text)
	}
	return v.String()
}
