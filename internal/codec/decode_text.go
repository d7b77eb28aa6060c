package codec

import (
	"bytes"
	"encoding/base64"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// badForm is said of text that its own type refuses.
const badForm = "does not have the form that it must have"

// string reads the next value as a string, or passes over it and notes what it must be.
// The text is valid until the next read.
func (d *decoding) string(want string) (text []byte, ok bool, err error) {
	if d.json.PeekKind() != jsontext.KindString {
		return nil, false, d.skipWrong(want)
	}
	raw, err := d.json.ReadValue()
	if err != nil {
		return nil, false, err
	}
	if d.refuseNUL(raw) {
		return nil, false, nil
	}
	return d.unquote(raw), true, nil
}

// refuseNUL notes the character U+0000 in a JSON value, and reports whether it has it.
// Databases keep no U+0000 in text, and a store in memory that did would answer otherwise than they
// do.
func (d *decoding) refuseNUL(raw []byte) bool {
	found := !d.kept && hasNUL(raw)
	if found {
		d.wrong(codeNUL, "must not contain the character U+0000")
	}
	return found
}

// text decodes strings.
type text struct{ want string }

func (t text) decode(d *decoding, v reflect.Value) (bool, error) {
	text, ok, err := d.string(t.want)
	if !ok {
		return ok, err
	}
	v.SetString(d.keep(text))
	return true, nil
}

// keep returns a text that has just been read as a string. The strings of a small body are parts of one copy of it,
// because each by itself would be an allocation. A large body is not kept for the sake of a short string in it.
func (d *decoding) keep(text []byte) string {
	end := int(d.json.InputOffset()) - 1 // the closing quote
	begin := end - len(text)
	if len(d.body) > smallBody || begin < 0 || end >= len(d.body) || !bytes.Equal(d.body[begin:end], text) {
		return string(text)
	}
	if d.text == "" {
		d.text = string(d.body)
	}
	return d.text[begin:end]
}

// base64Text decodes bytes.
type base64Text struct{ want string }

func (b base64Text) decode(d *decoding, v reflect.Value) (bool, error) {
	if isNil, err := d.keptNil(v); isNil || err != nil {
		return isNil, err
	}
	text, ok, err := d.string(b.want)
	if !ok {
		return false, err
	}
	made, ok := parseBase64(text)
	if !ok {
		d.wrong(codeType, "must be "+b.want)
		return false, nil
	}
	v.SetBytes(made)
	return true, nil
}

// parseBase64 reports whether a text is padded base64 of the standard alphabet, without
// line breaks, and what it says.
func parseBase64(text []byte) (made []byte, ok bool) {
	made, err := base64.StdEncoding.AppendDecode([]byte{}, text)
	return made, err == nil && !bytes.ContainsAny(text, "\r\n")
}

// ownText decodes types that unmarshal themselves from text.
type ownText struct {
	goType reflect.Type
	want   string
}

// lengthOfUUID is that of the one form of a UUID in JSON Schema's format of that name.
const lengthOfUUID = 36

// isOddUUID reports whether a text is for a UUID and of a form that the document's format
// uuid does not allow, such as urn:uuid:…, which types of UUIDs read too.
func (o ownText) isOddUUID(text []byte) bool {
	return strings.EqualFold(o.goType.Name(), "UUID") && len(text) != lengthOfUUID
}

func (o ownText) decode(d *decoding, v reflect.Value) (bool, error) {
	text, ok, err := d.string(o.want)
	if !ok {
		return false, err
	}
	if !d.kept && o.isOddUUID(text) {
		d.wrong(codeType, badForm)
		return false, nil
	}
	made := reflect.New(o.goType).Elem() // a method that fails may leave anything behind
	if err := model.UnmarshalText(made, text); err != nil {
		d.refused(err)
		return false, nil
	}
	v.Set(made)
	return true, nil
}
