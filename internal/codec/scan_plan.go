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

// of returns the scanner of a type.
func (ss scanners) of(t *model.Type) scanner {
	base := ss.base(t)
	if !t.Nullable {
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
		return listScanner{t.Base(), ss.element(t.Elem)}.scan
	case model.Array:
		return arrayScanner{t.Base(), ss.element(t.Elem)}.scan
	case model.Map:
		return mapScanner{t.Base(), ss.element(t.Elem)}.scan
	case model.Any:
		return scanAny
	case model.Custom:
		return scanCustom(t.Base())
	case model.Text:
		return scanOwnText(t.Base())
	}
	return scanScalar(t)
}

func (ss scanners) element(t *model.Type) elementScanner {
	e := elementScanner{size: t.Go.Size(), value: ss.of(t), nested: isNested(t)}
	if !t.Nullable {
		e.object = ss.plans.structOf(t)
	}
	return e
}

// isNested reports whether a value of the type may hold members of structs.
func isNested(t *model.Type) bool {
	switch t.Kind {
	case model.Object, model.List, model.Array, model.Map:
		return true
	}
	return false
}

// scanScalar returns the scanner of a type that JSON writes as one token.
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
	case model.Bytes:
		return scanBytes
	case model.Time:
		return scanTime
	}
	return scanString
}

// scanOwnText returns the scanner of a type that unmarshals itself from text. What a
// method leaves behind when it fails goes when the copy is put back.
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
