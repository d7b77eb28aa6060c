package operation

import (
	"context"
	"reflect"
)

// InputType is another type that bodies have in place of the record. [Input] and [InputOf] make
// the only ones; nil is none.
type InputType interface{ inputs() }

// Input makes a [InputType] of a function that applies a body, the struct In, to a record: to a
// new one for Post, and to the stored one, which it makes over, for a Put that replaces. A Patch
// and a Put that updates need [InputOf].
//
// The body is checked by the rules of In alone; then the function runs, then Prepare, and the
// record is checked by its own rules. What [validation.Fail] gives is told together with those;
// any other error ends the request, and nothing is saved. A member that a rule of access does
// not let the caller write must leave the function as it was: 403. What the service sets
// itself is for Prepare.
//
// [validation.Fail]: https://pkg.go.dev/github.com/trove-api/trove/validation#Fail
func Input[In, T any](apply func(ctx context.Context, in In, record *T) error) InputType {
	i := &input{record: reflect.TypeFor[T](), in: reflect.TypeFor[In]()}
	if apply != nil {
		i.apply = func(ctx context.Context, in, record any) error { return apply(ctx, *in.(*In), record.(*T)) }
	}
	return i
}

// InputOf is [Input] for operations that update as well: fill makes of the stored record the
// body that a client would send for it, which the client's merge patch then changes, so that
// what it leaves out stays. It must not change the record.
func InputOf[T, In any](fill func(record *T) In, apply func(ctx context.Context, in In, record *T) error) InputType {
	i := Input(apply).(*input)
	i.fill = func(record any) any { return new(fill(record.(*T))) }
	if fill == nil {
		i.apply = nil // a mistake, as apply being nil is
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
