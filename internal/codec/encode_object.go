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

// encoder is the plan for encoding values of one type. It appends the JSON of the value at a memory address to b.
// Depth is the number of open objects and arrays.
type encoder func(b []byte, at address, depth int) ([]byte, error)

var errTooDeep = errors.New("the value is nested too deeply for JSON; perhaps it contains itself")

// within adds to an error which part of the value it is about. The path is built while the error returns, so that
// encoding without errors costs nothing.
func within(step string, err error) error {
	if errors.Is(err, errTooDeep) {
		return err // thousands of steps do not help
	}
	return fmt.Errorf("%s: %w", step, err)
}

// encoders makes the encoders of types, one for each view of a struct.
type encoders struct {
	model.Fold[*model.View, encoder]

	first  *objectEncoder // the first struct; nil for none
	stored bool           // for stores, see [Stored]
}

func newEncoders(stored bool) *encoders {
	es := &encoders{stored: stored}
	es.Scalar, es.Map, es.Object, es.Null = encodeScalar, es.mapping, es.object, es.null
	es.List = func(t *model.Type, v *model.View) encoder { return encodeList(t, es.of(t.Elem, v)) }
	es.Key = func(_ *model.Type, v *model.View) any { return v }
	return es
}

// of returns the encoder of a type with a view of its struct. Stores keep nil as null.
func (es *encoders) of(t *model.Type, v *model.View) encoder {
	made := es.Of(t, v)
	if isNilable := t.Kind == model.List || t.Kind == model.Map || t.Kind == model.Bytes; es.stored && !t.Nullable && isNilable {
		return unlessNil(made, false)
	}
	return made
}

// null handles pointers. No other encoder gets a nil pointer.
func (es *encoders) null(t *model.Type, v *model.View) encoder { return unlessNil(es.Base(t, v), true) }

// unlessNil returns the encoder of a pointer to what base encodes, or of a slice or map, that writes nil as null. The first
// word of a slice or map is a pointer.
func unlessNil(base encoder, isPointer bool) encoder {
	return func(b []byte, at address, depth int) ([]byte, error) {
		switch target := *(*address)(at); {
		case target == nil:
			return append(b, "null"...), nil
		case isPointer:
			at = target
		}
		return base(b, at, depth)
	}
}

// encodeList returns the encoder of a slice or an array. Errors get the index on their way up, so that no path is kept until
// then.
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

// mapping handles maps. Entries are in the order of their keys.
func (es *encoders) mapping(of *model.Type, v *model.View) encoder {
	t, value := of.Base(), es.of(of.Elem, v)
	return func(b []byte, at address, depth int) ([]byte, error) {
		if depth >= maxDepth {
			return b, errTooDeep
		}
		entries := valueAt(at, t)
		// Sorted, because an ETag is a hash of these bytes, and Go's order of map entries is random.
		keys := entries.MapKeys()
		slices.SortFunc(keys, func(x, y reflect.Value) int { return cmp.Compare(x.String(), y.String()) })
		// One value for all entries, because plans need a memory address and entries have none.
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
type objectEncoder struct{ members []fieldEncoder }

// fieldEncoder encodes a field of a struct.
type fieldEncoder struct {
	field     *model.Field
	label     string // what comes before its value
	offset    uintptr
	encode    encoder
	isZero    func(at address) bool // for omitzero, and for what stores leave out; else nil
	omitEmpty bool
	omits     bool // some values are left out
}

// object handles structs.
func (es *encoders) object(_ *model.Type, v *model.View, known func(encoder)) encoder {
	o := &objectEncoder{}
	if es.first == nil {
		es.first = o
	}
	known(o.encode)
	for i := range v.Fields {
		if m := &v.Fields[i]; m.Readable && !m.Computed {
			o.members = append(o.members, es.ofField(v.Struct, m))
		}
	}
	return o.encode
}

func (es *encoders) ofField(s *model.Struct, of *model.ViewField) fieldEncoder {
	f := of.Field
	m := fieldEncoder{field: f, offset: offsetOf(s.Go, f.Index), encode: es.field(of)}
	switch {
	case es.stored:
		// A type that marshals itself may not be able to read what it writes for its zero value.
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
	label, _ := jsontext.AppendQuote([]byte{','}, f.Name)
	m.label = string(append(label, ':'))
	return m
}

// isZeroOf returns the check of omitzero: the type's own IsZero method, or whether the value is zero.
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

// encode writes a comma before each field and turns the first comma into the bracket, because fields can be left
// out.
func (o *objectEncoder) encode(b []byte, at address, depth int) ([]byte, error) {
	// A record that contains itself would be written until memory ends.
	if depth >= maxDepth {
		return b, errTooDeep
	}
	start := len(b)
	var err error
	for i := range o.members {
		m, from := &o.members[i], plus(at, o.members[i].offset)
		if m.omits {
			b, err = m.append(b, from, depth+1)
		} else {
			b, err = m.encode(append(b, m.label...), from, depth+1)
		}
		if err != nil {
			return b, within(m.field.Name, err)
		}
	}
	if len(b) == start {
		return append(b, "{}"...), nil
	}
	b[start] = '{' // instead of the comma before the first field
	return append(b, '}'), nil
}

// append appends the field after its label, unless it is left out.
func (m *fieldEncoder) append(b []byte, at address, depth int) ([]byte, error) {
	if m.isZero != nil && m.isZero(at) {
		return b, nil
	}
	// Whether the JSON is empty is only known after it is written, so it may be cut off again.
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
