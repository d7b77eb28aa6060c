package model

import (
	"iter"
	"reflect"
)

// Kind is how a Go type is written as JSON.
type Kind int

// The kinds of types that can be encoded. All others are errors of Compile.
const (
	Bool   Kind = iota + 1
	Int         // a signed integer of Bits bits
	Uint        // an unsigned integer of Bits bits
	Float       // a number of Bits bits
	String      // text
	Bytes       // []byte: base64 text
	Time        // time.Time: RFC 3339 text
	Text        // a type that marshals itself as text
	Key         // a struct that is the identifier of another record, of several fields: one text
	Custom      // a type that marshals itself as JSON, and raw JSON values
	Any         // any: any JSON value
	Object      // a struct
	List        // a slice
	Array       // an array of Len elements
	Map         // a map with strings for keys
)

// IsInteger reports whether values of the kind are integers.
func (k Kind) IsInteger() bool { return k == Int || k == Uint }

// IsNumber reports whether values of the kind are numbers.
func (k Kind) IsNumber() bool { return k.IsInteger() || k == Float }

// IsText reports whether JSON writes all values of the kind as strings.
func (k Kind) IsText() bool { return String <= k && k <= Key }

// IsList reports whether JSON writes all values of the kind as arrays.
func (k Kind) IsList() bool { return k == List || k == Array }

// Type is a compiled type of a field, an element, a body or an answer.
type Type struct {
	Go       reflect.Type // as declared, the pointer included
	Kind     Kind
	Nullable bool     // declared as a pointer: null is a value
	Bits     int      // Int, Uint, Float; see SignedBits
	Len      int      // Array
	Elem     *Type    // List, Array, Map; nil for all others
	Struct   *Struct  // Object, which recursive types share; nil for all others
	Parts    []*Field // Key: the fields of the struct
}

// SignedBits are the bits of unsigned integers of 64 bits in records: databases have columns
// for those that are signed integers, too.
const SignedBits = 63

// Base returns the declared type without its pointer.
func (t *Type) Base() reflect.Type {
	if t.Nullable {
		return t.Go.Elem()
	}
	return t.Go
}

// NotNull returns the type without its pointer.
func (t *Type) NotNull() *Type {
	base := *t
	base.Go, base.Nullable = t.Base(), false
	return &base
}

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
