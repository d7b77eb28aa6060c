package model

import "iter"

// Within yields the type and all types that it holds: elements, and those of the fields of structs,
// each struct once. What is asked of each of them by itself needs no [Fold].
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

// Fold makes a T of a type from those of the types that it holds: a plan that decodes its values, say, or
// its schema. Recursion is its part, and so are pointers, and structs that hold themselves; the caller gives
// it a case for each form of type. A walk that needs state of its own embeds it:
//
//	type writers struct {
//		model.Fold[struct{}, writer]
//	}
//
//	func newWriters() *writers {
//		ws := &writers{}
//		ws.Scalar, ws.Object, ws.List, ws.Null = ws.scalar, ws.object, ws.list, ws.null
//		return ws
//	}
//
//	func (ws *writers) list(t *model.Type, at struct{}) writer {
//		element := ws.Of(t.Elem, at)
//		return func(…) { … }
//	}
//
//	func (ws *writers) object(t *model.Type, at struct{}, known func(writer)) writer {
//		o := &objectWriter{}
//		known(o.write) // a field below may be of the same struct
//		for _, f := range t.Struct.Fields {
//			o.members = append(o.members, ws.Of(f.Type, at))
//		}
//		return o.write
//	}
//
// At is what a T depends on in addition to the type, such as the view of the struct that the type is or
// holds. The zero value makes the zero T of every type. A Fold is for one goroutine.
type Fold[At, T any] struct {
	// Scalar is the case of every kind but Object, List, Array and Map: a table of kinds, or predicates
	// of [Kind]. Nil stands for the zero T.
	Scalar func(t *Type, at At) T
	// List is the case of lists and arrays. Nil stands for the T of the element.
	List func(t *Type, at At) T
	// Map is the case of maps. Nil stands for List.
	Map func(t *Type, at At) T
	// Object is the case of structs. It is called once for each struct, and calls known with the T that the
	// struct itself is to have within it. Nil stands for the zero T.
	Object func(t *Type, at At, known func(T)) T
	// Null is the case of pointers, which calls Base for what the pointer is to. Nil stands for Base.
	Null func(t *Type, at At) T
	// Key returns what tells two plans of one struct apart. Nil stands for the struct alone.
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
