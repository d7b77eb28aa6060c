package operation

import (
	"context"
	"errors"
	"reflect"
	"slices"
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

func (CreateOf[T]) body() *bodyOf {
	return &bodyOf{
		record: reflect.TypeFor[T](),
		of: func(record, _ any, _ []string, save func(context.Context) (any, error)) any {
			return CreateOf[T]{record.(*T), save}
		},
		one:  one[CreateOf[T]],
		many: many[CreateOf[T]],
	}
}

// PatchOf is what a client sends to change a record of the resource of T, as In of a [Handle],
// or []PatchOf[T] for several: a bulk update, say. Which record is meant the path says where it
// names one of T, else the body, or each element of its array, by the identifier. All the rest is what
// a Patch of that resource takes (RFC 7396), and is checked in the same way before the function runs: unknown members,
// types, rules over the whole of what the record becomes, references, members that are set at
// creation alone, and what the rules of access let the caller see and change, of each record. A
// record that is not there, or that the caller may not see, is told at "[1].id".
//
// Nothing is saved until the function calls Save. Where the path names the record, the function's record then has
// what was saved; until then it is as it was.
//
//	func reprice(ctx context.Context, _ *Product, in []operation.PatchOf[Product]) (Changed, error) {
//		for _, each := range in {
//			if _, err := each.Save(ctx); err != nil {
//				return Changed{}, err
//			}
//		}
//		return Changed{len(in)}, nil
//	}
type PatchOf[T any] struct {
	// Record is the record as the body makes it. It is the function's own, which may change it further.
	Record *T
	// Previous is the record before the change. It must not be changed.
	Previous *T
	// Fields are the JSON names of the members that the body has, in its order, the identifier
	// among them.
	Fields []string

	save func(ctx context.Context) (any, error)
}

// Has reports whether the body has a member, by its JSON name: with null, too.
func (p PatchOf[T]) Has(member string) bool { return slices.Contains(p.Fields, member) }

// Save changes the record as a Patch of the resource does once the body is applied: its Prepare
// runs, the record is checked as it is by then, the Update rule is asked of it, and its
// Processor saves it, in the transaction that ctx carries, which is the one that the function was handed.
// It returns the record as it was saved. The function is to return the error, which is told at its place,
// as "[1].name". Save works while the function runs, and for a PatchOf that a request has made.
func (p PatchOf[T]) Save(ctx context.Context) (*T, error) { return saved[T](ctx, p.save) }

func (PatchOf[T]) body() *bodyOf {
	return &bodyOf{
		record: reflect.TypeFor[T](), patches: true,
		of: func(record, previous any, fields []string, save func(context.Context) (any, error)) any {
			return PatchOf[T]{record.(*T), previous.(*T), fields, save}
		},
		one:  one[PatchOf[T]],
		many: many[PatchOf[T]],
	}
}

// bodyOf is a CreateOf or a PatchOf without its type parameter.
type bodyOf struct {
	record  reflect.Type
	patches bool
	// of returns the one of a record. The arguments are those of compiled.Handler.
	of func(record, previous any, fields []string, save func(context.Context) (any, error)) any
	// one and many return a pointer to a handler's In, which is one of these or a slice of them.
	one  func(list []any) any
	many func(list []any) any
}

func one[E any](list []any) any { return new(list[0].(E)) }

func many[E any](list []any) any {
	all := make([]E, len(list))
	for i, each := range list {
		all[i] = each.(E)
	}
	return &all
}

var errNoRequest = errors.New("operation: Save is of a body that a request has, while the handler runs")

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

// bodyOfType returns the CreateOf or PatchOf that a type is, nil where it is none.
func bodyOfType(t reflect.Type) *bodyOf {
	if t.Kind() != reflect.Struct {
		return nil
	}
	if found, ok := reflect.TypeAssert[interface{ body() *bodyOf }](reflect.Zero(t)); ok {
		return found.body()
	}
	return nil
}

// adopted returns how a handler's In is made of the records of a body, and what each of them is
// of: nil for an In without CreateOf and PatchOf.
func adopted(in reflect.Type) (adopt func(list []any) any, each *bodyOf) {
	if each = bodyOfType(in); each != nil {
		return each.one, each
	}
	if in.Kind() == reflect.Slice && in.Name() == "" {
		if each = bodyOfType(in.Elem()); each != nil {
			return each.many, each
		}
	}
	return nil, nil
}
