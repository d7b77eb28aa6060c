package untyped

import (
	"reflect"

	"github.com/trove-api/trove/store"
)

// deepest limits the number of nested wrappers, because a wrapper could unwrap to itself.
const deepest = 100

// As returns s if it implements I, such as store.Checker, or else the first inner store that does, and reports whether
// there is one. An inner store is the result of store.Wrapper, or the store.Store that s embeds.
func As[I any](s any) (found I, ok bool) {
	for range deepest {
		if found, ok = s.(I); ok || s == nil {
			return found, ok
		}
		if wrapper, ok := s.(store.Wrapper); ok {
			s = wrapper.Unwrap()
		} else {
			s = embedded(reflect.Indirect(reflect.ValueOf(s)), deepest)
		}
	}
	return found, false
}

// embedded returns the store that a struct, or one that it embeds, embeds as an interface; or nil. Depth is how many
// structs to look into, because a pointer could lead back.
func embedded(v reflect.Value, depth int) any {
	if v.Kind() != reflect.Struct || depth == 0 {
		return nil
	}
	for f := range v.Type().Fields() {
		if !f.Anonymous {
			continue
		}
		_, isStore := f.Type.MethodByName("Transact")
		switch inner := v.FieldByIndex(f.Index); {
		case f.Type.Kind() != reflect.Interface:
			if found := embedded(reflect.Indirect(inner), depth-1); found != nil {
				return found
			}
		case isStore && f.IsExported():
			return inner.Interface()
		}
	}
	return nil
}
