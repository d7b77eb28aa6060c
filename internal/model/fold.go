package model

import "iter"

// Within yields the type and all types nested in it: elements and the fields of structs, each struct once. Use it for
// checks that need no [Fold].
func (t *Type) Within() iter.Seq[*Type] {
	return func(yield func(*Type) bool) { t.within(map[*Struct]bool{}, yield) }
}

func (t *Type) within(met map[*Struct]bool, yield func(*Type) bool) bool {
	if !yield(t) {
		return false
	}
	switch {
	case t.Elem != nil:
		return t.Elem.within(met, yield)
	case t.Struct == nil || met[t.Struct]:
		return true
	}
	met[t.Struct] = true
	for _, f := range t.Struct.Fields {
		if !f.Type.within(met, yield) {
			return false
		}
	}
	return true
}

// Fold computes a T for a type from those of its nested types: a decoder, for example, or a schema. It handles
// recursion, pointers and structs that contain themselves. The caller supplies a case for each form of type. A walk
// with state of its own embeds it, as the walkers of package codec do.
//
// At is additional input, such as the view of the struct that the type is or contains. The zero value returns the zero
// T for every type. A Fold is not safe for concurrent use.
type Fold[At, T any] struct {
	// Scalar handles every kind except Object, List, Array and Map. Nil returns the zero T.
	Scalar func(t *Type, at At) T
	// List handles slices and arrays. Nil returns the T of the element.
	List func(t *Type, at At) T
	// Map handles maps. Nil uses List.
	Map func(t *Type, at At) T
	// Object handles structs, each once. It calls known with the T of the struct before it looks at nested types. Nil
	// returns the zero T.
	Object func(t *Type, at At, known func(T)) T
	// Null handles pointers and calls Base for the type that they point to. Nil uses Base.
	Null func(t *Type, at At) T
	// Key returns what distinguishes two results for one struct. Nil uses the struct alone.
	Key func(t *Type, at At) any

	known map[any]T
}

// Of returns the T of a type.
func (f *Fold[At, T]) Of(t *Type, at At) T {
	if t.Nullable && f.Null != nil {
		return f.Null(t, at)
	}
	return f.Base(t, at)
}

// Base returns the T of a type without its pointer.
func (f *Fold[At, T]) Base(t *Type, at At) (made T) {
	switch {
	case t.Struct != nil && f.Object != nil:
		return f.object(t, at)
	case t.Elem != nil && t.Kind == Map && f.Map != nil:
		return f.Map(t, at)
	case t.Elem != nil && f.List != nil:
		return f.List(t, at)
	case t.Elem != nil:
		return f.Of(t.Elem, at)
	case t.Struct == nil && f.Scalar != nil:
		return f.Scalar(t, at)
	}
	return made
}

func (f *Fold[At, T]) object(t *Type, at At) T {
	var key any = t.Struct
	if f.Key != nil {
		key = f.Key(t, at)
	}
	made, met := f.known[key]
	if !met {
		if f.known == nil {
			f.known = map[any]T{}
		}
		made = f.Object(t, at, func(of T) { f.known[key] = of })
		f.known[key] = made
	}
	return made
}
