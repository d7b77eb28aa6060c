package codec

import (
	"reflect"

	"github.com/trove-api/trove/internal/model"
)

// reference decodes the key of another resource's record from the record's address. The address
// is matched, and nothing is ever asked of it.
type reference struct {
	*model.Reference

	typ *model.Type // of the field, or of an element of its list
}

// field returns the decoder of a member: of its type, or of addresses of other records.
// What stores keep are keys, since addresses may change with the paths of an API.
func (p *planner) field(of *model.Member, patch model.Patch) decoder {
	f := of.Field
	shown := f.Shown()
	if shown == nil || p.kept {
		return p.decoder(f.Type, position{patch, of.Inner})
	}
	one := element{decoder: reference{shown, f.Type}}
	switch {
	case shown.Many:
		one.decoder = reference{shown, f.Type.Elem}
		return list{f.Type.Base(), one, orNull(f.Type, "an array")}
	case f.Type.Nullable:
		return nullable{goType: f.Type.Base(), element: one}
	}
	return one.decoder
}

// Whether there is such a record is found out later, for all references of a body at once.
func (r reference) decode(d *decoding, v reflect.Value) (bool, error) {
	text, ok, err := d.string(orNull(r.typ, r.Means()))
	if !ok {
		return false, err
	}
	key, ok := r.Read(string(text))
	if !ok {
		d.wrong(CodeReference, "must be "+orNull(r.typ, r.Means()))
		return false, nil
	}
	r.Key.SetKey(v, key)
	return true, nil
}

// field returns the encoder of a member.
func (es *encoders) field(of *model.Member) encoder {
	f := of.Field
	if !es.isAddress(f) {
		return es.of(f.Type, of.Inner)
	}
	one := encodeAddress(f.Reference)
	switch {
	case f.Reference.Many:
		return encodeSlice(f.Type.Elem.Go, one)
	case f.Type.Nullable:
		return func(b []byte, at address, depth int) ([]byte, error) {
			if at.target().isNil() {
				return append(b, "null"...), nil
			}
			return one(b, at.target(), depth)
		}
	}
	return one
}

// isAddress reports whether the member is written as the address of another record. What
// stores keep is not.
func (es *encoders) isAddress(f *model.Field) bool { return !es.kept && f.Shown() != nil }

// encodeAddress returns the encoder of keys as the addresses of their records, which have
// nothing that JSON would escape.
func encodeAddress(r *model.Reference) encoder {
	switch r.Key.Kind {
	case model.Int:
		if r.Key.Bits == 64 {
			return func(b []byte, at address, _ int) ([]byte, error) {
				return append(r.Address.AppendInt(append(b, '"'), *as[int64](at)), '"'), nil
			}
		}
	case model.String:
		return func(b []byte, at address, _ int) ([]byte, error) {
			return append(r.Address.Append(append(b, '"'), *as[string](at)), '"'), nil
		}
	}
	return func(b []byte, at address, _ int) ([]byte, error) {
		text, err := r.Text(at.value(r.Key.Go))
		switch {
		case err != nil:
			return b, err
		case r.Address == nil:
			return appendOwnText(b, []byte(text))
		}
		return append(r.Address.Append(append(b, '"'), text), '"'), nil
	}
}

// keptKey decodes the text that stores keep of a key of several parts, where it is in JSON.
type keptKey struct{ *model.Type }

func (k keptKey) decode(d *decoding, v reflect.Value) (bool, error) {
	text, ok, err := d.string("a string")
	if !ok {
		return false, err
	}
	made := reflect.New(k.Base()).Elem()
	if k.SetKeyText(made, string(text)) != nil {
		d.wrong(CodeReference, badForm)
		return false, nil
	}
	v.Set(made)
	return true, nil
}

// encodeKey returns the encoder of keys of several parts by their text.
func encodeKey(t *model.Type) encoder {
	return func(b []byte, at address, _ int) ([]byte, error) {
		text, err := t.KeyText(at.value(t.Base()))
		if err != nil {
			return b, err
		}
		return appendOwnText(b, []byte(text))
	}
}
