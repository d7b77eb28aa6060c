package operation

import (
	"context"
	"reflect"
)

// CreateOf is what a client sends to create a record of the resource of T, as In of a [Handle],
// or []CreateOf[T] for several: a bulk import, say. The body, or each element of its array, is
// what a Post to that resource takes, with the same schema (that of the resource's Input, if it has one), and it is checked in the same way:
// unknown members, types, rules, references, and which members the rules of access let the
// caller write. Generated identifiers and other read-only members are zero.
//
// Nothing is saved until the function calls Save, in the transaction
// that it runs in, so that everything is saved or nothing.
//
//	func load(ctx context.Context, _ *Product, in []operation.CreateOf[Product]) (Loaded, error) {
//		for _, each := range in {
//			if _, err := each.Save(ctx); err != nil {
//				return Loaded{}, err
//			}
//		}
//		return Loaded{len(in)}, nil
//	}
type CreateOf[T any] struct {
	// Record is the new record as the client wants it, with the defaults of its tags for
	// what the body leaves out. It is the function's own.
	Record *T

	save func(ctx context.Context) (any, error)
}

// Save creates the record as a Post to the resource does once the body is applied: its Prepare runs, the
// record is checked as it is by then, the Create rule is asked of it, and its Processor saves
// it, in the transaction that ctx carries, which is the one that the function was handed. It returns
// the record as it was saved. The function is to return the error, which is told at its place, as "[1].name". To put
// Record into a store by other means asks no rule. Save works while the function runs, and for a
// CreateOf that a request has made.
func (c CreateOf[T]) Save(ctx context.Context) (*T, error) { return saved[T](ctx, c.save) }

// saved saves a record of T.
func saved[T any](ctx context.Context, save func(context.Context) (any, error)) (*T, error) {
	if save == nil {
		return nil, errNoRequest
	}
	record, err := save(ctx)
	if err != nil {
		return nil, err
	}
	return record.(*T), nil
}

func (CreateOf[T]) record() reflect.Type { return reflect.TypeFor[T]() }
func (CreateOf[T]) patches() bool        { return false }

func (CreateOf[T]) of(record, _ any, _ []string, save func(context.Context) (any, error)) any {
	return CreateOf[T]{record.(*T), save}
}

func (CreateOf[T]) one(each any) any    { return new(each.(CreateOf[T])) }
func (CreateOf[T]) many(list []any) any { return allOf[CreateOf[T]](list) }

// allOf returns a pointer to a slice of the elements of a list.
func allOf[E any](list []any) any {
	all := make([]E, len(list))
	for i, each := range list {
		all[i] = each.(E)
	}
	return &all
}
