package codec

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Elements returns the elements of a body that is one JSON array, as they stand in it. The error is a
// *[SyntaxError], as that of [Decoder.Decode].
func Elements(body []byte) ([]jsontext.Value, error) {
	list, err := splitList(body)
	if err != nil {
		return nil, describe(err, body)
	}
	return list, nil
}

// An array of anything else is passed over first, as in [decoding.document]: what is no JSON at all is the
// clearer complaint.
func splitList(body []byte) (list []jsontext.Value, _ error) {
	d := jsontext.NewDecoder(bytes.NewReader(body))
	if d.PeekKind() != jsontext.KindBeginArray {
		if err := d.SkipValue(); err != nil {
			return nil, err
		}
		return nil, &SyntaxError{Detail: "the body must be a JSON array"}
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	for d.PeekKind() != jsontext.KindEndArray {
		value, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		list = append(list, value.Clone())
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, &SyntaxError{Detail: "the body goes on after its JSON array"}
	}
	return list, nil
}
