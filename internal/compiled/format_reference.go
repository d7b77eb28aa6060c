package compiled

import (
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/uritemplate"
)

// describeReference describes what a field of a struct refers to, nil for one that is no
// reference. What its functions need is known once the API is made.
func (a *API) describeReference(s *model.Struct, f *model.Field) *format.Reference {
	r := f.Reference
	switch {
	case r == nil || r.Target == nil:
		return nil
	case slices.Contains(s.Inverses, f):
		return &format.Reference{To: r.To, Many: true, Inverse: true}
	}
	keys := &keyReader{api: a, reference: r}
	return &format.Reference{
		To: r.Name, Many: r.Many, Identifiers: a.Identifiers,
		AppendAddress: keys.appendAddress, AppendID: keys.appendID, AppendValue: keys.appendValue, IDAt: keys.idAt,
	}
}

// keyReader turns what JSON has for a reference into what formats have for it, and back.
type keyReader struct {
	api       *API
	reference *model.Reference
}

// place returns the addresses of the records that are referred to, nil where there are none.
func (k *keyReader) place() *uritemplate.Address {
	if target := k.api.ByStruct[k.reference.Target]; target != nil {
		return target.Place
	}
	return nil
}

func (k *keyReader) appendAddress(b []byte, value json.RawMessage) []byte {
	switch place := k.place(); {
	case !k.api.Identifiers:
		return unquote(b, value)
	case place != nil:
		return place.Append(b, string(unquote(nil, value)))
	}
	return b
}

func (k *keyReader) appendID(b []byte, value json.RawMessage) []byte {
	if k.api.Identifiers {
		return unquote(b, value)
	}
	id, _ := k.idAt(string(unquote(nil, value)))
	return append(b, id...)
}

// unquote appends the text of a string, and the JSON of a number as it is.
func unquote(b []byte, value json.RawMessage) []byte {
	if len(value) == 0 || value[0] != '"' {
		return append(b, value...)
	}
	b, _ = jsontext.AppendUnquote(b, value) // it was written by an encoder
	return b
}

func (k *keyReader) appendValue(b []byte, id string) ([]byte, bool) {
	key, ok := k.reference.Target.Identifier().Parse(id)
	place := k.place()
	if !ok || place == nil && !k.api.Identifiers {
		return b, false
	}
	kind := k.reference.Key.Kind
	switch {
	case !k.api.Identifiers:
		b, _ = jsontext.AppendQuote(b, place.Append(nil, id))
	case kind == model.Int || kind == model.Uint:
		b = append(b, id...)
	default:
		b, _ = jsontext.AppendQuote(b, id)
	}
	return b, key != nil
}

func (k *keyReader) idAt(address string) (string, bool) {
	place := k.place()
	if place == nil {
		return "", false
	}
	return place.Read(address)
}
