package check

import (
	"reflect"

	"github.com/trove-api/trove/internal/model"
)

// Validator writes the whole path of each value that it looks at below a map. A client who
// gives an entry a long name and puts much below it would have that name multiplied, so that
// such a value is refused instead of handed to it.
const (
	// lightPath is how long a path may be whatever is below it.
	lightPath = 256
	// maxWeight is how many bytes the paths of a field may have beyond that.
	maxWeight = 16 << 20
)

// heavy finds the fields with paths that are too long for validator.
func (k *Checker) heavy(record reflect.Value) []finding {
	var found []finding
	for i := range k.plan.members {
		m := &k.plan.members[i]
		if !m.byValidator || !m.maps {
			continue
		}
		var w weight
		if w.add(m.field.Type, m.of(record), 0); w > maxWeight {
			at := search{declaration{owner: k.root, field: m.field, typ: m.field.Type, rules: m.field.Rules, readOnly: m.field.ReadOnly}, nil}
			at.segments = []model.Segment{{Kind: model.ToMember, Field: m.field}}
			found = append(found, finding{search: at})
		}
	}
	return found
}

// weight is how many bytes the paths in a value have beyond what is light. It is added up as
// long as it is within bounds.
// It never grows far beyond the bound, so that finding out is cheap however large the body is.
type weight int

// add adds the paths in a value, whose own has so many bytes.
func (w *weight) add(t *model.Type, v reflect.Value, path int) {
	*w += weight(max(0, path-lightPath))
	if *w > maxWeight || t.Nullable && v.IsNil() {
		return
	}
	if t.Nullable {
		v = v.Elem()
	}
	switch t.Kind {
	case model.Object:
		for _, f := range t.Struct.Fields {
			w.add(f.Type, f.Value(v), path+len(f.GoPath))
		}
	case model.List, model.Array:
		for i := range v.Len() {
			w.add(t.Elem, v.Index(i), path)
		}
	case model.Map:
		for entry := v.MapRange(); entry.Next(); {
			w.add(t.Elem, entry.Value(), path+entry.Key().Len())
		}
	}
}

// holdsMaps reports whether there are maps in values of a type.
func holdsMaps(t *model.Type, met map[*model.Struct]bool) bool {
	for ; t != nil; t = t.Elem {
		if t.Kind == model.Map {
			return true
		}
		if t.Struct == nil || met[t.Struct] {
			continue
		}
		met[t.Struct] = true
		for _, f := range t.Struct.Fields {
			if holdsMaps(f.Type, met) {
				return true
			}
		}
	}
	return false
}
