package codec

import (
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// decoder reads the next JSON value onto the address and reports whether it did: a value of
// the wrong type is noted in d and leaves what is at the address as it was. What is wrong further inside
// a list, map or struct is noted too, and the rest of it is set. The error is of a
// body that is not well-formed.
type decoder func(d *decoding, at address) (set bool, err error)

// plan is how values of one type are decoded.
type plan struct {
	decode decoder
	object *objectPlan // of a struct, which begins with its defaults; nil for all else
}

// decodeNew reads the next JSON value onto one that the body makes, which is zero: an element, an entry of a map, or
// what a pointer points to.
func (p plan) decodeNew(d *decoding, at address) (set bool, err error) {
	if p.object != nil {
		p.object.blank.fill(at)
	}
	return p.decode(d, at)
}

// planner makes the plans of types, one for each view of a struct.
type planner struct {
	model.Fold[position, plan]

	blanks  blanks        // nil where no struct has defaults
	objects []*objectPlan // in the order in which they were met
	cloners *cloners
	kept    bool // for what stores keep, see [Kept]
}

func newPlanner(known blanks) *planner {
	p := &planner{blanks: known, cloners: newCloners()}
	p.Scalar, p.List, p.Map, p.Object, p.Null = p.scalar, p.list, p.mapping, p.structure, p.null
	p.Key = func(_ *model.Type, at position) any { return at.view() }
	return p
}

// position is where a value is in a body, with the view of the struct that it is or holds.
type position struct {
	merges  bool // it is merged into the value that is there, rather than made anew
	removes bool // null removes an entry of a map
	inner   *model.View
}

// view returns the view of a struct at the position.
// A struct that a merge patch makes is not the one that it changes: members that it does not have
// are required of the new one.
func (s position) view() *model.View {
	if s.removes && !s.merges && s.inner != nil && s.inner.New != nil {
		return s.inner.New
	}
	return s.inner
}

// anew is the position of a value that the body makes, where there is none.
func (s position) anew() position { return position{false, s.removes, s.inner} }

// orNull returns what messages say that a value must be: null is one more choice behind a pointer.
func orNull(t *model.Type, what string) string {
	if t.Nullable {
		return what + " or null"
	}
	return what
}

// null is the case of pointers. A new value is set once it is read: one that has the wrong type leaves the pointer
// as it was.
func (p *planner) null(t *model.Type, at position) plan {
	made := p.nullable(t.Base(), p.behindNull(t, at.anew()))
	if !at.merges {
		return made
	}
	there := p.behindNull(t, at) // changes what there is
	return plan{decode: func(d *decoding, at address) (bool, error) {
		if target := *(*address)(at); target != nil && d.json.PeekKind() != jsontext.KindNull {
			return there.decode(d, target)
		}
		return made.decode(d, at)
	}}
}

// behindNull returns the plan of what a pointer points to. A struct has one for all places where it is.
func (p *planner) behindNull(t *model.Type, at position) plan {
	made := p.Base(t, at)
	if made.object != nil {
		made.decode = objectDecoder{made.object, orNull(t, "an object")}.decode
	}
	return made
}

// nullable returns the plan of a pointer that is null or always made anew.
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

// list is the case of slices and arrays, whose elements are sent whole.
func (p *planner) list(t *model.Type, at position) plan {
	element := p.Of(t.Elem, position{inner: at.inner})
	if t.Kind == model.Array {
		return plan{decode: decodeArray(t, element)}
	}
	return plan{decode: decodeSlice(t, element)}
}

// decodeSlice returns the decoder of slices. The body's list takes the place of the old one, in a merge patch
// too. An element of the wrong type is left zero. It is always made anew: a body cannot say which of the old ones
// it would be.
func decodeSlice(t *model.Type, element plan) decoder {
	goType, want := t.Base(), orNull(t, "an array")
	return func(d *decoding, at address) (bool, error) {
		v := valueAt(at, goType)
		if isNil, err := d.keptNil(v); isNil || err != nil {
			return isNil, err
		}
		if ok, err := d.open(jsontext.KindBeginArray, want); !ok {
			return false, err
		}
		// An empty list even where the body has one: nil is written as [] but told apart by hooks.
		*(*[]struct{})(at) = []struct{}{}
		for i := 0; d.json.PeekKind() != jsontext.KindEndArray; i++ {
			// Grow doubles. A length that the body claims is never believed, since there is none.
			if i == v.Cap() {
				v.Grow(1)
			}
			v.SetLen(i + 1)
			d.trail.ToElement(i)
			if _, err := element.decodeNew(d, v.Index(i).Addr().UnsafePointer()); err != nil {
				return false, err
			}
			d.trail.Up()
		}
		_, err := d.json.ReadToken()
		return err == nil, err
	}
}

// decodeArray returns the decoder of arrays, which the body must have with all their elements. An array is made
// beside the record and assigned at the end, so that a list of the wrong length changes nothing.
func decodeArray(t *model.Type, element plan) decoder {
	goType, want, exactly := t.Base(), orNull(t, "an array"), "must have exactly 1 element"
	if t.Len != 1 {
		exactly = "must have exactly " + strconv.Itoa(t.Len) + " elements"
	}
	return func(d *decoding, at address) (bool, error) {
		if ok, err := d.open(jsontext.KindBeginArray, want); !ok {
			return false, err
		}
		made, count := reflect.New(goType).Elem(), 0
		for ; d.json.PeekKind() != jsontext.KindEndArray; count++ {
			var err error
			if count >= t.Len { // counted, for too many are as wrong as too few
				err = d.json.SkipValue()
			} else {
				d.trail.ToElement(count)
				_, err = element.decodeNew(d, made.Index(count).Addr().UnsafePointer())
				d.trail.Up()
			}
			if err != nil {
				return false, err
			}
		}
		if _, err := d.json.ReadToken(); err != nil {
			return false, err
		}
		if count != t.Len {
			d.wrong(codeType, exactly)
			return false, nil
		}
		valueAt(at, goType).Set(made)
		return true, nil
	}
}

// nulName is said of an object with a member name that has the character U+0000.
const nulName = "must not have field names that contain the character U+0000"

// mapDecoder decodes maps. A merge patch changes and removes entries; else the body's map
// takes the place of the old one. An entry of the wrong type is left as it was.
type mapDecoder struct {
	position

	goType reflect.Type
	there  plan // of an entry that a merge patch changes
	made   plan // of a new one
	want   string
}

func (p *planner) mapping(t *model.Type, at position) plan {
	m := mapDecoder{position: at, goType: t.Base(), made: p.Of(t.Elem, at.anew()), want: orNull(t, "an object")}
	if at.merges {
		m.there = p.Of(t.Elem, at)
	}
	return plan{decode: m.decode}
}

// Entries are changed in place only where a merge patch says so: all else is a new map.
func (m mapDecoder) decode(d *decoding, at address) (bool, error) {
	v := valueAt(at, m.goType)
	if isNil, err := d.keptNil(v); isNil || err != nil {
		return isNil, err
	}
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

// decodeEntry reads the value that follows a name. A merge patch begins with what the entry was.
func (m mapDecoder) decodeEntry(d *decoding, v reflect.Value, name []byte) error {
	if hasNUL(name) && !d.kept {
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
	d.trail.ToEntry(key.String())
	// Entries of a map have no address, so that each is decoded beside it and put in.
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
	d.trail.Up()
	return err
}
