package codec

import (
	"reflect"

	"github.com/go-json-experiment/json"
)

// anything decodes values of the type any, as maps, slices, strings, float64s and bools.
type anything struct{}

func (anything) decode(d *decoding, v reflect.Value, mode Mode) (bool, error) {
	raw, err := d.json.ReadValue()
	if err != nil || d.refuseNUL(raw) {
		return false, err
	}
	var value any
	if json.Unmarshal(raw, &value) != nil {
		d.wrong(codeType, "must have only numbers between -1.7976931348623157e308 and 1.7976931348623157e308")
		return false, nil
	}
	switch mode {
	case Merge:
		value = mergePatch(v.Interface(), value)
	case graft:
		value = mergePatch(nil, value)
	case Create, CreateNamed, Replace, ReplaceNamed:
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

func (c custom) decode(d *decoding, v reflect.Value, _ Mode) (bool, error) {
	raw, err := d.json.ReadValue()
	if err != nil || d.refuseNUL(raw) {
		return false, err
	}
	made := reflect.New(c.goType)
	if err := json.Unmarshal(raw, made.Interface()); err != nil {
		d.refused(err)
		return false, nil
	}
	v.Set(made.Elem())
	return true, nil
}
