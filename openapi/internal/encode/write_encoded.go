package encode

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// encoded writes a value that is JSON already, each scalar as it is.
func (w *writer) encoded(value jsontext.Value, at location) error {
	from := jsontext.NewDecoder(bytes.NewReader(value))
	switch from.PeekKind() {
	case jsontext.KindBeginObject:
		return w.encodedObject(from, at)
	case jsontext.KindBeginArray:
		return w.encodedArray(from, at)
	case jsontext.KindString:
		token, err := from.ReadToken()
		if err != nil {
			return err
		}
		w.quote(token.String())
		return nil
	}
	scalar, err := from.ReadValue()
	w.text = append(w.text, scalar...)
	return err
}

func (w *writer) encodedObject(from *jsontext.Decoder, at location) error {
	if _, err := from.ReadToken(); err != nil {
		return err
	}
	var members []entry
	for from.PeekKind() != jsontext.KindEndObject {
		name, err := from.ReadToken()
		if err != nil {
			return err
		}
		key := name.String()
		value, err := from.ReadValue()
		if err != nil {
			return err
		}
		members = append(members, entry{key, value.Clone()})
	}
	return w.arranged(members, at)
}

func (w *writer) encodedArray(from *jsontext.Decoder, at location) error {
	if _, err := from.ReadToken(); err != nil {
		return err
	}
	elements := []any{}
	for from.PeekKind() != jsontext.KindEndArray {
		element, err := from.ReadValue()
		if err != nil {
			return err
		}
		elements = append(elements, element.Clone())
	}
	return writeList(w, elements, at)
}
