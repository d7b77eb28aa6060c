package untyped

import (
	"reflect"
	"slices"

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
		s = within(s)
	}
	return found, false
}

// within returns the store that another one wraps, or nil.
func within(s any) any {
	if wrapper, ok := s.(store.Wrapper); ok {
		return wrapper.Unwrap()
	}
	v := reflect.Indirect(reflect.ValueOf(s))
	if v.Kind() != reflect.Struct || !embedsInterface(v.Type(), nil) {
		return nil
	}
	for _, f := range reflect.VisibleFields(v.Type()) {
		if _, isStore := f.Type.MethodByName("Transact"); !isStore || !f.Anonymous || !f.IsExported() || f.Type.Kind() != reflect.Interface {
			continue
		}
		if embedded, err := v.FieldByIndexErr(f.Index); err == nil {
			return embedded.Interface()
		}
	}
	return nil
}

// embedsInterface reports whether a struct, or one that it embeds, embeds an interface. Most stores do not, and listing
// all their fields by reflection takes longer than compiling a resource's filters.
func embedsInterface(t reflect.Type, above []reflect.Type) bool {
	if slices.Contains(above, t) {
		return false
	}
	for f := range t.Fields() {
		if !f.Anonymous {
			continue
		}
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Interface || inner.Kind() == reflect.Struct && embedsInterface(inner, append(above, t)) {
			return true
		}
	}
	return false
}
