package codec

import (
	"reflect"
	"unsafe"
)

// address is a memory address of a value whose type the plan knows. Plans that use it cost a third of plans that use a
// [reflect.Value]. This file is the only one that imports unsafe. The plans are sound because:
//
//   - a memory address is always a pointer, never a number, so the garbage collector keeps the whole value
//     that it points into;
//   - it starts as a pointer from package reflect, and is only advanced by offsets from reflect: of
//     fields, of embedded structs without a pointer in between, and of elements within the length of
//     their list;
//   - a plan reads and writes it as the type that it was made for, or as a type of the same memory
//     layout: a named type as its underlying type, and any slice header as any other. Everything else
//     uses [valueAt].
type address = unsafe.Pointer

// valueAt returns the settable value at a memory address.
func valueAt(at address, t reflect.Type) reflect.Value { return reflect.NewAt(t, at).Elem() }

// plus returns the memory address that many bytes further in the same value.
func plus(at address, offset uintptr) address { return unsafe.Add(at, offset) }

// elementsAt returns the memory address of the first element of a slice, and the number of elements.
func elementsAt(at address) (first address, count int) {
	header := *(*[]struct{})(at)
	return unsafe.Pointer(unsafe.SliceData(header)), len(header) //nolint:gosec // see address
}

// offsetOf returns the offset of a field in a struct, by the field's index.
func offsetOf(t reflect.Type, index []int) uintptr {
	var offset uintptr
	for _, i := range index {
		field := t.Field(i)
		offset, t = offset+field.Offset, field.Type
	}
	return offset
}
