// Package memory stores records in the memory of the process. It is the store of resources without a Store. The records
// are lost when the process ends.
//
//	resource.Of[Book]{Store: memory.New(Book{Title: "Dune"}, Book{Title: "Ubik"})}
//
// The store copies records when they are written, and when a transaction reads them. So later changes by the caller do
// not change what is saved. Other reads share the stored records; do not change them. Fields without a JSON name, and
// the contents of types that marshal themselves, are not copied deeply; do not change them either.
//
// # Queries
//
// The store supports every store.Query. A page in the order of the identifier takes the same time for any number of
// records; with a filter, it tries records in that order until the page is full. Equality of the identifier, of a field
// tagged unique or index, and of a reference is looked up in an index. For everything else, each record is tried, and the
// matching ones are sorted. So use a database for many records that clients filter and sort.
//
// A list reads a snapshot, which costs nothing. It never waits for a transaction, nor delays one.
//
// Each constraint of the struct (store.Constraint) has an index too, except for store.Index.
//
// # Transactions
//
// Transactions of one API run one after the other, as on SQLite, from the call of Transact to its end. Readers run
// meanwhile, and see what was saved before. A transaction is saved as a whole, or not at all if the function fails or
// panics, or its context is cancelled. The function runs once.
//
// Reads with the context of a transaction see its changes.
//
// A transaction within a transaction of the same store joins it if it gets the context of the outer function. If the
// inner one fails, the outer one fails too, regardless of what its function returns. With any other context it would be
// a separate transaction, and wait for the outer one. If a hook does that with the context of its HTTP request, it gets
// an error immediately. Otherwise the error is [store.ErrUnavailable] after 10 seconds, or the time set by
// [Store.LockTimeout].
//
// The stores of one API share transactions: a Transact of another store with the context of a transaction joins it. The
// changes in all of them are saved at once, or not at all. Stores of different APIs are independent: transactions on
// both at once must begin in the same order everywhere, and are not saved together.
//
// Expired responses are deleted whenever the number of stored ones has doubled.
//
// # Changes
//
// [Store.Report] registers a listener that is called after each transaction that changed records, while others may
// already run. Two successive changes of a record may be reported in either order.
package memory
