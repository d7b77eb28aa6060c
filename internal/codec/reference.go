package codec

import (
	"reflect"
	"sync"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/passwords"
)

// field returns the plan of a field: of its type, of passwords, or of references as paths. Stores keep hashes instead of
// passwords, and keys, because paths change with the routes of an API.
func (p *planner) field(of *model.ViewField, at position) plan {
	f := of.Field
	shown := f.Shown()
	switch {
	case f.Password && !p.stored:
		return plan{decode: fromString("a string", func(d *decoding, text []byte, at address) bool {
			if passwords.IsHash(string(text)) { // a client must not choose its hash, and with it what each comparison costs
				d.wrong(codeType, "must be a password, not the hash of one")
				return false
			}
			*(*string)(at) = string(text)
			return true
		})}
	case shown == nil || p.stored:
		return p.Of(f.Type, at)
	}
	one := f.Type
	if shown.Many {
		one = f.Type.Elem
	}
	want := sync.OnceValue(func() string { return orNull(one, shown.Means()) }) // known once all resources are
	// A path is only matched here. Whether the record exists is checked later, for all references of a body at once.
	key := plan{decode: func(d *decoding, at address) (bool, error) {
		text, ok, err := d.string(want())
		if !ok {
			return false, err
		}
		key, ok := shown.Read(string(text))
		if !ok {
			d.wrong(CodeReference, "must be "+want())
			return false, nil
		}
		if into := valueAt(at, shown.Key.Go); shown.Key.Kind == model.Key {
			shown.Key.SetKey(into, key)
		} else {
			into.Set(reflect.ValueOf(key))
		}
		return true, nil
	}}
	switch {
	case shown.Many:
		return plan{decode: decodeSlice(f.Type.Base(), orNull(f.Type, "an array"), key)}
	case f.Type.Nullable:
		return p.nullable(f.Type.Base(), key)
	}
	return key
}

// field returns the encoder of a field. Stores keep keys instead of the paths of other records.
func (es *encoders) field(of *model.ViewField) encoder {
	f := of.Field
	switch {
	case es.stored || f.Shown() == nil:
		return es.of(f.Type, of.Inner)
	case f.Reference.Many:
		return encodeList(f.Type, encodePath(f.Reference))
	case f.Type.Nullable:
		return unlessNil(encodePath(f.Reference), true)
	}
	return encodePath(f.Reference)
}

// encodePath returns the encoder of keys as the paths of their records, which need no JSON escapes.
func encodePath(r *model.Reference) encoder {
	switch {
	case r.Key.Kind == model.Int && r.Key.Bits == 64:
		return func(b []byte, at address, _ int) ([]byte, error) {
			return append(r.Path.AppendInt(append(b, '"'), *(*int64)(at)), '"'), nil
		}
	case r.Key.Kind == model.String:
		return func(b []byte, at address, _ int) ([]byte, error) {
			return append(r.Path.Append(append(b, '"'), *(*string)(at)), '"'), nil
		}
	}
	return func(b []byte, at address, _ int) ([]byte, error) {
		text, err := r.Text(valueAt(at, r.Key.Go))
		switch {
		case err != nil:
			return b, err
		case r.Path == nil:
			return appendText(append(b, '"'), text)
		}
		return append(r.Path.Append(append(b, '"'), text), '"'), nil
	}
}
