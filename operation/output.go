package operation

import (
	"context"
	"reflect"
)

// OutputType is another type that responses have in place of the record. [Output] makes the only
// ones; nil is none.
type OutputType interface{ outputs() }

// Output makes an [OutputType] of a function that makes the struct Out of a record, which answers
// then have in its place: on one operation, or for a resource, in every answer that shows a
// record. The record must not be changed; members that a rule of access hides from the caller
// are zero in it. The function finds its [Request] by [RequestFrom]. Entity tags and If-Match
// are about the state of the record. Filters and orders are those that the record's tags
// declare, whatever Out has.
//
// An error of the function ends the request, as that of a hook does; nothing is saved then.
// A collection leaves the record out, and logs it.
func Output[T, Out any](fn func(ctx context.Context, record *T) (Out, error)) OutputType {
	return &output{shownAs(fn)}
}

type output struct{ shown }

func (*output) outputs() {}

// shown has a function that makes a value of a record, without its type parameters.
type shown struct {
	record, out reflect.Type
	call        func(ctx context.Context, record any) (any, error) // nil for none
}

func shownAs[T, Out any](fn func(ctx context.Context, record *T) (Out, error)) shown {
	s := shown{record: reflect.TypeFor[T](), out: reflect.TypeFor[Out]()}
	if fn != nil {
		s.call = func(ctx context.Context, record any) (any, error) {
			out, err := fn(ctx, record.(*T))
			return &out, err
		}
	}
	return s
}

func (s *shown) Types() (record, out reflect.Type) { return s.record, s.out }

func (s *shown) Defined() bool { return s.call != nil }

func (s *shown) Call(ctx context.Context, record any) (any, error) { return s.call(ctx, record) }
