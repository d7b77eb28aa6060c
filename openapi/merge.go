package openapi

import (
	"reflect"

	"github.com/getkin/kin-openapi/openapi3"
)

// merge adds the keywords of one schema to another. Of two bounds the tighter one stays;
// other keywords that both have with different values are kept apart by allOf.
func merge(into, from *openapi3.Schema) {
	target, source := reflect.ValueOf(into).Elem(), reflect.ValueOf(from).Elem()
	rest := &openapi3.Schema{}
	for i := range source.NumField() {
		have, add := target.Field(i), source.Field(i)
		if add.IsZero() {
			continue
		}
		switch name := source.Type().Field(i).Name; {
		case reflect.DeepEqual(have.Interface(), add.Interface()):
		case have.IsZero() || name == "Format" && isWidth(into.Format) || isTighter(name, have, add):
			have.Set(add)
		case !isTighter(name, add, have):
			reflect.ValueOf(rest).Elem().Field(i).Set(add)
		}
	}
	if !isZero(rest) {
		into.AllOf = append(into.AllOf, openapi3.NewSchemaRef("", rest))
	}
}

// isTighter reports whether a bound is tighter than another. A keyword that is no bound
// never is.
func isTighter(name string, have, add reflect.Value) bool {
	switch name {
	case "MinLength", "MinItems", "MinProps":
		return add.Uint() > have.Uint()
	case "MaxLength", "MaxItems", "MaxProps":
		return add.Elem().Uint() < have.Elem().Uint()
	case "Min":
		return add.Elem().Float() > have.Elem().Float()
	case "Max":
		return add.Elem().Float() < have.Elem().Float()
	}
	return false
}

// isWidth reports whether a format is only about the size of a number.
func isWidth(format string) bool {
	switch format {
	case "int32", "int64", "uint64", "float", "double":
		return true
	}
	return false
}

func isZero(schema *openapi3.Schema) bool {
	return schema == nil || reflect.ValueOf(schema).Elem().IsZero()
}
