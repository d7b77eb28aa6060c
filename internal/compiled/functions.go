package compiled

import (
	"context"
	"reflect"

	"github.com/trove-api/trove/operation"
)

// Package operation wraps typed functions in sealed values. These interfaces are the methods of the values.

// Handler is the result of operation.Handle and operation.HandleAfter.
type Handler interface {
	// Types returns the types of the record, the body and the response. struct{} means no body or no response.
	Types() (record, in, out reflect.Type)
	// Defined reports whether there is a function to call.
	Defined() bool
	// Bodies returns the struct type of the records that bodies create, by an operation.CreateOf, or change, by a
	// PatchOf; nil for a handler of another In.
	Bodies() (record reflect.Type, patches bool)
	// Before returns the function that operation.HandleAfter runs before the transaction, nil for none. Its body is the
	// result of NewIn.
	Before() func(ctx context.Context, req *operation.Request, body any) error
	// NewIn returns a pointer to a zero value of the body's type.
	NewIn() any
	// Element returns the CreateOf or PatchOf of one record. The arguments are pointers to the record and to its
	// previous state (nil if it is created), the fields in the body, and a function that saves the record and returns a
	// pointer to it.
	Element(record, previous any, fields []string, save func(context.Context) (any, error)) any
	// Call runs the function. The record is a pointer. The in is the result of NewIn, or an []any of Elements if
	// Bodies has a record, with one element if In is not a slice.
	Call(ctx context.Context, record, in any) (out any, err error)
}

// Processor is the result of operation.Process.
type Processor interface {
	// Record returns the record's struct type.
	Record() reflect.Type
	// Defined reports whether there is a function to call.
	Defined() bool
	// Call runs the function. The record is a pointer.
	Call(ctx context.Context, req *operation.Request, record any, save func(context.Context, any) error) error
}

// Shape is an Input or an Output.
type Shape interface {
	// Types returns the types of the record, and of the body or response that is not the record.
	Types() (record, other reflect.Type)
	// Defined reports whether there is a function to call.
	Defined() bool
}

// Input is the result of operation.Input and operation.InputOf.
type Input interface {
	Shape
	// Fills reports whether Fill can be called.
	Fills() bool
	// Fill returns a pointer to the body of a record, which a Patch then changes.
	Fill(record any) any
	// Apply runs the function that applies a body to a record; both are pointers.
	Apply(ctx context.Context, in, record any) error
}

// Stamper is the result of operation.Stamp.
type Stamper interface {
	// Defined reports whether it has a function.
	Defined() bool
	// Principal is the type of principals that it stamps.
	Principal() reflect.Type
	// Stamp sets fields of a record, given as a pointer, if the principal has that type.
	Stamp(principal, record any)
}

// Output is the result of operation.Output.
type Output interface {
	Shape
	// Call runs the function. The record is a pointer, and so is the result.
	Call(ctx context.Context, record any) (any, error)
}

// Compute is the result of operation.Compute: an Output whose other type is that of the value.
type Compute interface {
	Output
	// Name and Doc return the field's JSON name and its description.
	Name() string
	Doc() string
}
