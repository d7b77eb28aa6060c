package codec

import (
	"reflect"

	"github.com/trove-api/trove/internal/model"
)

// Copier copies the values of one type. It is safe for use by many goroutines.
type Copier struct {
	goType reflect.Type // without the pointer
	deepen cloner
}

// CompileCopier makes the copier of a type; a nullable type has the copier of what it
// points to.
func CompileCopier(t *model.Type) *Copier {
	base := t.NotNull()
	return &Copier{base.Go, cloners{}.of(base)}
}

// New returns a pointer to a new value that has its defaults. It shares no memory with
// other new values.
func (c *Codec) New() any {
	made := reflect.New(c.goType)
	if c.typ.Kind == model.Object && c.blanks != nil {
		c.blanks[c.typ.Struct].begin(made.Elem())
	}
	return made.Interface()
}

// Clone returns a pointer to a deep copy of the value that value points to: what is
// behind its pointers, slices, maps and values of the type any is copied. Assigned, and
// so perhaps shared, are fields that are no JSON members, the insides of types that
// marshal themselves, and what an any holds besides []any and map[string]any.
func (c *Copier) Clone(value any) any {
	made := reflect.New(c.goType)
	made.Elem().Set(reflect.ValueOf(value).Elem())
	if c.deepen != nil {
		c.deepen(addressIn(made), 0)
	}
	return made.Interface()
}

// ResetClone returns a pointer to a copy of the stored record whose members that the view lets
// clients set, and see, have their defaults again. All others stay, those of nested structs
// too, members that are set at creation alone, and fields that are no JSON members. An identifier that clients choose is a
// member like any other: it is zero.
func (c *Decoder) ResetClone(stored any) any {
	made := c.codec.Clone(stored)
	if object := c.plan().object; object != nil {
		object.reset(reflect.ValueOf(made).Elem(), object.blank.value)
	}
	return made
}
