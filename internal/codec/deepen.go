package codec

import (
	"reflect"

	"github.com/trove-api/trove/internal/model"
)

// deepener makes a deep copy of a value that was copied by assignment: it replaces what
// the value refers to by copies. It is nil for types that refer to nothing. Deeper than
// JSON can be, it leaves references alone, so that a value which contains itself ends.
type deepener func(v reflect.Value, depth int)

func (d deepener) run(v reflect.Value) {
	if d != nil {
		d(v, 0)
	}
}

// deepeners holds the deepeners of structs, so that recursive types end.
type deepeners map[*model.Struct]*objectDeepener

// of returns the deepener of a type.
func (ds deepeners) of(t *model.Type) deepener {
	inner := ds.base(t)
	if !t.Nullable {
		return inner
	}
	return func(v reflect.Value, depth int) {
		if v.IsNil() || depth >= maxDepth {
			return
		}
		made := reflect.New(v.Type().Elem())
		made.Elem().Set(v.Elem())
		inner.next(made.Elem(), depth)
		v.Set(made)
	}
}

// next runs the deepener, if there is one, one level further down.
func (d deepener) next(v reflect.Value, depth int) {
	if d != nil {
		d(v, depth+1)
	}
}

// base returns the deepener of a type but for its pointer.
func (ds deepeners) base(t *model.Type) deepener {
	switch t.Kind {
	case model.Object:
		return ds.object(t.Struct)
	case model.List:
		return deepenSlice(ds.of(t.Elem))
	case model.Array:
		return deepenArray(ds.of(t.Elem))
	case model.Map:
		return deepenMap(ds.of(t.Elem))
	case model.Any:
		return deepenAny
	case model.Bytes, model.Text, model.Custom:
		return deepenOwn(t.Base())
	}
	return nil
}

// deepenOwn returns the deepener of a type with methods of its own: of a slice or map,
// what it holds is assigned.
func deepenOwn(t reflect.Type) deepener {
	switch t.Kind() {
	case reflect.Slice:
		return deepenSlice(nil)
	case reflect.Map:
		return deepenMap(nil)
	}
	return nil
}

func deepenSlice(element deepener) deepener {
	return func(v reflect.Value, depth int) {
		if v.IsNil() || depth >= maxDepth {
			return
		}
		made := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(made, v)
		if element != nil {
			for i := range made.Len() {
				element(made.Index(i), depth+1)
			}
		}
		v.Set(made)
	}
}

func deepenArray(element deepener) deepener {
	if element == nil {
		return nil
	}
	return func(v reflect.Value, depth int) {
		for i := range v.Len() {
			element(v.Index(i), depth+1)
		}
	}
}

func deepenMap(value deepener) deepener {
	return func(v reflect.Value, depth int) {
		if v.IsNil() || depth >= maxDepth {
			return
		}
		made := reflect.MakeMapWithSize(v.Type(), v.Len())
		for entry := v.MapRange(); entry.Next(); {
			at := reflect.New(v.Type().Elem()).Elem()
			at.Set(entry.Value())
			value.next(at, depth)
			made.SetMapIndex(entry.Key(), at)
		}
		v.Set(made)
	}
}

// objectDeepener deepens the members of a struct that refer to something.
type objectDeepener struct {
	fields []*model.Field
	deepen []deepener
}

// object returns the deepener of a struct, nil where no member refers to anything.
func (ds deepeners) object(s *model.Struct) deepener {
	o, met := ds[s]
	if !met {
		o = &objectDeepener{}
		ds[s] = o
		for _, f := range s.Fields {
			if deepen := ds.of(f.Type); deepen != nil {
				o.fields, o.deepen = append(o.fields, f), append(o.deepen, deepen)
			}
		}
		if o.fields == nil {
			ds[s] = nil
		}
	}
	if ds[s] == nil {
		return nil
	}
	return o.run
}

func (o *objectDeepener) run(v reflect.Value, depth int) {
	for i, f := range o.fields {
		o.deepen[i](f.Value(v), depth)
	}
}

// deepenAny copies the objects and arrays that a value of the type any holds.
func deepenAny(v reflect.Value, depth int) {
	if !v.IsNil() {
		v.Set(reflect.ValueOf(copyAny(v.Interface(), depth)))
	}
}

func copyAny(value any, depth int) any {
	if depth >= maxDepth {
		return value
	}
	switch value := value.(type) {
	case map[string]any:
		return copyObject(value, depth)
	case []any:
		return copyArray(value, depth)
	}
	return value
}

func copyObject(object map[string]any, depth int) map[string]any {
	if object == nil {
		return nil
	}
	made := make(map[string]any, len(object))
	for name, member := range object {
		made[name] = copyAny(member, depth+1)
	}
	return made
}

func copyArray(array []any, depth int) []any {
	if array == nil {
		return nil
	}
	made := make([]any, len(array))
	for i, element := range array {
		made[i] = copyAny(element, depth+1)
	}
	return made
}
