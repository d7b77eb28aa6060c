package codec

import (
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// objectEncoder encodes structs.
type objectEncoder struct{ members []memberEncoder }

// memberEncoder encodes a member of a struct.
type memberEncoder struct {
	field     *model.Field
	name      []byte // quoted, with the colon
	encode    encoder
	isZero    func(v reflect.Value) bool // of omitzero; nil without it
	omitEmpty bool
}

// object returns the encoder of a struct.
func (es *encoders) object(s *model.Struct) encoder {
	o, met := es.objects[s]
	if !met {
		o = &objectEncoder{}
		es.objects[s] = o
		for _, f := range s.Fields {
			es.hidden = es.hidden || !f.Readable()
			if f.Readable() || es.whole {
				o.members = append(o.members, es.member(s, f))
			}
		}
	}
	return o.encode
}

func (es *encoders) member(s *model.Struct, f *model.Field) memberEncoder {
	quoted, _ := jsontext.AppendQuote(nil, f.Name)
	m := memberEncoder{field: f, name: append(quoted, ':'), encode: es.of(f.Type)}
	_, tag, _ := strings.Cut(s.Go.FieldByIndex(f.Index).Tag.Get("json"), ",")
	options := strings.Split(tag, ",")
	m.omitEmpty = slices.Contains(options, "omitempty")
	if slices.Contains(options, "omitzero") {
		m.isZero = isZeroOf(f.Type.Go)
	}
	return m
}

// isZeroOf returns what omitzero asks of a value: its own IsZero method, if there is
// one, or whether it is the zero value. The value is addressable.
func isZeroOf(t reflect.Type) func(v reflect.Value) bool {
	type zeroer interface{ IsZero() bool }
	switch {
	case t.Kind() == reflect.Pointer && t.Implements(reflect.TypeFor[zeroer]()):
		return func(v reflect.Value) bool {
			own, _ := reflect.TypeAssert[zeroer](v)
			return v.IsNil() || own.IsZero()
		}
	case reflect.PointerTo(t).Implements(reflect.TypeFor[zeroer]()):
		return func(v reflect.Value) bool {
			own, _ := reflect.TypeAssert[zeroer](v.Addr())
			return own.IsZero()
		}
	}
	return reflect.Value.IsZero
}

func (o *objectEncoder) encode(b []byte, v reflect.Value, depth int) ([]byte, error) {
	if depth >= maxDepth {
		return b, errTooDeep
	}
	b = append(b, '{')
	start := len(b)
	var err error
	for i := range o.members {
		m := &o.members[i]
		if b, err = m.append(b, m.field.Value(v), depth+1, len(b) > start); err != nil {
			return b, within(m.field.Name, err)
		}
	}
	return append(b, '}'), nil
}

// append appends the member, unless it is left out.
func (m *memberEncoder) append(b []byte, v reflect.Value, depth int, comma bool) ([]byte, error) {
	if m.isZero != nil && m.isZero(v) {
		return b, nil
	}
	before := len(b)
	if comma {
		b = append(b, ',')
	}
	b = append(b, m.name...)
	start := len(b)
	b, err := m.encode(b, v, depth)
	if m.omitEmpty && err == nil && isEmptyJSON(b[start:]) {
		return b[:before], nil
	}
	return b, err
}

// isEmptyJSON reports whether omitempty leaves the value out.
func isEmptyJSON(value []byte) bool {
	switch string(value) {
	case "null", `""`, "{}", "[]":
		return true
	}
	return false
}
