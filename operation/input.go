package operation

import (
	"context"
	"reflect"
)

// InputType is the type of a body that is not the record itself. Make one with [Input] or [InputOf]; nil means none.
type InputType interface{ inputs() }

// Input makes an [InputType] from a function that applies a body, the struct In, to a record. The record is a new one
// for Post, and the stored one for a Put that replaces. A Patch, or a Put that updates, needs [InputOf].
//
// Only the rules of In check the body. Then the function runs, then Prepare, and the record is checked by its own
// rules. Errors from [validation.Fail] are reported together with those of the rules. Any other error ends the request,
// and nothing is saved. If the function changes a field that the caller may not write, the request gets a 403. Set
// server-controlled fields in Prepare instead.
//
// [validation.Fail]: https://pkg.go.dev/github.com/trove-api/trove/validation#Fail
func Input[In, T any](apply func(ctx context.Context, in In, record *T) error) InputType {
	i := &input{record: reflect.TypeFor[T](), in: reflect.TypeFor[In]()}
	if apply != nil {
		i.apply = func(ctx context.Context, in, record any) error { return apply(ctx, *in.(*In), record.(*T)) }
	}
	return i
}

// InputOf is [Input] for operations that also update. The function fill converts the stored record to the body that a
// client would send for it. The client's merge patch then changes that body, so omitted fields are kept. The function
// fill must not change the record.
func InputOf[T, In any](fill func(record *T) In, apply func(ctx context.Context, in In, record *T) error) InputType {
	i := Input(apply).(*input)
	i.fill = func(record any) any { return new(fill(record.(*T))) }
	if fill == nil {
		i.apply = nil // New reports a nil apply
	}
	return i
}

type input struct {
	record, in reflect.Type
	fill       func(record any) any // nil for none
	apply      func(ctx context.Context, in, record any) error
}

func (i *input) Types() (record, in reflect.Type) { return i.record, i.in }

func (i *input) Defined() bool { return i.apply != nil }

func (i *input) Fills() bool { return i.fill != nil }

func (i *input) Fill(record any) any { return i.fill(record) }

func (i *input) Apply(ctx context.Context, in, record any) error { return i.apply(ctx, in, record) }

func (*input) inputs() {}
