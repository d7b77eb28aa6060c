package store

import "context"

// Store stores the records of one resource. Implementations are safe for concurrent use, honour the context's
// cancellation, and pass storetest.Suite.
//
// With the context of a transaction, all reads see what the transaction wrote. They lock nothing: only [Tx].Get keeps
// others from changing a record. Goroutines may read with such a context, but not while the transaction writes.
//
// An id has the Go type of T's identifier: the field tagged api:"id", else the field ID. It is a [Key] if several
// fields are tagged.
type Store[T any] interface {
	// Get returns the record with that id, or an error that is [ErrNotFound]. The record is shared, so the caller must
	// not change it. Returning nil without an error is a bug in the store; the client gets a 500.
	Get(ctx context.Context, id any) (*T, error)
	// List returns the records that match the query, in its order. They are shared, so the caller must not change them.
	List(ctx context.Context, query Query) (Page[T], error)
	// Transact runs fn in a transaction. If fn returns nil, everything it did through tx is saved. If fn returns an
	// error, nothing is saved and Transact returns that error. Nothing is saved either if fn panics, or if ctx is
	// cancelled before fn returns. After a conflict with another transaction fn may run again from the start, so it
	// must be retryable.
	//
	// The context passed to fn carries the transaction. A call of Transact with that context joins the transaction, if
	// the store is the same or shares transactions with it. The tables of one database share transactions, and so do
	// the in-memory stores of one API. If a call that joined fails, the whole transaction fails, even if fn returns
	// nil.
	//
	// With another context, a call inside fn would wait for its own transaction. Trove's stores return an error instead
	// if both belong to the same HTTP request. If a call waits too long for another transaction, the error is
	// [ErrUnavailable].
	Transact(ctx context.Context, fn func(ctx context.Context, tx Tx[T]) error) error
}

// Tx is one transaction of a [Store]. It is for one goroutine, and valid until the function that received it returns.
//
// Insert and Update stamp the record: they set these fields, in the record passed to them too, replacing any values it had.
//
//   - The field tagged api:"version": Insert sets 1, Update adds one to the stored version. After the largest
//     number it starts again at 1.
//   - The field tagged api:"modified": the time of the write, in UTC.
//   - The field tagged api:"created": Insert sets the time of the write unless it is set. Update keeps the stored
//     time if the record has none.
//
// A store whose transactions do so is a [Stamper], such as store/memory and store/sqlstore.
type Tx[T any] interface {
	// Get returns a copy of the record with that id, which the caller may change, or an error that is [ErrNotFound]. No
	// other transaction changes the record until this one ends.
	Get(ctx context.Context, id any) (*T, error)
	// Insert adds the record. If its generated identifier (an integer or a UUID) is zero, Insert sets it in record. A
	// duplicate value in a unique field gives a [UniqueError], at the latest when the transaction ends.
	//
	// If the store changes a value, such as a time that loses its zone, it also sets the new value in record. As JSON,
	// record then equals what Get will return.
	Insert(ctx context.Context, record *T) error
	// Update replaces the record with that id, which record must carry too. The error is ErrNotFound or a
	// [UniqueError]. Update sets values that the store changes in record, as Insert does.
	Update(ctx context.Context, id any, record *T) error
	// Delete deletes the record with that id, or returns ErrNotFound.
	Delete(ctx context.Context, id any) error
}
