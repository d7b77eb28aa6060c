package codec

import (
	"encoding"
	"reflect"

	"github.com/trove-api/trove/internal/model"
)

// scanners makes scanners, one objectScanner for each struct, so that recursive types end.
type scanners struct {
	objects map[*model.Struct]*objectScanner
	plans   *planner
}

// of returns the scanner of a type, nil where there is none.
func (ss scanners) of(t *model.Type) scanner {
	base := ss.base(t)
	if !t.Nullable || base == nil {
		return base
	}
	return nullableScanner{t.Base(), zeroOf(t), base, ss.plans.structOf(t)}.scan
}

// base returns the scanner of a type but for its pointer.
func (ss scanners) base(t *model.Type) scanner {
	switch t.Kind {
	case model.Object:
		return ss.object(t.Struct)
	case model.List:
		if element := ss.of(t.Elem); element != nil {
			return listScanner{t.Base(), t.Elem.Go.Size(), element, ss.newOf(t.Elem), isNested(t.Elem)}.scan
		}
	case model.Map:
		if element := ss.of(t.Elem); element != nil {
			return mapScanner{t.Base(), element, ss.newOf(t.Elem)}.scan
		}
	case model.Text:
		return scanOwnText(t.Base())
	}
	return scanScalar(t)
}

// newOf returns the plan of the struct that an element is, with which it begins, nil for
// elements of other types.
func (ss scanners) newOf(t *model.Type) *object {
	if t.Nullable {
		return nil
	}
	return ss.plans.structOf(t)
}

// isNested reports whether a value of the type may hold members of structs.
func isNested(t *model.Type) bool {
	return t.Kind == model.Object || t.Kind == model.List || t.Kind == model.Map
}

// scanScalar returns the scanner of a type that JSON writes as one token, nil for others.
func scanScalar(t *model.Type) scanner {
	switch t.Kind {
	case model.Bool:
		return scanBool
	case model.Int:
		return scanSigned(t.Bits)
	case model.Uint:
		return scanUnsigned(t.Bits)
	case model.Float:
		return scanFloat(t.Bits)
	case model.String:
		return scanString
	case model.Bytes:
		return scanBytes
	case model.Time:
		return scanTime
	}
	return nil
}

// scanOwnText returns the scanner of a type that unmarshals itself from text. What a
// method leaves behind when it fails stays in the draft.
func scanOwnText(t reflect.Type) scanner {
	plan := ownText{goType: t}
	return func(d *decoding, at address, i int, _ Mode) int {
		text, end := d.quoted(i)
		if end == gaveUp || plan.isOddUUID(text) {
			return gaveUp
		}
		v := at.value(t)
		v.SetZero()
		own, ok := reflect.TypeAssert[encoding.TextUnmarshaler](v.Addr())
		if !ok || own.UnmarshalText(text) != nil {
			return gaveUp
		}
		return end
	}
}
