package operation

import "reflect"

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
