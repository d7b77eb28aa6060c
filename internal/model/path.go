package model

import (
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

// Path is a field of a struct, or one within the objects that it holds.
type Path struct {
	Name   string   // JSON names joined by dots: "address.city"
	Fields []*Field // from the struct's own field down to the one that is meant
}

// Leaf returns the field that is meant.
func (p Path) Leaf() *Field { return p.Fields[len(p.Fields)-1] }

// Nullable reports whether the field can be null, itself or an object that holds it.
func (p Path) Nullable() bool {
	return slices.ContainsFunc(p.Fields, func(f *Field) bool { return f.Type.Nullable })
}

// Value returns the field in v, which is the struct itself, without its pointer, and
// whether there is one: null has none.
func (p Path) Value(v reflect.Value) (reflect.Value, bool) {
	for _, f := range p.Fields {
		v = f.Value(v)
		if !f.Type.Nullable {
			continue
		}
		if v.IsNil() {
			return reflect.Value{}, false
		}
		v = v.Elem()
	}
	return v, true
}

// Path returns the field of that name, dots included, and whether there is one.
func (s *Struct) Path(name string) (Path, bool) {
	p := Path{Name: name}
	for step := range strings.SplitSeq(name, ".") {
		if s == nil {
			return Path{}, false
		}
		f := s.Field(step)
		if f == nil {
			return Path{}, false
		}
		p.Fields = append(p.Fields, f)
		s = f.Type.object()
	}
	return p, true
}

// Paths lists the readable fields of the struct and of the objects within it, in order.
// Objects in lists and maps are not within it, nor is one that holds itself.
// The caller only reads them.
func (s *Struct) Paths() []Path {
	// Made once for records, since parameters, stores and cursors all ask; the rest is rarely asked.
	if s.paths != nil {
		return s.paths
	}
	left := maxPaths
	return s.pathsFrom(Path{}, []*Struct{s}, &left)
}

// maxPaths is how many fields a record may have, those of the objects within it included. A few types that hold each
// other twice have millions: each level doubles them.
const maxPaths = 10_000

// pathsFrom lists the paths below a field. Left is how many there may still be; it is negative when there are more.
func (s *Struct) pathsFrom(above Path, open []*Struct, left *int) []Path {
	paths := make([]Path, 0, len(s.Fields))
	for _, f := range s.Fields {
		if !f.Readable() {
			continue
		}
		if *left--; *left < 0 {
			break
		}
		name := f.Name
		if above.Name != "" {
			name = above.Name + "." + name
		}
		p := Path{name, append(slices.Clip(above.Fields), f)}
		// An object itself too, not only what is in it: it can be null, or be chosen by fields.
		paths = append(paths, p)
		if inner := f.Type.object(); inner != nil && !slices.Contains(open, inner) {
			paths = append(paths, inner.pathsFrom(p, append(slices.Clip(open), inner), left)...)
		}
	}
	return paths
}

// object returns the struct of a type that is one, else nil.
func (t *Type) object() *Struct {
	if t.Kind != Object {
		return nil
	}
	return t.Struct
}

// Ordered reports whether values of the type have an order, in which a collection can be
// sorted.
// A type that marshals itself as text is ordered by that text, as it is all that stores know of it.
func (t *Type) Ordered() bool {
	switch t.Kind {
	case Bool, Int, Uint, Float, String, Time, Text, Key:
		return true
	}
	return false
}

// ListsKeys reports whether values of the type are lists of what identifiers can be of, so that
// records are found by one of their elements.
// Other lists cannot be asked by stores for one of their elements.
func (t *Type) ListsKeys() bool {
	return t.Kind == List && !t.Elem.Nullable && (isKeyKind(t.Elem.Kind) || t.Elem.Kind == Key) && !t.Elem.HasOrderKey()
}

// HasOrderKey reports whether values of the type are text in another order than that of its bytes.
func (t *Type) HasOrderKey() bool { return t.Kind == Text && has[store.Ordered](t.Base()) }
