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

// What a type writes as text has to be the same everywhere: a path, a body, a column and an
// index that disagreed would each find another record. So they all ask here.

// MarshalText returns the text that v marshals itself as. The method may be one of the pointer, and
// v a value that has none, such as an identifier in an interface: then a copy is asked.
// A type with both methods is asked for AppendText, as it is by encoding/json/v2, which
// bodies are to agree with.
func MarshalText(v reflect.Value) ([]byte, error) {
	switch own := addressed(v).(type) {
	case encoding.TextAppender:
		return own.AppendText(nil)
	case encoding.TextMarshaler:
		return own.MarshalText()
	}
	return nil, fmt.Errorf("%s does not marshal itself as text", v.Type())
}

// OrderTextOf returns the text by whose bytes v, a value of a type that marshals itself, is compared and ordered:
// its key if it has one.
func OrderTextOf(v reflect.Value) (string, error) {
	if ordered, ok := addressed(v).(store.Ordered); ok {
		return ordered.OrderKey(), nil
	}
	text, err := MarshalText(v)
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

// UnmarshalText sets v, which is addressable, to what its type reads in a text. A method that
// fails may leave anything behind.
func UnmarshalText(v reflect.Value, text []byte) error {
	own, ok := reflect.TypeAssert[encoding.TextUnmarshaler](v.Addr())
	if !ok {
		return fmt.Errorf("%s does not read itself from text", v.Type())
	}
	return own.UnmarshalText(text)
}

// How long a value can be that stores keep an index of. An entry of an index of PostgreSQL
// has 2,704 bytes at most, a character up to four of them, and an index for an order has the
// identifier behind each value. All stores refuse what one of them could not keep.
const (
	maxIndexedID    = 255 // characters of a string that is the identifier
	maxIndexedText  = 400 // characters of any other text
	maxIndexedBytes = 4 * maxIndexedText
)

// MaxIndexed returns how many characters, or bytes of a []byte, a value of the field may
// have since stores keep an index of it; 0 for no limit.
func (f *Field) MaxIndexed() int {
	indexed := f.Unique || f.Indexed || f.Sort || f.Type.HasOrderKey() ||
		slices.ContainsFunc(f.Filters, func(filter string) bool { return slices.Contains(indexing, filter) })
	switch f.Type.Kind {
	case String, Text:
		switch {
		case f.Identifier:
			return maxIndexedID
		case indexed:
			return maxIndexedText
		}
	case Bytes:
		if indexed {
			return maxIndexedBytes
		}
	}
	return 0
}

// FitsIndex returns what reports why a value, which may be a pointer, does not fit into the index of its field. It
// is nil for a field without one, and its errors continue a sentence that begins with the value.
// Characters for texts and bytes for bytes, as the document shows the limit of an index to clients.
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
			text, _ := MarshalText(v) // a value without a text is reported when it is written
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
			// All stores keep the key as text, in an index.
			key, err := OrderTextOf(v)
			if err != nil || len(key) > maxIndexedBytes || !utf8.ValidString(key) || strings.ContainsRune(key, 0) {
				return errNoOrder
			}
		}
		return nil
	}
}

var errNoOrder = errors.New("must be a value that can be put in order")

// indexing are the filters that ask an index. The others look into each text.
var indexing = []string{"exact", "iexact", "start", "range", "exists"}

// limitIndexed gives a field the rule max where an index limits its values and the field's
// own rules do not, so that checks and documents say so. Types that are text have no such
// rule: stores check what they keep of them.
func (c *compiler) limitIndexed(where string, f *Field) {
	most := f.MaxIndexed()
	if most == 0 || f.Type.Kind == Text || f.Rules.Skip {
		return
	}
	// The rule is put into the field's own where it has one: two of them would both be told, and the
	// tighter one is what the document has to say.
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
			c.fail(where, "has the rule %s=%s, but databases keep an index of it, which holds %d at most", rule.Name, rule.Param, most)
			return
		}
	}
	if !bounded {
		f.Rules.All = append(f.Rules.All, Constraint{Name: "max", Param: strconv.Itoa(most)})
	}
}

// Sortable reports whether all stores order values of the type alike. A database orders what
// the method Value of a type gives it, the store in memory what stands in JSON: they have to
// be the same.
// It is tried out with samples, since a method cannot be read: two stores that order alike for
// these do so for all that people write.
func (t *Type) Sortable() bool {
	if !t.Ordered() {
		return false
	}
	if t.HasOrderKey() { // which is what all stores order by
		return true
	}
	base := t.Base()
	// Without both methods a value is kept by its kind, which all stores order alike.
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

// ordersAsBytes reports whether a type is text of UUIDs and gives databases their bytes,
// which have the same order.
// Tried rather than known by name: there are several types of UUIDs, and one whose bytes stand in
// another order (as SQL Server has them) must not be sorted by.
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

// samples returns some values of a type.
// The texts are of the usual types that read themselves: UUIDs, enumerations, decimals, dates. One
// that takes none of them is judged by its zero value.
func (t *Type) samples(base reflect.Type) []reflect.Value {
	samples := []reflect.Value{reflect.New(base).Elem(), t.Specimen()}
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

// Specimen returns a value of the type without its pointer, which is not empty where the kind alone says how one is
// made: a rule or a method that passes over empty values does not pass over it.
func (t *Type) Specimen() reflect.Value {
	v := reflect.New(t.Base()).Elem()
	switch t.Kind {
	case Bool:
		v.SetBool(true)
	case Int:
		v.SetInt(1)
	case Uint:
		v.SetUint(1)
	case Float:
		v.SetFloat(1)
	case String:
		v.SetString("a")
	case Bytes:
		v.SetBytes([]byte("a"))
	case List:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("a").Convert(v.Type().Key()), reflect.Zero(v.Type().Elem()))
	case Any:
		v.Set(reflect.ValueOf("a"))
	}
	return v
}

// valueOf returns what the method Value gives a database. Some types do not expect to be
// asked when they are zero.
func valueOf(v reflect.Value) (value driver.Value, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	own, isValuer := reflect.TypeAssert[driver.Valuer](v)
	if !isValuer {
		return nil, false
	}
	value, err := own.Value()
	if err == nil {
		value, err = driver.DefaultParameterConverter.ConvertValue(value)
	}
	return value, err == nil
}

// plain returns a value as a database has it whose type has no method Value.
// It is what the driver would make of the kind, which the store in memory compares, too.
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
