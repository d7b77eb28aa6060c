package compiled

import (
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
	// Functions and no values, for where the records of the other resource are is found out after all
	// operations: its declaration may come later.
	keys := &keyReader{api: a, reference: r}
	return &format.Reference{
		To: r.Name, Many: r.Many, Identifiers: a.Identifiers,
		AppendPath: keys.appendAddress, AppendID: keys.appendID, AppendValue: keys.appendValue, IDAt: keys.idAt,
	}
}

// keyReader turns what JSON has for a reference into what formats have for it, and back.
type keyReader struct {
	api       *API
	reference *model.Reference
}

// address returns the addresses of the records that are referred to, nil where there are none.
func (k *keyReader) address() *uritemplate.Address {
	if target := k.api.ByStruct[k.reference.Target]; target != nil {
		return target.Address
	}
	return nil
}

// appendAddress appends what stands in the JSON where that has addresses: they are never made anew,
// so that links are the same in all formats.
func (k *keyReader) appendAddress(b, value []byte) []byte {
	switch target := k.address(); {
	case !k.api.Identifiers:
		return unquote(b, value)
	case target != nil:
		return target.Append(b, string(unquote(nil, value)))
	}
	return b
}

func (k *keyReader) appendID(b, value []byte) []byte {
	if k.api.Identifiers {
		return unquote(b, value)
	}
	target := k.address()
	if target == nil || len(value) < 2 {
		return b
	}
	if number, ok := target.Digits(value[1 : len(value)-1]); ok { // without allocations, for each record of a page
		return append(b, number...)
	}
	id, _ := target.Read(string(unquote(nil, value)))
	return append(b, id...)
}

// unquote appends the text of a string, and the JSON of a number as it is.
func unquote(b, value []byte) []byte {
	if len(value) == 0 || value[0] != '"' {
		return append(b, value...)
	}
	b, _ = jsontext.AppendUnquote(b, value) // it was written by an encoder
	return b
}

// appendValue appends what a body in JSON would have for a record, so that it is read as any other
// body is: checked against the store, and told of by the same violations.
func (k *keyReader) appendValue(b []byte, id string) ([]byte, bool) {
	_, ok := k.reference.Target.Identifier().Parse(id)
	target := k.address()
	if !ok || target == nil && !k.api.Identifiers {
		return b, false
	}
	kind := k.reference.Key.Kind
	switch {
	case !k.api.Identifiers:
		b, _ = jsontext.AppendQuote(b, target.Append(nil, id))
	case kind.IsInteger():
		b = append(b, id...)
	default:
		b, _ = jsontext.AppendQuote(b, id)
	}
	return b, true
}

func (k *keyReader) idAt(address string) (string, bool) {
	target := k.address()
	if target == nil {
		return "", false
	}
	return target.Read(address)
}
