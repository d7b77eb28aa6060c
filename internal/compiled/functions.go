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
	// Creates and Patches return the struct type of the records that bodies create or change, by an
	// operation.CreateOf or PatchOf; nil for a handler of another In.
	Creates() reflect.Type
	Patches() reflect.Type
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
	// Creates or Patches is not nil, with one element if In is not a slice.
	Call(ctx context.Context, record, in any) (out any, err error)
}

// Setter is the result of operation.Set.
type Setter interface {
	// Pairs returns the JSON names of fields, each followed by its value.
	Pairs() []any
}

// Trasher is the result of operation.Restore and operation.Purge.
type Trasher interface {
	// Purges reports whether it is the result of operation.Purge.
	Purges() bool
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

// Input is the result of operation.Input and operation.InputOf.
type Input interface {
	// Types returns the types of the record and the body.
	Types() (record, in reflect.Type)
	// Defined reports whether there is a function to call.
	Defined() bool
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
	// Types returns the types of the record and the response.
	Types() (record, out reflect.Type)
	// Defined reports whether there is a function to call.
	Defined() bool
	// Call runs the function. The record is a pointer.
	Call(ctx context.Context, record any) (any, error)
}

// Compute is the result of operation.Compute.
type Compute interface {
	// Name and Doc return the field's JSON name and its description.
	Name() string
	Doc() string
	// Types returns the types of the record and the value.
	Types() (record, value reflect.Type)
	// Defined reports whether there is a function to call.
	Defined() bool
	// Call runs the function. The record is a pointer, and so is the result.
	Call(ctx context.Context, record any) (any, error)
}
