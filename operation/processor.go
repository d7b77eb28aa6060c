package operation

import (
	"context"
	"reflect"
)

// Save writes the record of an operation in the transaction it runs in: it inserts,
// updates or, for Delete, removes it.
type Save[T any] func(ctx context.Context, record *T) error

// Processor wraps the save of an operation. [Process] makes the only ones; nil is
// none.
type Processor interface{ processes() }

// Process makes a [Processor] of a function that is called in place of the save of
// Post, Put, Patch and Delete. It calls save where the record is to be written, once
// or not at all; what it does through the context's transaction before or after is
// saved with it. The answer shows the record as the function leaves it. The same
// function may run again after a conflict.
//
// Where it returns nil and has not called save, the answer is what it would be, without an
// ETag. But 201 says that there is a record: without one it is a fault of the service, 500.
// An operation that only takes the work on, for a queue, declares another
// [Metadata.Status], such as 202 with the record as it came, or 204 with no body.
func Process[T any](fn func(ctx context.Context, req *Request, record *T, save Save[T]) error) Processor {
	p := &processor{record: reflect.TypeFor[T]()}
	if fn != nil {
		p.call = func(ctx context.Context, req *Request, record any, save func(context.Context, any) error) error {
			return fn(ctx, req, record.(*T), func(ctx context.Context, t *T) error { return save(ctx, t) })
		}
	}
	return p
}

type processor struct {
	record reflect.Type
	call   func(ctx context.Context, req *Request, record any, save func(context.Context, any) error) error
}

func (p *processor) Record() reflect.Type { return p.record }

func (p *processor) Defined() bool { return p.call != nil }

func (p *processor) Call(ctx context.Context, req *Request, record any, save func(context.Context, any) error) error {
	return p.call(ctx, req, record, save)
}

func (*processor) processes() {}
