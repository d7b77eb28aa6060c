package operation

import (
	"context"
	"reflect"
	"slices"
)

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
	// Members are the JSON names of the members that the body has, in its order, the identifier
	// among them.
	Members []string

	save func(ctx context.Context) (any, error)
}

// Has reports whether the body has a member, by its JSON name: with null, too.
func (p PatchOf[T]) Has(member string) bool { return slices.Contains(p.Members, member) }

// Save changes the record as a Patch of the resource does once the body is applied: its Prepare
// runs, the record is checked as it is by then, the Update rule is asked of it, and its
// Processor saves it, in the transaction that ctx carries, which is the one that the function was handed.
// It returns the record as it was saved. The function is to return the error, which is told at its place,
// as "[1].name". Save works while the function runs, and for a PatchOf that a request has made.
func (p PatchOf[T]) Save(ctx context.Context) (*T, error) { return saved[T](ctx, p.save) }

func (PatchOf[T]) record() reflect.Type { return reflect.TypeFor[T]() }
func (PatchOf[T]) patches() bool        { return true }

func (PatchOf[T]) of(record, previous any, fields []string, save func(context.Context) (any, error)) any {
	return PatchOf[T]{record.(*T), previous.(*T), fields, save}
}

func (PatchOf[T]) one(each any) any    { return new(each.(PatchOf[T])) }
func (PatchOf[T]) many(list []any) any { return allOf[PatchOf[T]](list) }
