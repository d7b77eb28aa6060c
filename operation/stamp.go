package operation

import "context"

// Stamp makes a Prepare hook that sets fields of new records from the principal, such as their owner:
//
//	Prepare: operation.Stamp(func(u *User, t *Treasure) { t.Owner = u.ID })
//
// It calls the function when a Post or Put creates a record for a principal of type P. For an anonymous caller, or a
// principal of another type, the record is not changed. Fields that clients may set already have the values they sent:
// t.Owner = cmp.Or(t.Owner, u.ID) sets a default. The function may be called again after a conflict between writes.
func Stamp[P, T any](set func(principal P, record *T)) func(ctx context.Context, req *Request, record *T) error {
	return func(_ context.Context, req *Request, record *T) error {
		if principal, ok := req.Principal.(P); ok && req.Previous == nil {
			set(principal, record)
		}
		return nil
	}
}
