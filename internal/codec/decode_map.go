package codec

import (
	"reflect"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// nulName is said of an object with a member name that has the character U+0000.
const nulName = "must not have names with the character U+0000"

// mapping decodes maps. A merge patch changes and removes entries; else the body's map
// takes the place of the old one. An entry of the wrong type is left as it was.
type mapping struct {
	goType  reflect.Type
	patch   model.Patch
	there   decoder // of an entry that a merge patch changes
	element element // of a new one
	want    string
}

// Entries are changed in place only where a merge patch says so: all else is a new map.
func (m mapping) decode(d *decoding, v reflect.Value) (bool, error) {
	if isNil, err := d.keptNil(v); isNil || err != nil {
		return isNil, err
	}
	if ok, err := d.open(jsontext.KindBeginObject, m.want); !ok {
		return false, err
	}
	if m.patch != model.MergePatch || v.IsNil() {
		v.Set(reflect.MakeMap(m.goType))
	}
	for d.json.PeekKind() != jsontext.KindEndObject {
		raw, err := d.json.ReadValue()
		if err != nil {
			return false, err
		}
		if err := m.decodeEntry(d, v, raw); err != nil {
			return false, err
		}
	}
	_, err := d.json.ReadToken()
	return err == nil, err
}

// decodeEntry reads the value that follows a name.
func (m mapping) decodeEntry(d *decoding, v reflect.Value, name []byte) error {
	if hasNUL(name) && !d.kept {
		d.wrong(codeNUL, nulName)
		return d.json.SkipValue()
	}
	key := reflect.New(m.goType.Key()).Elem()
	key.SetString(string(d.unquote(name)))
	// RFC 7396, section 2: null removes an entry. Elsewhere null is a value, or a type error.
	if m.patch != model.WholePatch {
		if isNull, err := d.null(); isNull || err != nil {
			v.SetMapIndex(key, reflect.Value{})
			return err
		}
	}
	d.trail.ToEntry(key.String())
	// Entries of a map have no address, so that each is decoded beside it and put in.
	value := reflect.New(m.goType.Elem()).Elem()
	set, err := m.decodeValue(d, value, v.MapIndex(key))
	if set {
		v.SetMapIndex(key, value)
	}
	d.trail.Up()
	return err
}

// decodeValue reads an entry's value onto value, which is zero. A merge patch begins
// with what the entry was, if it was there.
func (m mapping) decodeValue(d *decoding, value, old reflect.Value) (bool, error) {
	if m.patch == model.MergePatch && old.IsValid() {
		value.Set(old)
		return m.there.decode(d, value)
	}
	return m.element.decodeNew(d, value)
}
