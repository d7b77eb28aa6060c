package codec

import (
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// list decodes slices. The body's list takes the place of the old one, in a merge patch
// too. An element of the wrong type is left zero.
type list struct {
	goType  reflect.Type
	element element
	want    string
}

func (l list) decode(d *decoding, v reflect.Value) (bool, error) {
	if isNil, err := d.keptNil(v); isNil || err != nil {
		return isNil, err
	}
	if ok, err := d.open(jsontext.KindBeginArray, l.want); !ok {
		return false, err
	}
	// An empty list even where the body has one: nil is written as [] but told apart by hooks.
	v.Set(reflect.MakeSlice(l.goType, 0, 0))
	for i := 0; d.json.PeekKind() != jsontext.KindEndArray; i++ {
		// Grow doubles. A length that the body claims is never believed, since there is none.
		if i == v.Cap() {
			v.Grow(1)
		}
		v.SetLen(i + 1)
		if err := l.element.decodeAt(d, v.Index(i), i); err != nil {
			return false, err
		}
	}
	_, err := d.json.ReadToken()
	return err == nil, err
}

// An element is always made anew: which of the old ones it would be, a body cannot say.
func (e element) decodeAt(d *decoding, v reflect.Value, i int) error {
	d.trail.ToElement(i)
	_, err := e.decodeNew(d, v)
	d.trail.Up()
	return err
}

// array decodes arrays, which the body must have with all their elements.
type array struct {
	goType  reflect.Type
	element element
	want    string
}

// It is made beside the record and assigned at the end, so that a list of the wrong length changes
// nothing.
func (a array) decode(d *decoding, v reflect.Value) (bool, error) {
	if ok, err := d.open(jsontext.KindBeginArray, a.want); !ok {
		return false, err
	}
	made := reflect.New(a.goType).Elem()
	count := 0
	for ; d.json.PeekKind() != jsontext.KindEndArray; count++ {
		if err := a.decodeElement(d, made, count); err != nil {
			return false, err
		}
	}
	if _, err := d.json.ReadToken(); err != nil {
		return false, err
	}
	if count != a.goType.Len() {
		d.wrong(codeType, "must have exactly "+elements(a.goType.Len()))
		return false, nil
	}
	v.Set(made)
	return true, nil
}

// Elements beyond the last are passed over, but counted: too many are as wrong as too few.
func (a array) decodeElement(d *decoding, made reflect.Value, i int) error {
	if i >= made.Len() {
		return d.json.SkipValue()
	}
	return a.element.decodeAt(d, made.Index(i), i)
}

func elements(n int) string {
	if n == 1 {
		return "1 element"
	}
	return strconv.Itoa(n) + " elements"
}
