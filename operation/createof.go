package operation

import "reflect"

// CreateOf is what a client sends to create a record of the resource of T, as In of a [Handle],
// or []CreateOf[T] for several: a bulk import, say. The body, or each element of its array, is
// what a Post to that resource takes, with the same schema, and it is checked in the same way:
// unknown members, types, rules, references, and which members the rules of access let the
// caller write. Generated identifiers and other read-only members are zero.
//
// Prepare does not run and nothing is saved: that is for the function, in the transaction
// that it runs in, so that everything is saved or nothing.
//
//	func load(ctx context.Context, _ *Product, in []operation.CreateOf[Product]) (Loaded, error) {
//		return Loaded{len(in)}, products.Transact(ctx, func(ctx context.Context, tx store.Tx[Product]) error {
//			for _, each := range in {
//				if err := tx.Insert(ctx, each.Record); err != nil {
//					return err
//				}
//			}
//			return nil
//		})
//	}
type CreateOf[T any] struct {
	// Record is the new record as the client wants it, with the defaults of its tags for
	// what the body leaves out. It is the function's own.
	Record *T
}

// creating is a CreateOf of any record.
type creating interface {
	record() reflect.Type
	// one and many make the In of a handler of what a body was decoded onto: a *T, a *[]T.
	one(record any) any
	many(records any) any
}

func (CreateOf[T]) record() reflect.Type { return reflect.TypeFor[T]() }

func (CreateOf[T]) one(record any) any { return &CreateOf[T]{record.(*T)} }

func (CreateOf[T]) many(records any) any {
	list := *records.(*[]T)
	made := make([]CreateOf[T], len(list))
	for i := range list {
		made[i].Record = &list[i]
	}
	return &made
}

// creatingIn returns the CreateOf that a type is, nil where it is none.
func creatingIn(t reflect.Type) creating {
	if t.Kind() != reflect.Struct {
		return nil
	}
	found, _ := reflect.TypeAssert[creating](reflect.Zero(t))
	return found
}

// IsCreateOf reports whether a type is a [CreateOf] of any record.
func IsCreateOf(t reflect.Type) bool { return creatingIn(t) != nil }

// adopted returns how a handler's In is made of records that bodies create, and their type; nil
// for an In without CreateOf.
func adopted[In any]() (adopt func(decoded any) any, record reflect.Type) {
	in := reflect.TypeFor[In]()
	if one := creatingIn(in); one != nil {
		return one.one, one.record()
	}
	if in.Kind() == reflect.Slice && in.Name() == "" {
		if each := creatingIn(in.Elem()); each != nil {
			return each.many, each.record()
		}
	}
	return nil, nil
}
