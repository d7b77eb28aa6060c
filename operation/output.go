package operation

import (
	"context"
	"reflect"
)

// OutputType is the type of a response that is not the record itself. Make one with [Output]; nil means none.
type OutputType interface{ outputs() }

// Output makes an [OutputType] from a function that converts a record to the struct Out. Responses then contain Out
// instead of the record: those of one operation, or all that show a record if the resource sets it. The function must
// not change the record. Fields that the caller may not read are zero in it. The function gets its [Request] from
// [RequestFrom]. Entity tags and If-Match still follow the record, and filters and sorting the tags of its struct.
//
// An error of the function ends the request as that of a hook does, and nothing is saved. A collection omits the record
// instead and logs the error.
func Output[T, Out any](fn func(ctx context.Context, record *T) (Out, error)) OutputType {
	return &output{shownAs(fn)}
}

type output struct{ shown }

func (*output) outputs() {}

// shown holds a function that converts a record, without its type parameters.
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
