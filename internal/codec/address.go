package codec

import (
	"reflect"
	"unsafe"
)

// address is where a value stands whose type the plan knows. Plans that take addresses
// cost a third of plans that take a [reflect.Value]. This file is the only one that
// imports unsafe; what it does is sound because
//
//   - an address is a pointer for the garbage collector as well, never a number: it keeps
//     the whole value alive that it points into;
//   - it begins with a pointer from package reflect, and is led on only by offsets that
//     reflect has of the type at it: of fields, embedded structs without a pointer in
//     between, and of elements within the length of their list;
//   - a plan reads it as the type that it was made for, or as one of the same memory
//     layout: a named type as that which it is made of, and the header of any slice as that
//     of any other. [reflect.NewAt] gives back what is not read so.
type address struct{ pointer unsafe.Pointer }

// addressIn returns the address that a pointer holds.
func addressIn(pointer reflect.Value) address { return address{pointer.UnsafePointer()} }

// addressOf returns the address that a pointer holds.
func addressOf[T any](pointer *T) address { return address{unsafe.Pointer(pointer)} } //nolint:gosec // see address

// as reads an address as a pointer to a T, or to a type of the same memory layout.
func as[T any](a address) *T { return (*T)(a.pointer) }

// value returns what stands at the address, which can be set.
func (a address) value(t reflect.Type) reflect.Value { return reflect.NewAt(t, a.pointer).Elem() }

// isNil reports whether a pointer held no address.
func (a address) isNil() bool { return a.pointer == nil }

// target returns what the pointer at the address points to.
func (a address) target() address { return *(*address)(a.pointer) }

// plus returns the address so many bytes further in the same value.
func (a address) plus(offset uintptr) address {
	return address{unsafe.Add(a.pointer, offset)}
}

// elements returns the address of the first element of the slice at the address, and how
// many there are.
func (a address) elements() (first address, count int) {
	header := *as[[]struct{}](a)
	return address{unsafe.Pointer(unsafe.SliceData(header))}, len(header) //nolint:gosec // see address
}

// offsetOf returns where a field begins in a struct, by the field's index.
func offsetOf(t reflect.Type, index []int) uintptr {
	var offset uintptr
	for _, i := range index {
		field := t.Field(i)
		offset, t = offset+field.Offset, field.Type
	}
	return offset
}
