package codec

import (
	"reflect"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/view"
)

// scanners makes scanners, one objectScanner for each view, so that recursive types end.
type scanners struct {
	objects map[*view.View]*objectScanner
	plans   *planner
}

// of returns the scanner of a type.
// It follows [planner.decoder] step by step. The two have to agree on what is made anew and what a
// patch changes, or a body would mean something else when the scanner gives up.
func (ss scanners) of(t *model.Type, at position) scanner {
	if !t.Nullable {
		return ss.base(t, at)
	}
	n := nullableScanner{goType: t.Base(), zero: zeroOf(t), made: ss.base(t, at.anew())}
	if o := ss.plans.structOf(t, at.anew().view()); o != nil {
		n.blank = o.blank
	}
	if at.patch == view.Merge {
		n.there = ss.base(t, at)
	}
	return n.scan
}

// base returns the scanner of a type but for its pointer.
// Lists are always whole: a merge patch replaces them (RFC 7396, section 1).
func (ss scanners) base(t *model.Type, at position) scanner {
	switch t.Kind {
	case model.Object:
		return ss.object(at.view())
	case model.List:
		return listScanner{t.Base(), ss.element(t.Elem, at.whole())}.scan
	case model.Array:
		return arrayScanner{t.Base(), ss.element(t.Elem, at.whole())}.scan
	case model.Map:
		return mapScanner{t.Base(), at.patch, ss.element(t.Elem, at.anew())}.scan
	case model.Any:
		return scanAny(at.patch)
	case model.Custom:
		return scanCustom(t.Base())
	case model.Text:
		return scanOwnText(t.Base())
	case model.Key: // which no body has but as what is shown of it: see [scanners.field]
		return func(*decoding, address, int) int { return gaveUp }
	}
	return scanScalar(t)
}

// A struct with defaults begins with these in a list, too.
func (ss scanners) element(t *model.Type, at position) elementScanner {
	e := elementScanner{size: t.Go.Size(), value: ss.of(t, at), nested: isNested(t)}
	if o := ss.plans.structOf(t, at.view()); o != nil && !t.Nullable {
		e.blank = o.blank
	}
	return e
}

// isNested reports whether a value of the type may hold members of structs.
// Only for these the trail is kept up: a scalar cannot have anything to tell of below it.
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
	return func(d *decoding, at address, i int) int {
		text, end := d.quoted(i)
		if end == gaveUp || plan.isOddUUID(text) {
			return gaveUp
		}
		v := at.value(t)
		v.SetZero()
		if model.UnmarshalText(v, text) != nil {
			return gaveUp
		}
		return end
	}
}
