package codec

import (
	"github.com/trove-api/trove/internal/model"
)

// encoders holds the encoders of views, so that recursive types end.
type encoders struct {
	objects map[*model.View]*objectEncoder
	kept    bool // as stores keep values, see [Kept]
}

func newEncoders() *encoders { return &encoders{objects: map[*model.View]*objectEncoder{}} }

// of returns the encoder of a type, with that view of the struct that it is or holds.
// Null is asked here once for all types, so that no encoder meets a nil pointer.
func (es *encoders) of(t *model.Type, v *model.View) encoder {
	base := es.base(t, v)
	switch {
	case !t.Nullable && es.kept:
		return orNil(t, base)
	case !t.Nullable:
		return base
	}
	return func(b []byte, at address, depth int) ([]byte, error) {
		target := at.target()
		if target.isNil() {
			return append(b, "null"...), nil
		}
		return base(b, target, depth)
	}
}

// base returns the encoder of a type but for its pointer.
func (es *encoders) base(t *model.Type, v *model.View) encoder {
	switch t.Kind {
	case model.Object:
		return es.object(v)
	case model.List:
		return encodeSlice(t.Elem.Go, es.of(t.Elem, v))
	case model.Array:
		return encodeArray(t.Elem.Go, t.Len, es.of(t.Elem, v))
	case model.Map:
		return encodeMap(t.Base(), es.of(t.Elem, v))
	case model.Text:
		return encodeOwnText(t.Base())
	case model.Key:
		return encodeKey(t)
	case model.Any, model.Custom:
		return encodeOther(t.Base())
	}
	return encodeScalar(t)
}

// encodeScalar returns the encoder of a type that JSON writes as one token.
// For each size of numbers its own function, chosen when the plan is made and not for each value.
func encodeScalar(t *model.Type) encoder {
	switch t.Kind {
	case model.Bool:
		return encodeBool
	case model.Int:
		return encodeSigned(t.Bits)
	case model.Uint:
		return encodeUnsigned(t.Bits)
	case model.Float:
		return encodeFloat(t.Bits)
	case model.Bytes:
		return encodeBytes
	case model.Time:
		return encodeTime
	}
	return encodeString
}
