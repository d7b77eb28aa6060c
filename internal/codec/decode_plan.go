package codec

import (
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// decoder decodes the next JSON value and reports whether it was set. A value of the wrong type is reported in d
// and changes nothing. Wrong values inside a list, map or struct are reported too, and the rest is set. The error
// means that the body is not well-formed.
type decoder func(d *decoding, at address) (set bool, err error)

// plan is how values of one type are decoded.
type plan struct {
	decode decoder
	object *objectPlan // for a struct, which starts with its defaults; else nil
}

// decodeNew decodes the next JSON value into a new, zero one: an element, an entry of a map, or the target of a
// pointer.
func (p plan) decodeNew(d *decoding, at address) (set bool, err error) {
	if p.object != nil {
		p.object.blank.fill(at)
	}
	return p.decode(d, at)
}

// planner makes the plans of types, one for each view of a struct.
type planner struct {
	model.Fold[position, plan]

	blanks  blanks        // nil if no struct has defaults
	objects []*objectPlan // in the order of their first use
	copiers *walkers
	stored  bool // for values of stores, see [Stored]
}

func newPlanner(known blanks) *planner {
	p := &planner{blanks: known, copiers: newWalkers(false)}
	p.Scalar, p.List, p.Map, p.Object, p.Null = p.scalar, p.list, p.mapping, p.structure, p.null
	p.Key = func(_ *model.Type, at position) any { return at.view() }
	return p
}

// position is where a value is in a body, with the view of its struct.
type position struct {
	merges  bool // it is merged into the existing value instead of replacing it
	removes bool // null removes an entry of a map
	inner   *model.View
}

// view returns the view of the struct at the position. If a merge patch creates a struct, the new one requires more
// fields than an existing one.
func (s position) view() *model.View {
	if s.removes && !s.merges && s.inner != nil && s.inner.New != nil {
		return s.inner.New
	}
	return s.inner
}

// created is the position of a value that the body creates.
func (s position) created() position { return position{false, s.removes, s.inner} }

// orNull returns what a value must be, in messages. Behind a pointer, null is allowed too.
func orNull(t *model.Type, what string) string {
	if t.Nullable {
		return what + " or null"
	}
	return what
}

// null handles pointers. A new value is set after it is read, so that a wrong type leaves the pointer unchanged.
func (p *planner) null(t *model.Type, at position) plan {
	made := p.nullable(t.Base(), p.behindNull(t, at.created()))
	if !at.merges {
		return made
	}
	there := p.behindNull(t, at) // changes the existing value
	return plan{decode: func(d *decoding, at address) (bool, error) {
		if target := *(*address)(at); target != nil && d.json.PeekKind() != jsontext.KindNull {
			return there.decode(d, target)
		}
		return made.decode(d, at)
	}}
}

// behindNull returns the plan of a pointer's target. A struct has one plan for all places.
func (p *planner) behindNull(t *model.Type, at position) plan {
	made := p.Base(t, at)
	if made.object != nil {
		made.decode = objectDecoder{made.object, orNull(t, "an object")}.decode
	}
	return made
}

// nullable returns the plan of a pointer whose target is always new.
func (p *planner) nullable(base reflect.Type, of plan) plan {
	return plan{decode: func(d *decoding, at address) (bool, error) {
		if isNull, err := d.null(); isNull || err != nil {
			*(*address)(at) = nil
			return isNull, err
		}
		made := reflect.New(base).UnsafePointer()
		set, err := of.decodeNew(d, made)
		if set {
			*(*address)(at) = made
		}
		return set, err
	}}
}

// list handles slices and arrays, which bodies always send as a whole.
func (p *planner) list(t *model.Type, at position) plan {
	element := p.Of(t.Elem, position{inner: at.inner})
	if t.Kind == model.Array {
		return plan{decode: decodeArray(t, element)}
	}
	return p.orNil(t, decodeSlice(t.Base(), orNull(t, "an array"), element))
}

// orNil returns the plan of a slice or map. Stores have null for nil; in a body it is a wrong type.
func (p *planner) orNil(t *model.Type, decode decoder) plan {
	if !p.stored {
		return plan{decode: decode}
	}
	return plan{decode: func(d *decoding, at address) (bool, error) {
		if isNull, err := d.null(); isNull || err != nil {
			valueAt(at, t.Base()).SetZero()
			return isNull, err
		}
		return decode(d, at)
	}}
}

// decodeSlice returns the decoder of slices. The body's list replaces the old one, in a merge patch too. Elements
// are always new, because a body cannot say which of the old ones it means. An element of the wrong type stays
// zero.
func decodeSlice(goType reflect.Type, want string, element plan) decoder {
	return func(d *decoding, at address) (bool, error) {
		v := valueAt(at, goType)
		if ok, err := d.open(jsontext.KindBeginArray, want); !ok {
			return false, err
		}
		// An empty list, not nil: responses show both as [], but hooks can distinguish them.
		*(*[]struct{})(at) = []struct{}{}
		for i := 0; d.json.PeekKind() != jsontext.KindEndArray; i++ {
			// Grow doubles the capacity. It never depends on a length that the body claims.
			if i == v.Cap() {
				v.Grow(1)
			}
			v.SetLen(i + 1)
			d.location.ToElement(i)
			if _, err := element.decodeNew(d, v.Index(i).Addr().UnsafePointer()); err != nil {
				return false, err
			}
			d.location.Up()
		}
		_, err := d.json.ReadToken()
		return err == nil, err
	}
}

// decodeArray returns the decoder of arrays, which the body must have with all their elements: too many are as wrong as
// too few. A list of the wrong length changes nothing.
func decodeArray(t *model.Type, element plan) decoder {
	goType, exactly := t.Base(), "must have exactly "+strconv.Itoa(t.Len)+" elements"
	if t.Len == 1 {
		exactly = "must have exactly 1 element"
	}
	list := reflect.SliceOf(goType.Elem())
	decode := decodeSlice(list, orNull(t, "an array"), element)
	return func(d *decoding, at address) (bool, error) {
		made := reflect.New(list)
		set, err := decode(d, made.UnsafePointer())
		switch {
		case !set:
			return false, err
		case made.Elem().Len() != t.Len:
			d.wrong(codeType, exactly)
			return false, nil
		}
		reflect.Copy(valueAt(at, goType), made.Elem())
		return true, nil
	}
}

// nulName is the message for an object with a field name that contains U+0000.
const nulName = "must not have field names that contain the character U+0000"

// mapDecoder decodes maps. A merge patch changes and removes entries; otherwise the body's map replaces the old
// one. An entry of the wrong type stays unchanged.
type mapDecoder struct {
	position

	goType reflect.Type
	there  plan // for an entry that a merge patch changes
	made   plan // for a new entry
	want   string
}

func (p *planner) mapping(t *model.Type, at position) plan {
	m := mapDecoder{position: at, goType: t.Base(), made: p.Of(t.Elem, at.created()), want: orNull(t, "an object")}
	if at.merges {
		m.there = p.Of(t.Elem, at)
	}
	return p.orNil(t, m.decode)
}

// decode changes entries in place only for a merge patch; otherwise it creates a new map.
func (m mapDecoder) decode(d *decoding, at address) (bool, error) {
	v := valueAt(at, m.goType)
	if ok, err := d.open(jsontext.KindBeginObject, m.want); !ok {
		return false, err
	}
	if !m.merges || v.IsNil() {
		v.Set(reflect.MakeMap(m.goType))
	}
	for d.json.PeekKind() != jsontext.KindEndObject {
		raw, err := d.json.ReadValue()
		if err != nil {
			return false, err
		}
		if err := m.decodeEntry(d, v, raw); err != nil {
			return false, err
		}
	}
	_, err := d.json.ReadToken()
	return err == nil, err
}

// decodeEntry decodes the value after a name. A merge patch starts with the previous value of the entry.
func (m mapDecoder) decodeEntry(d *decoding, v reflect.Value, name []byte) error {
	if hasNUL(name) && !d.stored {
		d.wrong(codeNUL, nulName)
		return d.json.SkipValue()
	}
	key := reflect.New(m.goType.Key()).Elem()
	key.SetString(string(d.unquote(name)))
	// RFC 7396, section 2: null removes an entry. Elsewhere null is a value, or a type error.
	if m.removes {
		if isNull, err := d.null(); isNull || err != nil {
			v.SetMapIndex(key, reflect.Value{})
			return err
		}
	}
	d.location.ToEntry(key.String())
	// Entries of a map cannot be changed in place, so each is decoded into a new value and then set.
	var set bool
	var err error
	value := reflect.New(m.goType.Elem())
	if old := v.MapIndex(key); m.merges && old.IsValid() {
		value.Elem().Set(old)
		set, err = m.there.decode(d, value.UnsafePointer())
	} else {
		set, err = m.made.decodeNew(d, value.UnsafePointer())
	}
	if set {
		v.SetMapIndex(key, value.Elem())
	}
	d.location.Up()
	return err
}
