package compiled

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/uritemplate"
)

// describeReference describes the reference of a field, nil if it is not one.
func (a *API) describeReference(s *model.Struct, f *model.Field) *format.Reference {
	r := f.Reference
	switch {
	case r == nil || r.Target == nil:
		return nil
	case slices.Contains(s.Inverses, f):
		return &format.Reference{To: r.To, Many: true, Inverse: true}
	}
	// Functions instead of values, because the paths of the other resource are set after all operations are compiled.
	keys := &keyReader{api: a, reference: r}
	return &format.Reference{
		To: r.Name, Many: r.Many, Identifiers: a.Identifiers,
		AppendPath: keys.appendAddress, AppendID: keys.appendID, AppendValue: keys.appendValue, IDAt: keys.idAt,
	}
}

// keyReader converts between the JSON of a reference and the form that formats use.
type keyReader struct {
	api       *API
	reference *model.Reference
}

// path returns the paths of the referenced records, nil for none.
func (k *keyReader) path() *uritemplate.RecordPath {
	if target := k.api.ByStruct[k.reference.Target]; target != nil {
		return target.RecordPath
	}
	return nil
}

// appendAddress appends the path of a referenced record. It reuses the path in the JSON, so that links are the same in
// all formats.
func (k *keyReader) appendAddress(b, value []byte) []byte {
	switch target := k.path(); {
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
	target := k.path()
	if target == nil || len(value) < 2 {
		return b
	}
	if number, ok := target.Digits(value[1 : len(value)-1]); ok { // without allocation
		return append(b, number...)
	}
	id, _ := target.Read(string(unquote(nil, value)))
	return append(b, id...)
}

// unquote appends the value of a JSON string, or the JSON of a number.
func unquote(b, value []byte) []byte {
	if len(value) == 0 || value[0] != '"' {
		return append(b, value...)
	}
	b, _ = jsontext.AppendUnquote(b, value) // it was written by an encoder
	return b
}

// appendValue appends the JSON of a reference to the record with an identifier, so that it is checked like any other
// body.
func (k *keyReader) appendValue(b []byte, id string) ([]byte, bool) {
	_, ok := k.reference.Target.Identifier().Parse(id)
	target := k.path()
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
	target := k.path()
	if target == nil {
		return "", false
	}
	return target.Read(address)
}
