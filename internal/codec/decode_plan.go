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
	decode(d *decoding, v reflect.Value, mode Mode) (set bool, err error)
}

// planner makes decoders, one object for each struct, so that recursive types end.
type planner struct {
	objects   map[*model.Struct]*object
	order     []*object // in which they were met
	deepeners deepeners
	kept      bool    // for what stores keep, see [Kept]
	errs      []error // of defaults
}

func newPlanner() *planner {
	return &planner{objects: map[*model.Struct]*object{}, deepeners: deepeners{}}
}

// decoder returns the decoder of a type.
func (p *planner) decoder(t *model.Type) decoder {
	if t.Nullable {
		return nullable{goType: t.Base(), element: element{p.base(t), p.structOf(t)}}
	}
	return p.base(t)
}

// base returns the decoder of a type but for its pointer.
func (p *planner) base(t *model.Type) decoder {
	switch t.Kind {
	case model.Object:
		return objectDecoder{p.structOf(t), want(t, "an object")}
	case model.List:
		return list{t.Base(), p.element(t.Elem), want(t, "an array")}
	case model.Array:
		return array{t.Base(), p.element(t.Elem), want(t, "an array")}
	case model.Map:
		return mapping{t.Base(), p.element(t.Elem), want(t, "an object")}
	case model.Any:
		return anything{}
	case model.Custom:
		return custom{t.Base()}
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
		return base64Text{want(t, "text in base64")}
	case model.Time:
		return timestamp{want(t, "a date and time like 2006-01-02T15:04:05Z")}
	case model.Text:
		return ownText{t.Base(), want(t, "a string")}
	}
	return text{want(t, "a string")}
}

// want completes what messages say a value must be.
func want(t *model.Type, what string) string {
	if t.Nullable {
		return what + " or null"
	}
	return what
}

// element is the plan of a value that the body makes: an element, an entry of a map, or
// what a pointer points to.
type element struct {
	decoder decoder
	object  *object // its struct, which begins with defaults; nil for other types
}

func (p *planner) element(t *model.Type) element {
	if t.Nullable {
		return element{decoder: p.decoder(t)}
	}
	return element{p.base(t), p.structOf(t)}
}

// decodeNew reads the next JSON value onto v, which is zero.
func (e element) decodeNew(d *decoding, v reflect.Value, mode Mode) (set bool, err error) {
	if e.object != nil && !d.kept {
		e.object.fill(v)
	}
	return e.decoder.decode(d, v, mode)
}

// nullable decodes what may be null: a pointer.
type nullable struct {
	goType  reflect.Type // of what it points to
	element element
}

func (n nullable) decode(d *decoding, v reflect.Value, mode Mode) (bool, error) {
	isNull, err := d.null()
	switch {
	case err != nil:
		return false, err
	case isNull:
		v.SetZero()
		return true, nil
	case mode == Merge && !v.IsNil():
		return n.element.decoder.decode(d, v.Elem(), Merge)
	}
	made := reflect.New(n.goType)
	set, err := n.element.decodeNew(d, made.Elem(), mode.forNew())
	if set {
		v.Set(made)
	}
	return set, err
}
