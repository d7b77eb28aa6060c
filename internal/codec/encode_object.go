package codec

import (
	"reflect"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// objectEncoder encodes structs.
type objectEncoder struct{ members []memberEncoder }

// memberEncoder encodes a member of a struct.
type memberEncoder struct {
	field     *model.Field
	name      string // the field's, at hand
	label     string // what stands in front of its value
	offset    uintptr
	isText    bool // a string that is never left out: its quotation mark is in the label
	encode    encoder
	isZero    func(at address) bool // of omitzero, and of what stores leave out; nil without it
	omitEmpty bool
}

// object returns the encoder of a view of a struct.
// It is entered before its members are planned, since one of them may be of the same view.
func (es *encoders) object(v *model.View) encoder {
	o, met := es.objects[v]
	if !met {
		o = &objectEncoder{}
		es.objects[v] = o
		for i := range v.Members {
			if m := &v.Members[i]; m.Readable && !m.Beside {
				o.members = append(o.members, es.member(v.Struct, m))
			}
		}
	}
	return o.encode
}

func (es *encoders) member(s *model.Struct, of *model.Member) memberEncoder {
	f := of.Field
	m := memberEncoder{field: f, name: f.Name, offset: offsetOf(s.Go, f.Index), encode: es.field(of)}
	switch {
	case es.kept:
		m.isZero = isUnkept(f.Type)
	default:
		m.omitEmpty = f.OmitEmpty
		if f.OmitZero {
			m.isZero = isZeroOf(f.Type.Go)
		}
	}
	// The most common member by far, so that it is written without a call through its plan.
	m.isText = f.Type.Kind == model.String && !f.Type.Nullable && !m.omits() && !es.isAddress(f)
	m.label = labelOf(f.Name, m.isText)
	return m
}

// labelOf returns the name of a member between a comma and a colon, and the quotation mark
// behind them that the value begins with, if it does.
func labelOf(name string, quote bool) string {
	label, _ := jsontext.AppendQuote([]byte{','}, name)
	if label = append(label, ':'); quote {
		label = append(label, '"')
	}
	return string(label)
}

// isZeroOf returns what omitzero asks of a value: its own IsZero method, if there is
// one, or whether it is the zero value.
func isZeroOf(t reflect.Type) func(at address) bool {
	type zeroer interface{ IsZero() bool }
	switch {
	case t.Kind() == reflect.Pointer && t.Implements(reflect.TypeFor[zeroer]()):
		return func(at address) bool {
			own, _ := reflect.TypeAssert[zeroer](at.value(t))
			return at.target().isNil() || own.IsZero()
		}
	case reflect.PointerTo(t).Implements(reflect.TypeFor[zeroer]()):
		return func(at address) bool {
			own, _ := reflect.TypeAssert[zeroer](at.value(t).Addr())
			return own.IsZero()
		}
	}
	return func(at address) bool { return at.value(t).IsZero() }
}

// Each member is written with a comma before it, and the first comma becomes the bracket: which one
// is first is not known where members are left out.
func (o *objectEncoder) encode(b []byte, at address, depth int) ([]byte, error) {
	// A record that contains itself by pointers would be written until memory ends.
	if depth >= maxDepth {
		return b, errTooDeep
	}
	start := len(b)
	var err error
	for i := range o.members {
		m, from := &o.members[i], at.plus(o.members[i].offset)
		switch {
		case m.isText:
			b, err = appendText(append(b, m.label...), *as[string](from))
		case m.omits():
			b, err = m.appendUnlessOmitted(b, from, depth+1)
		default:
			b, err = m.encode(append(b, m.label...), from, depth+1)
		}
		if err != nil {
			return b, within(m.field.Name, err)
		}
	}
	if len(b) == start {
		return append(b, "{}"...), nil
	}
	b[start] = '{' // in place of the comma in front of the first member
	return append(b, '}'), nil
}

// omits reports whether the member is left out of some values.
func (m *memberEncoder) omits() bool { return m.isZero != nil || m.omitEmpty }

// appendUnlessOmitted appends the member behind its label, unless it is left out.
func (m *memberEncoder) appendUnlessOmitted(b []byte, at address, depth int) ([]byte, error) {
	if m.isZero != nil && m.isZero(at) {
		return b, nil
	}
	// Whether JSON is empty is only seen once it is written; then it is cut off again.
	before := len(b)
	b, err := m.encode(append(b, m.label...), at, depth)
	if m.omitEmpty && err == nil && isEmptyJSON(b[before+len(m.label):]) {
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
