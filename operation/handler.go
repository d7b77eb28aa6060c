package operation

import (
	"context"
	"reflect"
)

// Handler is the function of a custom operation. [Handle] and [HandleAfter] make the only ones; nil is
// none.
type Handler interface{ handles() }

// Handle makes a [Handler] of a function. The record that the path names is loaded
// (404 if it is missing) and handed over as a copy; if the function changed it, the
// copy is validated and saved when the function returns nil, atomically, but never on
// Get. Where the template names no record, the record is T's zero value and is not
// saved.
//
// Where Out is the record, a pointer to it or a slice of either, it is shown as the resource shows
// records, with its View, Output and computed members, without those that the caller may not see. Out of a
// GetCollection may be a store.Page of records: it has the parameters, links and totals of any
// collection, and the Read rule; the function asks a store with what resource.QueryFrom returns, which
// the rules have confined. A stream calls it for each batch.
//
// The answer is 200 with Out; 204 where Out is struct{}. Where Out is a pointer to a struct,
// nil without an error is a fault of the service: 500. Where In is struct{}, no
// body is read; else it is decoded and validated as any body is. The function finds
// its [Request] by [RequestFrom]. In may be a slice of structs: the body is then an array, each
// element is checked, and errors are told at "[1].name". In may be a [CreateOf] or a [PatchOf] of a resource, or a
// slice of those. On Post, Put, Patch and Delete the function runs in a transaction, with or without a record in
// the path: of its resource's store, or where In is of another resource, of the store of that one. Stores that share transactions with it
// join in when they are given the function's context, so an error or a panic undoes all that they
// saved. Get and GetCollection run in no transaction. The resource's Prepare does not run, but for what a CreateOf or a PatchOf saves: what holds for every
// write, such as who may do it, is for the function to see to as well.
func Handle[T, In, Out any](fn func(ctx context.Context, record *T, in In) (Out, error)) Handler {
	h := &handler{
		record: reflect.TypeFor[T](), in: reflect.TypeFor[In](), out: reflect.TypeFor[Out](), defined: fn != nil,
		newIn: func() any { return new(In) },
		call:  func(ctx context.Context, record, in any) (any, error) { return fn(ctx, record.(*T), *in.(*In)) },
	}
	h.adopt, h.each = adopted(h.in)
	return h
}

// HandleAfter is [Handle] with slow work that comes first, such as comparing or hashing a password: before runs when the
// body is valid and the caller may do the operation, and before the transaction in which fn runs begins. No other
// request waits for it. It leaves what it has found in the body, which fn gets: in fields without a JSON name of
// their own (json:"-"), or in place of what was sent. [Request.Previous] is the record that the path names. If that record has changed when the
// transaction begins, the request starts over, up to five times in all; then it returns 503.
// An error of before ends the request.
//
// It is for Post, Put, Patch and Delete, and not for an In that is a [CreateOf] or a [PatchOf].
func HandleAfter[T, In, Out any](before func(ctx context.Context, req *Request, body *In) error,
	fn func(ctx context.Context, record *T, in In) (Out, error),
) Handler {
	h := Handle(fn).(*handler)
	h.before = func(ctx context.Context, req *Request, body any) error { return before(ctx, req, body.(*In)) }
	h.defined = h.defined && before != nil
	return h
}

// handler has a function without its type parameters: as methods of a generic type, all that it can do would be compiled
// again for each function.
type handler struct {
	record, in, out reflect.Type
	defined         bool
	before          func(ctx context.Context, req *Request, body any) error // nil for none
	newIn           func() any
	call            func(ctx context.Context, record, in any) (any, error)
	adopt           func(list []any) any // makes In of each; nil if In is what is decoded
	each            *bodyOf              // the CreateOf or PatchOf of In; nil for none
}

func (h *handler) Types() (record, in, out reflect.Type) { return h.record, h.in, h.out }

func (h *handler) Defined() bool { return h.defined }

func (h *handler) Creates() reflect.Type {
	if h.each == nil || h.each.patches {
		return nil
	}
	return h.each.record
}

func (h *handler) Patches() reflect.Type {
	if h.each == nil || !h.each.patches {
		return nil
	}
	return h.each.record
}

func (h *handler) Element(record, previous any, fields []string, save func(context.Context) (any, error)) any {
	return h.each.of(record, previous, fields, save)
}

func (h *handler) Before() func(context.Context, *Request, any) error { return h.before }

func (h *handler) NewIn() any { return h.newIn() }

func (h *handler) Call(ctx context.Context, record, in any) (any, error) {
	if h.adopt != nil {
		in = h.adopt(in.([]any))
	}
	return h.call(ctx, record, in)
}

func (*handler) handles() {}
