package codec

import (
	"reflect"
	"unsafe"
)

// address is where a value is stored whose type the plan knows. Plans that take addresses
// cost a third of plans that take a [reflect.Value]. This file is the only one that
// imports unsafe; what it and the plans do is sound because
//
//   - an address is a pointer for the garbage collector as well, never a number: it keeps
//     the whole value alive that it points into;
//   - it begins with a pointer from package reflect, and is led on only by offsets that
//     reflect has of the type at it: of fields, embedded structs without a pointer in
//     between, and of elements within the length of their list;
//   - a plan reads and writes it as the type that it was made for, or as one of the same
//     memory layout: a named type as that which it is made of, and the header of any slice as
//     that of any other. [valueAt] is for all else.
type address = unsafe.Pointer

// valueAt returns what is stored at the address, which can be set.
func valueAt(at address, t reflect.Type) reflect.Value { return reflect.NewAt(t, at).Elem() }

// plus returns the address so many bytes further in the same value.
func plus(at address, offset uintptr) address { return unsafe.Add(at, offset) }

// elementsAt returns the address of the first element of the slice at the address, and how
// many there are.
func elementsAt(at address) (first address, count int) {
	header := *(*[]struct{})(at)
	return unsafe.Pointer(unsafe.SliceData(header)), len(header) //nolint:gosec // see address
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
