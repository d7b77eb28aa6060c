package compiled

import (
	"context"
	"reflect"

	"github.com/trove-api/trove/operation"
)

// The values that package operation makes of typed functions are sealed: users only pass them on. These interfaces
// are what the values can do.

// Handler is what operation.Handle and operation.HandleAfter return.
type Handler interface {
	// Types returns the record's struct type and the types of the body and the response. A body or response of
	// struct{} is none.
	Types() (record, in, out reflect.Type)
	// Defined reports whether there is a function to call.
	Defined() bool
	// Creates and Patches return the struct type of the records that bodies create or change, by an
	// operation.CreateOf or PatchOf; nil for a handler of another In.
	Creates() reflect.Type
	Patches() reflect.Type
	// Before returns the function of operation.HandleAfter that runs before the transaction, nil for none. Its
	// body is what NewIn returned.
	Before() func(ctx context.Context, req *operation.Request, body any) error
	// NewIn returns a pointer to a zero value of the body's type.
	NewIn() any
	// Element returns the CreateOf or PatchOf of one record: pointers to the record and to what it was, nil for one
	// that is created, the fields that the body has, and what saves the record and returns a pointer to what was saved.
	Element(record, previous any, fields []string, save func(context.Context) (any, error)) any
	// Call runs the function: record is a pointer to the record, in what NewIn returned or, if Creates or Patches is
	// not nil, the Elements as an []any, of one for an In that is no slice.
	Call(ctx context.Context, record, in any) (out any, err error)
}

// Processor is what operation.Process returns.
type Processor interface {
	// Record returns the record's struct type.
	Record() reflect.Type
	// Defined reports whether there is a function to call.
	Defined() bool
	// Call runs the function: record is a pointer to the record.
	Call(ctx context.Context, req *operation.Request, record any, save func(context.Context, any) error) error
}

// Input is what operation.Input and operation.InputOf return.
type Input interface {
	// Types returns the record's struct type and that of the body.
	Types() (record, in reflect.Type)
	// Defined reports whether there is a function to call.
	Defined() bool
	// Fills reports whether Fill can be called.
	Fills() bool
	// Fill returns a pointer to the body that stands for a record, which a Patch then changes.
	Fill(record any) any
	// Apply runs the function that applies a body to a record; both are pointers.
	Apply(ctx context.Context, in, record any) error
}

// Output is what operation.Output returns.
type Output interface {
	// Types returns the record's struct type and that of the response.
	Types() (record, out reflect.Type)
	// Defined reports whether there is a function to call.
	Defined() bool
	// Call runs the function: record is a pointer to the record.
	Call(ctx context.Context, record any) (any, error)
}

// Compute is what operation.Compute returns.
type Compute interface {
	// Name and Doc return the field's JSON name and its text in the document.
	Name() string
	Doc() string
	// Types returns the record's struct type and that of the value.
	Types() (record, value reflect.Type)
	// Defined reports whether there is a function to call.
	Defined() bool
	// Call runs the function: record is a pointer to the record. It returns a pointer to the value.
	Call(ctx context.Context, record any) (any, error)
}
