package codec

import (
	"encoding"
	"reflect"

	"github.com/trove-api/trove/internal/model"
)

// encoders holds the encoders of structs, so that recursive types end.
type encoders struct {
	objects map[*model.Struct]*objectEncoder
	whole   bool // write-only members are encoded, too
	hidden  bool // there is a write-only member
}

func newEncoders(whole bool) *encoders {
	return &encoders{objects: map[*model.Struct]*objectEncoder{}, whole: whole}
}

// of returns the encoder of a type.
func (es *encoders) of(t *model.Type) encoder {
	base := es.base(t)
	if !t.Nullable {
		return base
	}
	return func(b []byte, v reflect.Value, depth int) ([]byte, error) {
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return base(b, v.Elem(), depth)
	}
}

// base returns the encoder of a type but for its pointer.
func (es *encoders) base(t *model.Type) encoder {
	switch t.Kind {
	case model.Object:
		return es.object(t.Struct)
	case model.List, model.Array:
		return encodeList(es.of(t.Elem))
	case model.Map:
		return encodeMap(es.of(t.Elem))
	case model.Text:
		return encodeOwnText(t.Base())
	case model.Any, model.Custom:
		return encodeOther
	}
	return encodeScalar(t)
}

// encodeScalar returns the encoder of a type that JSON writes as one token.
func encodeScalar(t *model.Type) encoder {
	switch t.Kind {
	case model.Bool:
		return encodeBool
	case model.Int:
		return encodeInt
	case model.Uint:
		return encodeUint
	case model.Float:
		return encodeFloat(t.Bits)
	case model.Bytes:
		return encodeBytes
	case model.Time:
		return encodeTime
	}
	return encodeString
}

// encodeOwnText returns the encoder of a type that marshals itself as text.
func encodeOwnText(t reflect.Type) encoder {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextAppender]()) {
		return encodeTextAppender
	}
	return encodeTextMarshaler
}
