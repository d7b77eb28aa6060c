package operation

import (
	"context"
	"reflect"
)

// Save writes the record of an operation in its transaction: it inserts, updates or, for Delete, deletes it.
type Save[T any] func(ctx context.Context, record *T) error

// Processor wraps the save of an operation. Make one with [Process]; nil means none.
type Processor interface{ processes() }

// Process makes a [Processor] from a function that Trove calls instead of saving, on Post, Put, Patch and Delete. The
// function calls save once, or not at all. Everything it writes through the context's transaction commits together with
// the save. The response shows the record as the function leaves it. The function may run again after a conflict.
//
// If it returns nil without calling save, the response is the usual one without an ETag. But a 201 must have a record;
// without one it is a 500. An operation that only puts the work into a queue needs another [Metadata.Status]. Use 202
// to return the record as it was received, or 204 to return no body.
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
