package model

import (
	"database/sql"
	"database/sql/driver"
	"reflect"
	"slices"
	"strconv"
)

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
		text, err := TextOf(v)
		if err != nil {
			return nil
		}
		return text
	}
	return v.String()
}
