package codec

import (
	"reflect"

	"github.com/trove-api/trove/internal/model"
)

// copier copies the values of one type. It is safe for concurrent use.
type copier struct {
	goType reflect.Type
	deepen cloner
}

// newCopier returns the copier of a type that is not nullable.
func newCopier(t *model.Type) copier { return copier{t.Go, newCloners().Of(t, struct{}{})} }

// Clone returns a pointer to a deep copy of the value that value points to. Fields that are not JSON fields, the
// insides of types that marshal themselves, and values in an any other than []any and map[string]any are only
// assigned, so the copies may share them.
func (c *copier) Clone(value any) any {
	made := reflect.New(c.goType)
	made.Elem().Set(reflect.ValueOf(value).Elem())
	if c.deepen != nil {
		c.deepen(made.UnsafePointer(), 0)
	}
	return made.Interface()
}

// cloner turns a value that was copied by assignment into a deep copy. It is nil for types without references.
// Beyond the maximum depth of JSON it stops, so that a value that contains itself ends.
type cloner func(at address, depth int)

// cloners makes the cloners of types.
type cloners struct {
	model.Fold[struct{}, cloner]
}

func newCloners() *cloners {
	cs := &cloners{}
	cs.Scalar, cs.List, cs.Map, cs.Object, cs.Null = cs.scalar, cs.list, cs.mapping, cs.object, cs.null
	return cs
}

// scalar returns nil for kinds without references. A slice or map type with methods of its own is only assigned at
// its elements.
func (cs *cloners) scalar(t *model.Type, _ struct{}) cloner {
	hasMethods := t.Kind == model.Text || t.Kind == model.Custom
	switch base := t.Base(); {
	case t.Kind == model.Any:
		return func(at address, depth int) {
			value := (*any)(at)
			*value = copyAny(*value, depth)
		}
	case t.Kind == model.Bytes, hasMethods && base.Kind() == reflect.Slice:
		return copyList(base)
	case hasMethods && base.Kind() == reflect.Map:
		return copyMap(base, nil)
	}
	return nil
}

// null handles pointers, which always get a new value: two records must not even share a number.
func (cs *cloners) null(t *model.Type, at struct{}) cloner {
	base, inner := t.Base(), cs.Base(t, at)
	return func(at address, depth int) {
		pointer := (*address)(at)
		if *pointer == nil || depth >= maxDepth {
			return
		}
		made := reflect.New(base)
		made.Elem().Set(valueAt(*pointer, base))
		if *pointer = made.UnsafePointer(); inner != nil {
			inner(*pointer, depth+1)
		}
	}
}

// list handles slices and arrays. An array is copied with its record; only its elements may need work.
func (cs *cloners) list(t *model.Type, at struct{}) cloner {
	element, size, isArray := cs.Of(t.Elem, at), t.Elem.Go.Size(), t.Kind == model.Array
	if isArray && element == nil {
		return nil
	}
	copied := copyList(t.Base())
	if element == nil {
		return copied
	}
	return func(at address, depth int) {
		first, count := at, t.Len
		if !isArray {
			if depth >= maxDepth {
				return
			}
			copied(at, depth)
			first, count = elementsAt(at)
		}
		for i := range count {
			element(plus(first, uintptr(i)*size), depth+1)
		}
	}
}

// copyList gives a slice its own elements, copied by assignment. The capacity is not kept, so that append to one record's
// list cannot write into another's.
func copyList(t reflect.Type) cloner {
	return func(at address, _ int) {
		v := valueAt(at, t)
		if v.IsNil() {
			return
		}
		made := reflect.MakeSlice(t, v.Len(), v.Len())
		reflect.Copy(made, v)
		v.Set(made)
	}
}

func (cs *cloners) mapping(t *model.Type, at struct{}) cloner {
	return copyMap(t.Base(), cs.Of(t.Elem, at))
}

// copyMap creates a new map, because the old one belongs to another record.
func copyMap(t reflect.Type, value cloner) cloner {
	return func(at address, depth int) {
		v := valueAt(at, t)
		if v.IsNil() || depth >= maxDepth {
			return
		}
		made := reflect.MakeMapWithSize(t, v.Len())
		key, copied := reflect.New(t.Key()).Elem(), reflect.New(t.Elem())
		for entry := v.MapRange(); entry.Next(); {
			key.SetIterKey(entry)
			copied.Elem().SetIterValue(entry)
			if value != nil {
				value(copied.UnsafePointer(), depth+1)
			}
			made.SetMapIndex(key, copied.Elem())
		}
		v.Set(made)
	}
}

// object handles structs. It is nil if no field has references.
func (cs *cloners) object(t *model.Type, at struct{}, known func(cloner)) cloner {
	var offsets []uintptr
	var members []cloner
	all := func(at address, depth int) {
		for i, member := range members {
			member(plus(at, offsets[i]), depth)
		}
	}
	known(all)
	for _, f := range t.Struct.Fields {
		if member := cs.Of(f.Type, at); member != nil {
			offsets, members = append(offsets, offsetOf(t.Struct.Go, f.Index)), append(members, member)
		}
	}
	if members == nil {
		return nil
	}
	return all
}

// copyAny copies the objects and arrays in a value of type any, because hooks may change them. Nil stays nil, so
// that hooks can distinguish null from an empty object. The depth is limited, because a value may contain itself.
func copyAny(value any, depth int) any {
	switch value := value.(type) {
	case map[string]any:
		if value == nil || depth >= maxDepth {
			return value
		}
		made := make(map[string]any, len(value))
		for name, member := range value {
			made[name] = copyAny(member, depth+1)
		}
		return made
	case []any:
		if value == nil || depth >= maxDepth {
			return value
		}
		made := make([]any, len(value))
		for i, element := range value {
			made[i] = copyAny(element, depth+1)
		}
		return made
	}
	return value
}
