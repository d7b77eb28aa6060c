package operation

import (
	"context"
	"reflect"
)

// Handler is the function of a custom operation. Make one with [Handle] or [HandleAfter]; nil means none.
type Handler interface{ handles() }

// Handle makes a [Handler] from a function. Trove loads the record that the path names (404 if it is missing) and
// passes a copy. If the function changes the copy and returns nil, Trove validates and saves it atomically, except on
// Get. If the template names no record, the record is T's zero value and is not saved.
//
// In is the type of the body, which is decoded and validated like any body. With struct{}, no body is read. In may also
// be a slice of structs: the body is then an array, and errors have paths such as "[1].name". In may be a [CreateOf] or
// [PatchOf] of a resource, or a slice of those.
//
// Out is the type of the response: 200, or 204 if Out is struct{}. If Out is a pointer to a struct, nil without an
// error is a 500. Out may be the record, a pointer to it or a slice of either. The response then shows it as the
// resource does, with its View, Output and computed fields. Fields that the caller may not read are left out.
//
// Out of a GetCollection may be a store.Page of records. It has the parameters, links, totals and the Read rule of any
// collection. In may then be store.Query: the filters, the sort order, the page and the conditions of the access rules.
// Query a store with it. You can add conditions to its Where; removing conditions reveals hidden records. When the
// response is streamed, the function is called for each batch.
//
// On Post, Put, Patch and Delete the function runs in a transaction, even without a record in the path. It is a
// transaction of the resource's store, or of the other resource's store if In belongs to one. Stores that share
// transactions join it when you pass them the function's context, so an error or a panic undoes everything they saved.
// Get and GetCollection run without a transaction.
//
// The function gets its [Request] from [RequestFrom]. The resource's Prepare does not run, except for what a CreateOf
// or PatchOf saves. The function must itself enforce what Prepare ensures for other writes.
func Handle[T, In, Out any](fn func(ctx context.Context, record *T, in In) (Out, error)) Handler {
	h := &handler{
		record: reflect.TypeFor[T](), in: reflect.TypeFor[In](), out: reflect.TypeFor[Out](), defined: fn != nil,
		newIn: func() any { return new(In) },
		call:  func(ctx context.Context, record, in any) (any, error) { return fn(ctx, record.(*T), *in.(*In)) },
	}
	h.adopt, h.each = adopted(h.in)
	return h
}

// HandleAfter is [Handle] with slow work that runs first, such as hashing a password. The function before runs after
// the body is validated and the caller is authorized. It runs before the transaction of fn begins, so no other request
// waits for it. It passes its results to fn in the body: in fields tagged json:"-", or by replacing what was sent.
// [Request.Previous] is the record that the path names. If that record has changed when the transaction begins, the
// request starts over, up to five times; then it returns 503. An error of before ends the request.
//
// Use it on Post, Put, Patch and Delete, and not with an In that is a [CreateOf] or [PatchOf].
func HandleAfter[T, In, Out any](before func(ctx context.Context, req *Request, body *In) error,
	fn func(ctx context.Context, record *T, in In) (Out, error),
) Handler {
	h := Handle(fn).(*handler)
	h.before = func(ctx context.Context, req *Request, body any) error { return before(ctx, req, body.(*In)) }
	h.defined = h.defined && before != nil
	return h
}

// handler holds a function without its type parameters. Methods of a generic type would be compiled again for each
// function.
type handler struct {
	record, in, out reflect.Type
	defined         bool
	before          func(ctx context.Context, req *Request, body any) error // nil for none
	newIn           func() any
	call            func(ctx context.Context, record, in any) (any, error)
	adopt           func(list []any) any // makes In from each; nil if In is what is decoded
	each            *bodyOf              // the CreateOf or PatchOf in In; nil for none
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
