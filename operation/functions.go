package operation

import (
	"context"
	"reflect"
	"slices"
)

// Handler is the function of a custom operation. Make one with [Handle], [HandleAfter], [Set], [Restore] or [Purge]; nil means none.
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

func (h *handler) Bodies() (record reflect.Type, patches bool) {
	if h.each == nil {
		return nil, false
	}
	return h.each.record, h.each.patches
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

// Set makes a [Handler] without code: it sets fields of the record that the path names, saves the record and returns it
// (200). The arguments are pairs of a field's JSON name and its new value. With a condition, it is a step of a workflow:
//
//	operation.Post{
//		Name: "approve", URITemplate: "/bookings/{id}/approve", Access: staff,
//		When: access.Where("status", "requested"), Handler: operation.Set("status", "approved"),
//	}
//
// A value has the type of its field, without a pointer, or one that converts to it without a loss, such as an untyped
// constant; nil sets a nullable field to null. A reference is set to the key
// of the other record. Fields can be read-only. The identifier, the version, the times that the store sets, computed
// fields and passwords cannot be set. resource.New checks names, types and the rules of each field alone. Rules about
// several fields are checked for each request, and a broken one is a validation error.
//
// Set behaves as a function of [Handle]: the operation's Access decides who may call it, so rules for writing fields do not
// apply, and the resource's Prepare does not run. A Processor does. If no field changes, nothing is saved.
func Set(pairs ...any) Handler { return &set{slices.Clone(pairs)} }

type set struct{ pairs []any }

// Pairs returns the arguments of Set.
func (s *set) Pairs() []any { return s.pairs }

func (*set) handles() {}

// Restore makes a [Handler] without code: it restores the record that the path names from the trash, with those that its
// deletion took along, and returns it (200). See store.Deleted for the trash.
//
//	operation.Post{Name: "restore", URITemplate: "/items/{id}/restore", Handler: operation.Restore()}
//
// A record that is not in the trash is a 404, and so is one that the Read and Deleted rules of the resource hide from the
// caller. One that conflicts with a living record, or references one in the trash, is a 409. The operation's Access holds
// for the record as it is in the trash; default: the Update rule of the resource. A Processor runs, Prepare and validation
// do not.
func Restore() Handler { return trash(false) }

// Purge makes a [Handler] without code: it deletes the record that the path names for good (204), if it is in the trash.
// Otherwise it behaves as [Restore], but the default of its Access is the Delete rule of the resource.
//
//	operation.Delete{Name: "purge", URITemplate: "/items/{id}/trash", Handler: operation.Purge()}
func Purge() Handler { return trash(true) }

type trash bool

// Purges reports whether the record is purged.
func (t trash) Purges() bool { return bool(t) }

func (trash) handles() {}

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
	return shownAs(fn)
}

// shown holds a function that converts a record, without its type parameters.
type shown struct {
	record, out reflect.Type
	call        func(ctx context.Context, record any) (any, error) // nil for none
}

func shownAs[T, Out any](fn func(ctx context.Context, record *T) (Out, error)) *shown {
	s := &shown{record: reflect.TypeFor[T](), out: reflect.TypeFor[Out]()}
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

func (*shown) outputs() {}

// Computed is a response field in addition to those of the struct. Make one with [Compute].
type Computed interface{ computes() }

// Compute makes a [Computed] field from its JSON name, its description in the document ("" for none) and a function
// that computes its value. Every response that shows the record has it. Clients cannot set it, filter or sort by it. A
// [View] and the fields parameter can name it; if they leave it out, the function does not run. The function gets the
// whole record, including fields that the caller may not read, and must not change it. It gets its [Request], and so
// the principal, from [RequestFrom].
//
// An error of the function ends the request as that of a hook does, and nothing is saved. A collection omits the record
// instead and logs the error.
func Compute[T, V any](name, doc string, fn func(ctx context.Context, record *T) (V, error)) Computed {
	return &computed{shownAs(fn), name, doc}
}

type computed struct {
	*shown

	name, doc string
}

func (c *computed) Name() string { return c.name }

func (c *computed) Doc() string { return c.doc }

func (*computed) computes() {}

// Stamper sets fields of new records from the principal, as the field Stamp of a resource of records T. Make one with
// [Stamp]; nil means none.
type Stamper[T any] interface{ stamps(record *T) }

// Stamp makes a [Stamper], which sets fields of new records such as their owner:
//
//	Stamp: operation.Stamp(func(u *User, t *Treasure) { t.Owner = u.ID })
//
// It calls the function when a Post or Put creates a record for a principal of type P, before the resource's Prepare. P must
// be a type that a scheme of the API provides, else resource.New returns an error. For an anonymous caller, and for a
// principal of another scheme's type, the record is not changed. Fields that clients may set already have the values they sent:
// t.Owner = cmp.Or(t.Owner, u.ID) sets a default. The function may be called again after a conflict between writes, and
// must be safe for concurrent use.
func Stamp[P, T any](set func(principal P, record *T)) Stamper[T] { return stamper[P, T]{set} }

type stamper[P, T any] struct{ set func(principal P, record *T) }

func (stamper[P, T]) stamps(*T) {}

func (s stamper[P, T]) Defined() bool { return s.set != nil }

func (stamper[P, T]) Principal() reflect.Type { return reflect.TypeFor[P]() }

func (s stamper[P, T]) Stamp(principal, record any) {
	if principal, ok := principal.(P); ok {
		s.set(principal, record.(*T))
	}
}

// ParameterSet is a set of additional parameters of an operation. Only [Parameters] implements it; nil means none.
type ParameterSet interface {
	// Type returns the struct type whose fields are the parameters.
	Type() reflect.Type

	sealed()
}

// Parameters declares the fields of the struct P as parameters of an operation. Fields tagged api:"header" are header
// fields; all others are query parameters. Names, rules, defaults and descriptions come from the same tags as those of
// a resource. A field is a boolean, number, string, time or a type that marshals itself as text. A slice of these is a
// parameter that can be repeated. A parameter missing from the request has its default, else its zero value.
//
//	type Forecast struct {
//		Days  int    `json:"days" validate:"gte=1,lte=14" default:"7" doc:"Number of days."`
//		Units string `json:"X-Units" api:"header" validate:"omitempty,oneof=metric imperial"`
//	}
//
//	var forecast operation.Parameters[Forecast]
//
//	operation.Get{Parameters: forecast, …}
//
// Hooks and handlers read them with [Parameters.Of].
type Parameters[P any] struct{}

// Of returns the parameters of a request, or a zero P if its operation does not declare them. Each request has its own
// P.
func (Parameters[P]) Of(req *Request) *P {
	if req != nil {
		if own, ok := req.Parameters.(*P); ok && own != nil {
			return own
		}
	}
	return new(P)
}

// Type returns the type P.
func (Parameters[P]) Type() reflect.Type { return reflect.TypeFor[P]() }

func (Parameters[P]) sealed() {}
