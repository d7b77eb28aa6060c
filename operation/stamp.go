package operation

import "context"

// Stamp makes a Prepare that sets members of new records from who creates them, such as their owner:
//
//	Prepare: operation.Stamp(func(u *User, t *Treasure) { t.Owner = u.ID })
//
// The function is called where a record is created, by a Post or by a Put that may, for a principal of type P; for
// nobody, and for principals of another type, the record stays as it is. A member that clients may set has what they sent by then:
// t.Owner = cmp.Or(t.Owner, u.ID) is a default. It may be called again after a conflict between writes.
func Stamp[P, T any](set func(principal P, record *T)) func(ctx context.Context, req *Request, record *T) error {
	return func(_ context.Context, req *Request, record *T) error {
		if principal, ok := req.Principal.(P); ok && req.Previous == nil {
			set(principal, record)
		}
		return nil
	}
}
