package codec

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/model"
)

// AppendMembers appends the fields of an object to a list, each with its JSON, which is a part of what is
// appended to b: the values alone. The list is nil for a value that is not an object.
func (e *Encoder) AppendMembers(b []byte, value any, list []format.Member) ([]byte, []format.Member, error) {
	e.plan()
	if list == nil {
		list = []format.Member{}
	}
	completed, _ := value.(*Completed)
	if completed != nil {
		value = completed.Of
	}
	if e.codec.typ.Kind != model.Object {
		return e.appendOther(b, value, list)
	}
	at, err := e.codec.locate(value)
	if err != nil || at.isNil() {
		return b, nil, err
	}
	if b, list, err = e.appendFields(b, at, list); err == nil && completed != nil && len(completed.Members) > 0 {
		list, err = appendNamed(list, append(append([]byte{'{'}, completed.Members[1:]...), '}'))
	}
	return b, list, err
}

// appendFields appends the fields of the struct at an address, except those that it leaves out.
func (e *Encoder) appendFields(b []byte, at address, list []format.Member) (_ []byte, _ []format.Member, err error) {
	n := len(list)
	list = slices.Grow(list, len(e.members))[:n+len(e.members)]
	for i := range e.members {
		m := &e.members[i]
		from, begin := at.plus(m.offset), len(b)
		switch {
		case m.isText:
			b, err = appendText(append(b, '"'), *as[string](from))
		case m.isZero != nil && m.isZero(from):
			continue
		default:
			b, err = m.encode(b, from, 1)
		}
		if err != nil {
			return b, list, within(m.field.Name, err)
		}
		if m.omitEmpty && isEmptyJSON(b[begin:]) {
			b = b[:begin]
			continue
		}
		of := &list[n] // set in parts, because a copy of a whole one would wait for its parts
		of.Name, of.JSON = m.name, b[begin:len(b):len(b)]
		n++
	}
	return b, list[:n], nil
}

// appendOther appends the fields of a value whose type says nothing of them, such as a map.
func (e *Encoder) appendOther(b []byte, value any, list []format.Member) ([]byte, []format.Member, error) {
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
func appendNamed(list []format.Member, object []byte) ([]format.Member, error) {
	decoder := jsontext.NewDecoder(bytes.NewReader(object), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	_, err := decoder.ReadToken()
	for err == nil && decoder.PeekKind() == '"' {
		name, failed := decoder.ReadToken()
		if failed != nil {
			return list, failed //nolint:wrapcheck // names what is wrong in the text
		}
		of := format.Member{Name: name.String()} // the token is valid until the next call
		var value jsontext.Value
		value, err = decoder.ReadValue()
		end := int(decoder.InputOffset())
		of.JSON = object[end-len(value) : end : end]
		list = append(list, of)
	}
	return list, err //nolint:wrapcheck // as above
}
