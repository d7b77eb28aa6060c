package encode

import (
	"reflect"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// keyword is a field of kin-openapi's schemas.
type keyword struct {
	field int
	name  string
}

// keywords lists the fields of kin-openapi's schemas that are keywords.
func keywords() []keyword {
	var list []keyword
	of := reflect.TypeFor[openapi3.Schema]()
	for i := range of.NumField() {
		if name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ","); name != "-" {
			list = append(list, keyword{i, name})
		}
	}
	return list
}

// schema writes a schema, or the reference to one. It says what MarshalYAML does, which
// makes room for every keyword that there is, at every schema.
func (w *writer) schema(ref *openapi3.SchemaRef, at location) error {
	if ref == nil || ref.Ref == "" && ref.Value == nil {
		return w.value(nil, at)
	}
	if ref.Ref != "" || ref.Value.Always != nil {
		return w.part(ref, at)
	}
	said := make([]entry, 0, 8)
	schema := reflect.ValueOf(ref.Value).Elem()
	for _, k := range w.keywords {
		if value := schema.Field(k.field); says(value) {
			said = append(said, entry{k.name, value.Interface()})
		}
	}
	for name, value := range ref.Value.Extensions {
		said = append(said, entry{name, value})
	}
	return w.object(said, at)
}

// says reports whether a keyword is in a schema.
func says(value reflect.Value) bool {
	switch value.Kind() {
	case reflect.Slice, reflect.Map:
		return value.Len() > 0
	case reflect.Pointer:
		if types, ok := reflect.TypeAssert[*openapi3.Types](value); ok {
			return !types.IsEmpty()
		}
	}
	return !value.IsZero()
}
