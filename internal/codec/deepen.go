package codec

import (
	"reflect"

	"github.com/trove-api/trove/internal/model"
)

// cloner makes a deep copy of a value that was copied by assignment: it replaces what
// the value at the address refers to by copies. It is nil for types that refer to nothing.
// Deeper than JSON can be, it leaves references alone, so that a value which contains
// itself ends.
type cloner func(at address, depth int)

// run runs the cloner, if there is one, on a value that can be set.
func (d cloner) run(v reflect.Value) {
	if d != nil {
		d(addressIn(v.Addr()), 0)
	}
}

// next runs the cloner, if there is one, one level further down.
func (d cloner) next(at address, depth int) {
	if d != nil {
		d(at, depth+1)
	}
}

// cloners holds the cloners of structs, so that recursive types end.
type cloners map[*model.Struct]*objectDeepener

// of returns the cloner of a type.
// A pointer gets a new value even where nothing is below it: two records must not share a number
// either.
func (ds cloners) of(t *model.Type) cloner {
	inner := ds.base(t)
	if !t.Nullable {
		return inner
	}
	shallow := shallowCopier(t)
	return func(at address, depth int) {
		pointer := as[address](at)
		if pointer.isNil() || depth >= maxDepth {
			return
		}
		*pointer = shallow(*pointer)
		inner.next(*pointer, depth)
	}
}

// base returns the cloner of a type but for its pointer.
// Kinds without an entry refer to nothing: to assign them is a copy.
func (ds cloners) base(t *model.Type) cloner {
	switch t.Kind {
	case model.Object:
		return ds.object(t.Struct)
	case model.List:
		return deepenSlice(shallowListOf(t), t.Elem.Go.Size(), ds.of(t.Elem))
	case model.Array:
		return deepenArray(t, ds.of(t.Elem))
	case model.Map:
		return deepenMap(t.Base(), ds.of(t.Elem))
	case model.Any:
		return deepenAny
	case model.Bytes:
		return shallowList[byte]
	case model.Text, model.Custom:
		return deepenOwn(t.Base())
	}
	return nil
}

// deepenOwn returns the cloner of a type with methods of its own: of a slice or map,
// what it holds is assigned.
func deepenOwn(t reflect.Type) cloner {
	switch t.Kind() {
	case reflect.Slice:
		return shallowAnyList(t)
	case reflect.Map:
		return deepenMap(t, nil)
	}
	return nil
}

// deepenSlice returns the cloner of a slice, which shallow copies by assignment.
func deepenSlice(shallow cloner, size uintptr, element cloner) cloner {
	if element == nil {
		return shallow
	}
	return func(at address, depth int) {
		if depth >= maxDepth {
			return
		}
		shallow(at, depth)
		first, count := at.elements()
		for i := range count {
			element(first.plus(uintptr(i)*size), depth+1)
		}
	}
}

// An array is a part of the record, and copied with it; only what its elements refer to is left to
// do.
func deepenArray(t *model.Type, element cloner) cloner {
	if element == nil {
		return nil
	}
	count, size := t.Len, t.Elem.Go.Size()
	return func(at address, depth int) {
		for i := range count {
			element(at.plus(uintptr(i)*size), depth+1)
		}
	}
}

// A new map rather than new entries in the old one, which belongs to another record.
func deepenMap(t reflect.Type, value cloner) cloner {
	return func(at address, depth int) {
		v := at.value(t)
		if v.IsNil() || depth >= maxDepth {
			return
		}
		made := reflect.MakeMapWithSize(t, v.Len())
		key, copied := reflect.New(t.Key()).Elem(), reflect.New(t.Elem())
		for entry := v.MapRange(); entry.Next(); {
			key.SetIterKey(entry)
			copied.Elem().SetIterValue(entry)
			value.next(addressIn(copied), depth)
			made.SetMapIndex(key, copied.Elem())
		}
		v.Set(made)
	}
}

// objectDeepener deepens the members of a struct that refer to something.
type objectDeepener struct {
	offsets []uintptr
	deepen  []cloner
}

// object returns the cloner of a struct, nil where no member refers to anything.
func (ds cloners) object(s *model.Struct) cloner {
	o, met := ds[s]
	if !met {
		o = &objectDeepener{}
		ds[s] = o
		for _, f := range s.Fields {
			if deepen := ds.of(f.Type); deepen != nil {
				o.offsets, o.deepen = append(o.offsets, offsetOf(s.Go, f.Index)), append(o.deepen, deepen)
			}
		}
		if o.deepen == nil {
			ds[s] = nil
		}
	}
	if ds[s] == nil {
		return nil
	}
	return o.run
}

func (o *objectDeepener) run(at address, depth int) {
	for i, deepen := range o.deepen {
		deepen(at.plus(o.offsets[i]), depth)
	}
}
