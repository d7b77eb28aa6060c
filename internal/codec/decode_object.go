package codec

import (
	"reflect"

	"github.com/go-json-experiment/json/jsontext"
)

// mark says how a body has a member.
// Marks are kept rather than a set of names: that a member is there twice, the reader of JSON
// tells.
type mark uint8

const (
	absent mark = iota
	present
	nulled // null, for a member that the record needs
)

// objectDecoder decodes structs.
type objectDecoder struct {
	*objectPlan

	want string
}

func (o objectDecoder) decode(d *decoding, v reflect.Value) (bool, error) {
	if ok, err := d.open(jsontext.KindBeginObject, o.want); !ok {
		return false, err
	}
	// All structs that are open share one slice of marks, each from its base on: nested ones take
	// no allocation, and an error that leaves them behind is cleaned up by the decoding.
	base := len(d.marks)
	d.marks = append(d.marks, make([]mark, len(o.members))...)
	for next := 0; d.json.PeekKind() != jsontext.KindEndObject; next++ {
		var err error
		if next, err = o.decodeMember(d, v, base, next); err != nil {
			return false, err
		}
	}
	if !d.kept {
		o.requireMembers(d, d.marks[base:])
	}
	d.marks = d.marks[:base]
	_, err := d.json.ReadToken()
	return err == nil, err
}

// decodeMember reads a name and its value, and returns which member it is. The marks of the struct begin at base.
// Most bodies have the members in the order of the struct, so that the next one is tried before the map.
// A member that clients cannot set is skipped without a word, so that what was read can be sent
// back.
func (o objectDecoder) decodeMember(d *decoding, v reflect.Value, base, next int) (i int, err error) {
	raw, err := d.json.ReadValue()
	if err != nil {
		return next, err
	}
	name := d.unquote(raw)
	i, known := next, next < len(o.members) && string(name) == o.members[next].Field.Name
	if !known {
		i, known = o.byName[string(name)]
	}
	switch {
	case d.kept && known:
	case d.kept: // of a field that the struct no longer has
		return next, d.json.SkipValue()
	case !known && hasNUL(raw):
		d.wrong(codeNUL, nulName)
		return next, d.json.SkipValue()
	case !known:
		d.unknown(o.objectPlan, name)
		return next, d.json.SkipValue()
	case !o.members[i].Writable:
		return i, d.json.SkipValue()
	}
	m := &o.members[i]
	d.trail.ToMember(m.Field)
	d.marks[base+i], err = m.decode(d, m.Field.Value(v))
	d.trail.Up()
	return i, err
}

// decode reads the member's value onto v.
func (m *memberPlan) decode(d *decoding, v reflect.Value) (mark, error) {
	if d.kept {
		_, err := m.decoder.decode(d, v)
		return present, err
	}
	// A null for what the record needs counts as missing, so that one message tells of both.
	if m.Needed {
		if isNull, err := d.null(); isNull || err != nil {
			return nulled, err
		}
	}
	if m.object != nil && m.Field.Default != nil && !m.patched && d.json.PeekKind() == jsontext.KindBeginObject {
		m.object.reset(v, m.object.blank.value) // of the field's default nothing is left
	}
	set, err := m.decoder.decode(d, v)
	if set && m.ruled && isEmpty(v) {
		d.NoteEmpty(&d.trail)
	}
	return present, err
}

// requireMembers notes the required members that the body does not have.
// At the end of the object, as only then is it known what is not there.
func (o objectDecoder) requireMembers(d *decoding, marks []mark) {
	for i, mark := range marks {
		if m := &o.members[i]; mark == nulled || mark == absent && m.Required {
			d.require(m.Field)
		}
	}
}

// It is what omitempty of validate tags takes for left out.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}
