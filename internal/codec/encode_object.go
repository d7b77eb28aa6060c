package codec

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// encoder is the plan by which values of one type are encoded. It appends the JSON of
// what is stored at the address to b; depth is how many objects and arrays are open.
type encoder func(b []byte, at address, depth int) ([]byte, error)

var errTooDeep = errors.New("the value is nested too deeply for JSON; perhaps it contains itself")

// within says in an error which part of the value it is about.
// The path is made while the error goes up, so that encoding keeps none.
func within(step string, err error) error {
	if errors.Is(err, errTooDeep) {
		return err // thousands of steps help nobody
	}
	return fmt.Errorf("%s: %w", step, err)
}

// encoders makes the encoders of types, one for each view of a struct.
type encoders struct {
	model.Fold[*model.View, encoder]

	first *objectEncoder // the first struct that was met; nil for none
	kept  bool           // as stores keep values, see [Kept]
}

func newEncoders(kept bool) *encoders {
	es := &encoders{kept: kept}
	es.Scalar, es.List, es.Map, es.Object, es.Null = encodeScalar, es.list, es.mapping, es.object, es.null
	es.Key = func(_ *model.Type, v *model.View) any { return v }
	return es
}

// of returns the encoder of a type, with that view of the struct that it is or holds. Stores keep null of what is nil.
func (es *encoders) of(t *model.Type, v *model.View) encoder {
	made := es.Of(t, v)
	if isNilable := t.Kind == model.List || t.Kind == model.Map || t.Kind == model.Bytes; es.kept && !t.Nullable && isNilable {
		return orNil(made)
	}
	return made
}

// null is the case of pointers: no other encoder meets one that is nil.
func (es *encoders) null(t *model.Type, v *model.View) encoder { return behindPointer(es.Base(t, v)) }

// behindPointer returns the encoder of a pointer to what base encodes.
func behindPointer(base encoder) encoder {
	return func(b []byte, at address, depth int) ([]byte, error) {
		if target := *(*address)(at); target != nil {
			return base(b, target, depth)
		}
		return append(b, "null"...), nil
	}
}

// orNil returns the encoder of a slice or map, with null for one that is nil. The first word of either is a pointer.
func orNil(base encoder) encoder {
	return func(b []byte, at address, depth int) ([]byte, error) {
		if *(*address)(at) == nil {
			return append(b, "null"...), nil
		}
		return base(b, at, depth)
	}
}

// list is the case of slices and arrays.
func (es *encoders) list(t *model.Type, v *model.View) encoder {
	return encodeList(t, es.of(t.Elem, v))
}

// encodeList returns the encoder of a list. An error gets the index put before it on the way up, so that no path is kept while nothing is
// wrong.
func encodeList(t *model.Type, element encoder) encoder {
	size, isArray := t.Elem.Go.Size(), t.Kind == model.Array
	return func(b []byte, at address, depth int) ([]byte, error) {
		if depth >= maxDepth {
			return b, errTooDeep
		}
		first, count := at, t.Len
		if !isArray {
			first, count = elementsAt(at)
		}
		b = append(b, '[')
		var err error
		for i := range count {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = element(b, plus(first, uintptr(i)*size), depth+1); err != nil {
				return b, within("["+strconv.Itoa(i)+"]", err)
			}
		}
		return append(b, ']'), nil
	}
}

// mapping is the case of maps. Their entries are in the order of their keys.
func (es *encoders) mapping(of *model.Type, v *model.View) encoder {
	t, value := of.Base(), es.of(of.Elem, v)
	return func(b []byte, at address, depth int) ([]byte, error) {
		if depth >= maxDepth {
			return b, errTooDeep
		}
		entries := valueAt(at, t)
		// Sorted, for the tag of an answer is a hash of its bytes: maps in the order of Go would give one
		// state another tag each time.
		keys := entries.MapKeys()
		slices.SortFunc(keys, func(x, y reflect.Value) int { return cmp.Compare(x.String(), y.String()) })
		// One for all entries: they have no address, by which plans go.
		entry := reflect.New(t.Elem())
		b = append(b, '{')
		var err error
		for i, key := range keys {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = appendText(append(b, '"'), key.String()); err != nil {
				return b, within("a key", err)
			}
			entry.Elem().Set(entries.MapIndex(key))
			if b, err = value(append(b, ':'), entry.UnsafePointer(), depth+1); err != nil {
				return b, within("["+key.String()+"]", err)
			}
		}
		return append(b, '}'), nil
	}
}

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
	omits     bool // is left out of some values
}

// object is the case of structs.
func (es *encoders) object(_ *model.Type, v *model.View, known func(encoder)) encoder {
	o := &objectEncoder{}
	if es.first == nil {
		es.first = o
	}
	known(o.encode)
	for i := range v.Fields {
		if m := &v.Fields[i]; m.Readable && !m.Computed {
			o.members = append(o.members, es.member(v.Struct, m))
		}
	}
	return o.encode
}

func (es *encoders) member(s *model.Struct, of *model.ViewField) memberEncoder {
	f := of.Field
	m := memberEncoder{field: f, name: f.Name, offset: offsetOf(s.Go, f.Index), encode: es.field(of)}
	switch {
	case es.kept:
		// A type that marshals itself need not read what it writes of its zero value.
		if !f.Type.Nullable && (f.Type.Kind == model.Custom || f.Type.Kind == model.Text || f.Type.Kind == model.Key) {
			m.isZero = func(at address) bool { return valueAt(at, f.Type.Go).IsZero() }
		}
	default:
		m.omitEmpty = f.OmitEmpty
		if f.OmitZero {
			m.isZero = isZeroOf(f.Type.Go)
		}
	}
	m.omits = m.isZero != nil || m.omitEmpty
	// The most common member by far, so that it is written without a call through its plan.
	m.isText = f.Type.Kind == model.String && !f.Type.Nullable && !m.omits && !es.isAddress(f)
	label, _ := jsontext.AppendQuote([]byte{','}, f.Name)
	if label = append(label, ':'); m.isText {
		label = append(label, '"')
	}
	m.label = string(label)
	return m
}

// isZeroOf returns what omitzero asks of a value: its own IsZero method, if there is
// one, or whether it is the zero value.
func isZeroOf(t reflect.Type) func(at address) bool {
	type zeroer interface{ IsZero() bool }
	switch {
	case t.Kind() == reflect.Pointer && t.Implements(reflect.TypeFor[zeroer]()):
		return func(at address) bool {
			own, _ := reflect.TypeAssert[zeroer](valueAt(at, t))
			return *(*address)(at) == nil || own.IsZero()
		}
	case reflect.PointerTo(t).Implements(reflect.TypeFor[zeroer]()):
		return func(at address) bool {
			own, _ := reflect.TypeAssert[zeroer](valueAt(at, t).Addr())
			return own.IsZero()
		}
	}
	return func(at address) bool { return valueAt(at, t).IsZero() }
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
		m, from := &o.members[i], plus(at, o.members[i].offset)
		switch {
		case m.isText:
			b, err = appendText(append(b, m.label...), *(*string)(from))
		case m.omits:
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
