package codec

import (
	"reflect"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/model"
)

// anything decodes values of the type any, as maps, slices, strings, float64s and bools.
type anything struct{ patch model.Patch }

// With the library's own types, so that hooks find what they know from encoding/json.
func (a anything) decode(d *decoding, v reflect.Value) (bool, error) {
	raw, err := d.json.ReadValue()
	if err != nil || d.refuseNUL(raw) {
		return false, err
	}
	var value any
	// The text is well-formed, or the reader would have said so; what is left is a number that no
	// float64 holds.
	if json.Unmarshal(raw, &value) != nil {
		d.wrong(codeType, "must have only numbers between -1.7976931348623157e308 and 1.7976931348623157e308")
		return false, nil
	}
	switch a.patch {
	case model.MergePatch:
		value = mergePatch(v.Interface(), value)
	case model.CreateInMergePatch:
		value = mergePatch(nil, value)
	case model.WholePatch:
	}
	if value == nil {
		v.SetZero()
	} else {
		v.Set(reflect.ValueOf(value))
	}
	return true, nil
}

// custom decodes types that unmarshal themselves from JSON. They see null, too.
type custom struct{ goType reflect.Type }

func (c custom) decode(d *decoding, v reflect.Value) (bool, error) {
	raw, err := d.json.ReadValue()
	if err != nil || d.refuseNUL(raw) {
		return false, err
	}
	// A new value in place of the field: a method that fails half way must leave nothing behind.
	made := reflect.New(c.goType)
	if err := json.Unmarshal(raw, made.Interface()); err != nil {
		d.refused(err)
		return false, nil
	}
	v.Set(made.Elem())
	return true, nil
}
