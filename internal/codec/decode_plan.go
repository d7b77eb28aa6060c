package codec

import (
	"reflect"

	"github.com/trove-api/trove/internal/model"
)

// decoder is the plan by which values of one type are decoded.
type decoder interface {
	// decode reads the next JSON value onto v and reports whether it did: a value of
	// the wrong type is noted in d and leaves v as it was. What is wrong further inside
	// a list, map or struct is noted too, and the rest of it is set. The error is a
	// body that is not well-formed.
	decode(d *decoding, v reflect.Value) (set bool, err error)
}

// planner makes decoders, one object for each view, so that recursive types end.
type planner struct {
	blanks  blanks // nil where no struct has defaults
	objects map[*model.View]*objectPlan
	order   []*objectPlan // in which they were met
	cloners cloners
	kept    bool // for what stores keep, see [Kept]
}

func newPlanner(known blanks) *planner {
	return &planner{blanks: known, objects: map[*model.View]*objectPlan{}, cloners: cloners{}}
}

// position is where a value stands in a body: how it meets the value that is there, and the view
// of the struct that it is or holds.
type position struct {
	patch model.Patch
	inner *model.View
}

// view returns the view of a struct at the position.
// A struct that a merge patch makes is not the one that it changes: members that it does not have
// are required of the new one.
func (s position) view() *model.View {
	if s.patch == model.CreateInMergePatch && s.inner != nil && s.inner.New != nil {
		return s.inner.New
	}
	return s.inner
}

// anew is the position of a value that the body makes, where there is none.
func (s position) anew() position {
	if s.patch == model.MergePatch {
		s.patch = model.CreateInMergePatch
	}
	return s
}

// whole is the position of a value that the body sends whole.
func (s position) whole() position { return position{inner: s.inner} }

// decoder returns the decoder of a type.
func (p *planner) decoder(t *model.Type, at position) decoder {
	if !t.Nullable {
		return p.base(t, at)
	}
	made := nullable{goType: t.Base(), element: element{decoder: p.base(t, at.anew())}}
	if o := p.structOf(t, at.anew().view()); o != nil {
		made.element.blank = o.blank
	}
	if at.patch == model.MergePatch {
		made.there = p.base(t, at)
	}
	return made
}

// base returns the decoder of a type but for its pointer.
func (p *planner) base(t *model.Type, at position) decoder {
	switch t.Kind {
	case model.Object:
		return objectDecoder{p.structOf(t, at.view()), orNull(t, "an object")}
	case model.List:
		return list{t.Base(), p.element(t.Elem, at.whole()), orNull(t, "an array")}
	case model.Array:
		return array{t.Base(), p.element(t.Elem, at.whole()), orNull(t, "an array")}
	case model.Map:
		made := mapping{goType: t.Base(), patch: at.patch, element: p.element(t.Elem, at.anew()), want: orNull(t, "an object")}
		if at.patch == model.MergePatch {
			made.there = p.decoder(t.Elem, at)
		}
		return made
	case model.Any:
		return anything{at.patch}
	case model.Custom:
		return custom{t.Base()}
	case model.Key:
		return keptKey{t}
	}
	return scalar(t)
}

// scalar returns the decoder of a type that JSON writes as one token.
func scalar(t *model.Type) decoder {
	switch t.Kind {
	case model.Bool:
		if t.Nullable {
			return boolean{"true, false or null"}
		}
		return boolean{"true or false"}
	case model.Int:
		return newSigned(t)
	case model.Uint:
		return newUnsigned(t)
	case model.Float:
		return newFloat(t)
	case model.Bytes:
		return base64Text{orNull(t, "text in base64")}
	case model.Time:
		return timestamp{orNull(t, "a date and time like 2006-01-02T15:04:05Z")}
	case model.Text:
		return ownText{t.Base(), orNull(t, "a string")}
	}
	return text{orNull(t, "a string")}
}

// orNull returns what messages say that a value must be: null is one more choice behind a pointer.
func orNull(t *model.Type, what string) string {
	if t.Nullable {
		return what + " or null"
	}
	return what
}

// element is the plan of a value that the body makes: an element, an entry of a map, or
// what a pointer points to.
type element struct {
	decoder decoder
	blank   *blank // of its struct, which begins with defaults; nil for other types
}

func (p *planner) element(t *model.Type, at position) element {
	e := element{decoder: p.decoder(t, at)}
	if o := p.structOf(t, at.view()); o != nil && !t.Nullable {
		e.blank = o.blank
	}
	return e
}

// decodeNew reads the next JSON value onto v, which is zero.
func (e element) decodeNew(d *decoding, v reflect.Value) (set bool, err error) {
	if e.blank != nil && !d.kept {
		e.blank.fill(v)
	}
	return e.decoder.decode(d, v)
}

// nullable decodes what may be null: a pointer.
type nullable struct {
	goType  reflect.Type // of what it points to
	there   decoder      // of what a merge patch changes; nil for what is always made anew
	element element
}

// A new value is set once it is read: one that has the wrong type leaves the pointer as it was.
func (n nullable) decode(d *decoding, v reflect.Value) (bool, error) {
	isNull, err := d.null()
	switch {
	case err != nil:
		return false, err
	case isNull:
		v.SetZero()
		return true, nil
	case n.there != nil && !v.IsNil():
		return n.there.decode(d, v.Elem())
	}
	made := reflect.New(n.goType)
	set, err := n.element.decodeNew(d, made.Elem())
	if set {
		v.Set(made)
	}
	return set, err
}
