package store

import "context"

// Store keeps the records of one resource. Implementations are safe for use by many
// goroutines, honour the context's cancellation, and pass storetest.Suite.
//
// An id is a value of the Go type of T's identifier (the field tagged api:"id", else
// the field ID).
type Store[T any] interface {
	// Get returns the record with that id, or an error that is [ErrNotFound]. The
	// record is shared: the caller only reads it. Nil without an error is no answer, and
	// a fault of the service: 500.
	Get(ctx context.Context, id any) (*T, error)
	// List returns the records that the query asks for, in its order. They are shared:
	// the caller only reads them.
	List(ctx context.Context, query Query) (Page[T], error)
	// Transact runs fn in a transaction: when fn returns nil all that it did through
	// tx is saved, else none of it is and Transact returns fn's error. None of it is
	// saved either when fn panics, which passes on, or when ctx is cancelled before fn
	// returns. After a conflict with another transaction fn may be run again from the
	// start, so it must be repeatable.
	//
	// The context handed to fn carries the transaction: a call with it of the same
	// store's Transact joins in, and so does one of a store that shares transactions with it,
	// as the tables of a database do and the stores in memory of one API. When a call that joined fails, the whole transaction
	// does, even if fn returns nil. A hook that hands in another context would wait for
	// itself: the stores of Trove refuse that of its HTTP request. A call that waits too
	// long for another transaction fails with an error that is [ErrUnavailable].
	Transact(ctx context.Context, fn func(ctx context.Context, tx Tx[T]) error) error
}

// Tx is one transaction of a [Store]. It is for the goroutine that was handed it, and
// until the function it was handed to returns.
//
// Insert and Update stamp the record, whoever writes it and whatever it has there: they
// set, in the record that they are handed too,
//
//   - the field tagged api:"version": 1 by Insert, one more than the stored record has by
//     Update, and 1 again behind the largest number;
//   - the field tagged api:"modified": the time of the write, in UTC;
//   - the field tagged api:"created": the time of Insert, unless it is set already; Update
//     leaves the stored one where the record has none.
//
// A store whose transactions do so is a [Stamper], as store/memory and store/sqlstore are.
type Tx[T any] interface {
	// Get returns the record with that id as a copy that the caller may change, or an
	// error that is [ErrNotFound]. From then until the transaction ends no other
	// transaction changes that record.
	Get(ctx context.Context, id any) (*T, error)
	// Insert adds the record, with the version 1 and the times of this moment where its
	// struct has them. A generated identifier (an integer, a UUID) is set in
	// record before Insert returns, unless it was set already. A value that must be
	// unique and is not gives a [UniqueError], at the latest when the transaction ends.
	//
	// What the store keeps as another value than it was given, such as a time without its
	// zone, it sets in record too: as JSON, record is then what Get will return.
	Insert(ctx context.Context, record *T) error
	// Update puts the record in place of the one with that id, which it must carry
	// too, and counts its version and notes the time. It gives ErrNotFound or a [UniqueError]. What the store keeps as another value
	// it sets in record, as Insert does.
	Update(ctx context.Context, id any, record *T) error
	// Delete removes the record with that id, or gives ErrNotFound.
	Delete(ctx context.Context, id any) error
}
