package codec

import (
	"reflect"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/passwords"
)

// copier copies the values of one type. It is safe for concurrent use.
type copier struct {
	goType reflect.Type
	deepen walker
}

// newCopier returns the copier of a type that is not nullable.
func newCopier(t *model.Type) copier { return copier{t.Go, newWalkers(false).Of(t, struct{}{})} }

// Clone returns a pointer to a deep copy of the value that value points to. Fields that are not JSON fields, the
// insides of types that marshal themselves, and values in an any other than []any and map[string]any are only
// assigned, so the copies may share them.
func (c *copier) Clone(value any) any {
	made := reflect.New(c.goType)
	made.Elem().Set(reflect.ValueOf(value).Elem())
	c.deepen.copy(made.UnsafePointer())
	return made.Interface()
}

// walker turns a value that was copied by assignment into a deep copy, and normalizes it if it was made for that. It is
// nil for types with nothing to do. Beyond the maximum depth of JSON it stops, so that a value that contains itself
// ends. The error says what no store can keep, and continues a sentence that begins with the value.
type walker func(at address, depth int) error

// copy runs a walker that only copies, which cannot fail.
func (w walker) copy(at address) {
	if w != nil {
		_ = w(at, 0)
	}
}

// walkers makes the walkers of types.
type walkers struct {
	model.Fold[struct{}, walker]

	normalizes bool // they copy only what contains values to normalize
}

func newWalkers(normalizes bool) *walkers {
	ws := &walkers{normalizes: normalizes}
	ws.Scalar, ws.List, ws.Map, ws.Object, ws.Null = ws.scalar, ws.list, ws.mapping, ws.object, ws.null
	return ws
}

// scalar returns nil for kinds without references. A slice or map type with methods of its own is only assigned at
// its elements.
func (ws *walkers) scalar(t *model.Type, _ struct{}) walker {
	hasMethods := t.Kind == model.Text || t.Kind == model.Custom
	switch base := t.Base(); {
	case ws.normalizes:
		return normalizeScalar(t)
	case t.Kind == model.Any:
		return func(at address, depth int) error {
			value := (*any)(at)
			*value = copyAny(*value, depth)
			return nil
		}
	case t.Kind == model.Bytes, hasMethods && base.Kind() == reflect.Slice:
		return copyList(base)
	case hasMethods && base.Kind() == reflect.Map:
		return copyMap(base, nil)
	}
	return nil
}

// null handles pointers, which always get a new value: two records must not even share a number.
func (ws *walkers) null(t *model.Type, at struct{}) walker {
	base, inner := t.Base(), ws.Base(t, at)
	if inner == nil && ws.normalizes {
		return nil
	}
	return func(at address, depth int) error {
		pointer := (*address)(at)
		if *pointer == nil || depth >= maxDepth {
			return nil
		}
		made := reflect.New(base)
		made.Elem().Set(valueAt(*pointer, base))
		if *pointer = made.UnsafePointer(); inner == nil {
			return nil
		}
		return inner(*pointer, depth+1)
	}
}

// list handles slices and arrays. An array is copied with its record; only its elements may need work.
func (ws *walkers) list(t *model.Type, at struct{}) walker {
	element, size, isArray := ws.Of(t.Elem, at), t.Elem.Go.Size(), t.Kind == model.Array
	copied := copyList(t.Base())
	switch {
	case element == nil && (isArray || ws.normalizes):
		return nil
	case element == nil:
		return copied
	}
	return func(at address, depth int) error {
		first, count := at, t.Len
		if !isArray {
			if depth >= maxDepth {
				return nil
			}
			_ = copied(at, depth)
			first, count = elementsAt(at)
		}
		for i := range count {
			if err := element(plus(first, uintptr(i)*size), depth+1); err != nil {
				return err
			}
		}
		return nil
	}
}

// copyList gives a slice its own elements, copied by assignment. The capacity is not kept, so that append to one record's
// list cannot write into another's.
func copyList(t reflect.Type) walker {
	return func(at address, _ int) error {
		v := valueAt(at, t)
		if v.IsNil() {
			return nil
		}
		made := reflect.MakeSlice(t, v.Len(), v.Len())
		reflect.Copy(made, v)
		v.Set(made)
		return nil
	}
}

func (ws *walkers) mapping(t *model.Type, at struct{}) walker {
	value := ws.Of(t.Elem, at)
	if value == nil && ws.normalizes {
		return nil
	}
	return copyMap(t.Base(), value)
}

// copyMap creates a new map, because the old one belongs to another record.
func copyMap(t reflect.Type, value walker) walker {
	return func(at address, depth int) error {
		v := valueAt(at, t)
		if v.IsNil() || depth >= maxDepth {
			return nil
		}
		made := reflect.MakeMapWithSize(t, v.Len())
		key, copied := reflect.New(t.Key()).Elem(), reflect.New(t.Elem())
		for entry := v.MapRange(); entry.Next(); {
			key.SetIterKey(entry)
			copied.Elem().SetIterValue(entry)
			if value != nil {
				if err := value(copied.UnsafePointer(), depth+1); err != nil {
					return err
				}
			}
			made.SetMapIndex(key, copied.Elem())
		}
		v.Set(made)
		return nil
	}
}

// object handles structs. It is nil if no field needs work.
func (ws *walkers) object(t *model.Type, _ struct{}, known func(walker)) walker {
	var offsets []uintptr
	var members []walker
	all := func(at address, depth int) error {
		for i, member := range members {
			if err := member(plus(at, offsets[i]), depth); err != nil {
				return err
			}
		}
		return nil
	}
	known(all)
	for _, f := range t.Struct.Fields {
		if member := ws.field(f); member != nil {
			offsets, members = append(offsets, offsetOf(t.Struct.Go, f.Index)), append(members, member)
		}
	}
	if members == nil {
		return nil
	}
	return all
}

// field returns the walker of a field.
func (ws *walkers) field(f *model.Field) walker {
	plan := ws.Of(f.Type, struct{}{})
	if !ws.normalizes {
		return plan
	}
	fits := f.FitsIndex()
	switch {
	case f.Password: // clients cannot send what is not hashed
		return func(at address, _ int) error { return passwords.Check(*(*string)(at)) }
	case fits == nil:
		return plan
	}
	return func(at address, depth int) error {
		// The index is checked first: its error is one that the client can fix.
		if err := fits(valueAt(at, f.Type.Go)); err != nil || plan == nil {
			return err
		}
		return plan(at, depth)
	}
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
