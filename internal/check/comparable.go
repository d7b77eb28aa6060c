package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
)

// unique inspects the rule of that name: it compares elements, or one field of them,
// and validator panics at a request where it cannot.
// It stands apart from other rules because it depends on the type of elements, not of the value.
func (in *inspection) unique(c model.Constraint, t *model.Type) {
	compared := t.Elem
	if c.Param != "" {
		field, options := fieldOfElement(t.Elem, c.Param)
		if field == nil {
			in.fail("validate tag has the rule %q with the unknown field %q; allowed: %s%s",
				c.Name, c.Param, strings.Join(options, ", "), naming.DidYouMean(c.Param, options))
			return
		}
		compared = field.Type
	}
	if !isComparable(compared) {
		in.fail("validate tag has the rule %q, which cannot compare values of %s; allowed: those of scalars, or unique=Field with a field that is one",
			c.Name, compared.Go)
	}
}

// fieldOfElement returns the field of a list's elements with that Go name, and the names
// of all that there are.
// By Go's name, as validator's parameter has it; its author writes a tag, not JSON.
func fieldOfElement(element *model.Type, name string) (found *model.Field, options []string) {
	if element.Kind != model.Object {
		return nil, nil
	}
	for _, f := range element.Struct.Fields {
		options = append(options, f.GoPath)
		if f.GoPath == name {
			found = f
		}
	}
	return found, options
}

// isComparable reports whether validator can compare values of a type with one another: it
// puts them into a map.
// Found when the API is made, since at a request validator would panic in a map of unhashable keys.
func isComparable(t *model.Type) bool {
	switch t.Kind {
	case model.Bool, model.Int, model.Uint, model.Float, model.String, model.Time:
		return true
	case model.Text:
		return t.Base().Comparable()
	case model.Object:
		return t.Base().Comparable() && !slices.ContainsFunc(t.Struct.Fields, func(f *model.Field) bool {
			return f.Type.Nullable || !isComparable(f.Type) // pointers would compare by address
		})
	}
	return false
}

// pairs inspects a parameter of fields and values in turn.
// All that can be read of a parameter when the API is made is read here.
func (in *inspection) pairs(c model.Constraint) {
	switch c.Name {
	case "required_if", "required_unless", "excluded_if", "excluded_unless":
	default:
		return
	}
	// Validator reads them in the same way and panics at an odd number; it compares lists by length.
	words := Words(c.Param)
	if len(words)%2 != 0 {
		in.fail("validate tag has the rule %q with %q; it names fields and values in turn, such as %s=Kind box", c.Name, c.Param, c.Name)
		return
	}
	for i := 0; i < len(words); i += 2 {
		for _, f := range in.owner.Fields {
			if f.GoPath == beside(in.field, c, words[i]) && !isValueOf(words[i+1], f.Type) {
				in.fail("validate tag has the rule %q with the value %q for the field %q, which is %s", c.Name, words[i+1], words[i], f.Type.Go)
			}
		}
	}
}

// isValueOf reports whether validator can read a word as a value to compare a field
// with; it compares lists and maps by their length.
func isValueOf(word string, t *model.Type) bool {
	var err error
	switch t.Kind {
	case model.Int, model.List, model.Array, model.Map, model.Bytes:
		_, err = strconv.ParseInt(word, 0, 64)
	case model.Uint:
		_, err = strconv.ParseUint(word, 0, 64)
	case model.Float:
		_, err = strconv.ParseFloat(word, 64)
	case model.Bool:
		_, err = strconv.ParseBool(word)
	}
	return err == nil
}
