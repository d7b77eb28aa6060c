package operation

import (
	"context"
	"errors"
	"reflect"
	"slices"
)

// CreateOf is a body that creates a record of T's resource. Use it as the In of [Handle], or []CreateOf[T] for several,
// such as a bulk import. The body, or each element of its array, has the schema of a Post to that resource (of the
// resource's Input, if it has one). It is checked in the same way: unknown fields, types, rules, references and fields
// that the caller may not write. Generated identifiers and other read-only fields are zero.
//
// Nothing is saved until the function calls Save. All saves share the function's transaction, so all of them commit or
// none does.
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
	// Record is the new record from the body, with the defaults of its tags for omitted fields. The function may change
	// it.
	Record *T

	save func(ctx context.Context) (any, error)
}

// Save creates the record as a Post to the resource does after decoding. Prepare runs, the record is validated, the
// Create rule is checked, and the Processor saves it. It returns the saved record. Pass the function's own context,
// because it carries the transaction. Return the error from the function: it is reported at its path, such as
// "[1].name". Writing Record to a store directly checks no access rule. Save works only while the function runs, and
// only for a CreateOf that came from a request.
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

// PatchOf is a body that changes a record of T's resource. Use it as the In of [Handle], or []PatchOf[T] for several,
// such as a bulk update. The path names the record, or else the body (each element of its array) has its identifier.
// The rest is the merge patch of that resource (RFC 7396). Before the function runs, it is checked as for a Patch:
// unknown fields, types, rules on the merged record, references and createonly fields. What the caller may read and
// write is checked too. A record that does not exist, or that the caller may not read, is reported at "[1].id".
//
// Nothing is saved until the function calls Save. If the path names the record, Save also updates the function's record
// argument.
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
	// Record is the record with the body applied. The function may change it further.
	Record *T
	// Previous is the record before the change. It must not be changed.
	Previous *T
	// Fields lists the JSON names of the fields in the body, in its order, including the identifier.
	Fields []string

	save func(ctx context.Context) (any, error)
}

// Has reports whether the body has a field, by its JSON name, even if its value is null.
func (p PatchOf[T]) Has(field string) bool { return slices.Contains(p.Fields, field) }

// Save changes the record as a Patch of the resource does after decoding. Prepare runs, the record is validated, the
// Update rule is checked, and the Processor saves it. It returns the saved record. Pass the function's own context,
// because it carries the transaction. Return the error from the function: it is reported at its path, such as
// "[1].name". Save works only while the function runs, and only for a PatchOf that came from a request.
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

// bodyOf is a CreateOf or PatchOf without its type parameter.
type bodyOf struct {
	record  reflect.Type
	patches bool
	// of returns the CreateOf or PatchOf of a record. Its arguments are those of compiled.Handler.Element.
	of func(record, previous any, fields []string, save func(context.Context) (any, error)) any
	// one and many return a pointer to a handler's In, which is a single element or a slice of them.
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

var errNoRequest = errors.New("operation: Save works only on a body from a request, while its handler runs")

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

// bodyOfType returns the CreateOf or PatchOf of a type, or nil if it is neither.
func bodyOfType(t reflect.Type) *bodyOf {
	if t.Kind() != reflect.Struct {
		return nil
	}
	if found, ok := reflect.TypeAssert[interface{ body() *bodyOf }](reflect.Zero(t)); ok {
		return found.body()
	}
	return nil
}

// adopted returns a function that makes a handler's In from the records of a body, and what each record is. Both are
// nil for an In without CreateOf and PatchOf.
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
