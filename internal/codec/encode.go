package codec

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/model"
)

// Encoder encodes values by a view. It is safe for concurrent use. Its first use makes the plan.
type Encoder struct {
	codec   *Codec
	view    *model.View
	once    sync.Once
	encode  encoder
	members []fieldEncoder // nil for a type that is not a struct
}

// Completed is a value to encode with additional fields. Computed fields need it, because they are not fields of
// the struct.
type Completed struct {
	Of      any    // a struct, or a pointer to one
	Members []byte // the JSON of the additional fields, each with a comma in front
}

func (e *Encoder) plan() {
	e.once.Do(func() {
		encoders := newEncoders(false)
		e.encode = encoders.of(e.codec.typ, e.view)
		if encoders.first != nil {
			e.members = encoders.first.members
		}
	})
}

// Narrow returns an encoder for a view with some of the encoder's fields, as a request chooses them. It makes no
// plan. Nested fields are encoded as before.
func (e *Encoder) Narrow(to *model.View) *Encoder {
	e.plan()
	chosen := &objectEncoder{make([]fieldEncoder, 0, len(to.Fields))}
	for i := range e.members {
		if to.Field(e.members[i].field) != nil {
			chosen.members = append(chosen.members, e.members[i])
		}
	}
	narrow := &Encoder{codec: e.codec, view: to}
	narrow.once.Do(func() { narrow.encode, narrow.members = chosen.encode, chosen.members })
	return narrow
}

// View returns the view of the encoder.
func (e *Encoder) View() *model.View { return e.view }

// Append appends the JSON of a value, or of the value it points to, to b. A nil pointer is null. The JSON has the fields
// that the view shows, and those of a *[Completed].
//
// The error is for a value without a JSON form: a number that is not finite, a string that is not UTF-8, a value
// that contains itself, or one whose own method fails. The appended bytes must then be dropped.
func (e *Encoder) Append(b []byte, value any) ([]byte, error) {
	e.plan()
	completed, ok := value.(*Completed)
	if !ok {
		return e.codec.append(b, value, e.encode)
	}
	start := len(b)
	b, err := e.codec.append(b, completed.Of, e.encode)
	if err != nil || len(completed.Members) == 0 || b[len(b)-1] != '}' { // null has no fields
		return b, err
	}
	b = b[:len(b)-1]
	if len(b) == start+1 {
		return append(append(b, completed.Members[1:]...), '}'), nil
	}
	return append(append(b, completed.Members...), '}'), nil
}

func (c *Codec) append(b []byte, value any, encode encoder) ([]byte, error) {
	at, err := c.locate(value)
	switch {
	case err != nil:
		return b, err
	case at == nil:
		return append(b, "null"...), nil
	}
	b, err = encode(b, at, 0)
	if err != nil {
		return b, fmt.Errorf("codec: %w", err)
	}
	return b, nil
}

// locate returns the memory address of a value of the codec's type, nil for null. The value is usually a pointer to
// a record; handlers may also return a value, or a pointer to a pointer.
func (c *Codec) locate(value any) (address, error) {
	v := reflect.ValueOf(value)
	if v.IsValid() && v.Type() == c.pointer {
		return v.UnsafePointer(), nil
	}
	for v.Kind() == reflect.Pointer && v.Type() != c.pointer {
		v = v.Elem()
	}
	switch {
	case !v.IsValid():
		return nil, nil
	case v.Type() == c.pointer:
		return v.UnsafePointer(), nil
	case v.Type() != c.goType:
		return nil, fmt.Errorf("codec: a value of type %s cannot be written as %s", v.Type(), c.goType)
	}
	// Plans need a memory address, which a value in an interface lacks.
	made := reflect.New(c.goType)
	made.Elem().Set(v)
	return made.UnsafePointer(), nil
}

// AppendMembers appends the values of an object's fields to b, and the fields to a list; their JSON is part of b.
// The list is nil for a value that is not an object.
func (e *Encoder) AppendMembers(b []byte, value any, list []format.Field) ([]byte, []format.Field, error) {
	e.plan()
	if list == nil {
		list = []format.Field{}
	}
	completed, _ := value.(*Completed)
	if completed != nil {
		value = completed.Of
	}
	if e.codec.typ.Kind != model.Object {
		return e.appendOther(b, value, list)
	}
	at, err := e.codec.locate(value)
	if err != nil || at == nil {
		return b, nil, err
	}
	n := len(list)
	list = slices.Grow(list, len(e.members))[:n+len(e.members)]
	for i := range e.members {
		m := &e.members[i]
		from, begin := plus(at, m.offset), len(b)
		if m.isZero != nil && m.isZero(from) {
			continue
		}
		if b, err = m.encode(b, from, 1); err != nil {
			return b, list, within(m.field.Name, err)
		}
		if m.omitEmpty && isEmptyJSON(b[begin:]) {
			b = b[:begin]
			continue
		}
		of := &list[n] // set in parts, because assigning a whole one is slower
		of.Name, of.JSON = m.field.Name, b[begin:len(b):len(b)]
		n++
	}
	list = list[:n]
	if completed != nil && len(completed.Members) > 0 {
		list, err = appendNamed(list, append(append([]byte{'{'}, completed.Members[1:]...), '}'))
	}
	return b, list, err
}

// appendOther appends the fields of a value whose type does not list them, such as a map.
func (e *Encoder) appendOther(b []byte, value any, list []format.Field) ([]byte, []format.Field, error) {
	begin := len(b)
	b, err := e.Append(b, value)
	if err != nil {
		return b, list, err
	}
	if text := bytes.TrimLeft(b[begin:], " \t\r\n"); len(text) == 0 || text[0] != '{' {
		return b, nil, nil
	}
	list, err = appendNamed(list, b[begin:])
	return b, list, err
}

// appendNamed appends the fields of a JSON object that an encoder wrote.
func appendNamed(list []format.Field, object []byte) ([]format.Field, error) {
	decoder := jsontext.NewDecoder(bytes.NewReader(object), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	err := EachField(decoder, func(name string) error {
		value, err := decoder.ReadValue()
		end := int(decoder.InputOffset())
		list = append(list, format.Field{Name: name, JSON: object[end-len(value) : end : end]})
		return err //nolint:wrapcheck // names what is wrong in the text
	})
	return list, err
}
