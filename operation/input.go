package operation

import (
	"context"
	"reflect"
)

// BodyType is another type that bodies have in place of the record. [Input] and [InputOf] make
// the only ones; nil is none.
type BodyType interface{ takesBody() }

// Input makes a [BodyType] of a function that applies a body, the struct In, to a record: to a
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
func Input[In, T any](apply func(ctx context.Context, in In, record *T) error) BodyType {
	return &input[In, T]{apply: apply}
}

// InputOf is [Input] for operations that update as well: fill makes of the stored record the
// body that a client would send for it, which the client's merge patch then changes, so that
// what it leaves out stays. It must not change the record.
func InputOf[T, In any](fill func(record *T) In, apply func(ctx context.Context, in In, record *T) error) BodyType {
	if fill == nil {
		apply = nil // a mistake, as apply being nil is
	}
	return &input[In, T]{fill, apply}
}

type input[In, T any] struct {
	fill  func(*T) In
	apply func(context.Context, In, *T) error
}

func (*input[In, T]) Types() (record, in reflect.Type) {
	return reflect.TypeFor[T](), reflect.TypeFor[In]()
}

func (i *input[In, T]) Defined() bool { return i.apply != nil }

func (i *input[In, T]) Fills() bool { return i.fill != nil }

func (i *input[In, T]) Fill(record any) any { return new(i.fill(record.(*T))) }

func (i *input[In, T]) Apply(ctx context.Context, in, record any) error {
	return i.apply(ctx, *in.(*In), record.(*T))
}

func (*input[In, T]) takesBody() {}
