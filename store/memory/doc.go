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
// The store supports every store.Query. It has a tree of its records for the identifier and for each field tagged sort
// or unique. Fields with the filter exact or iexact have a tree too. Such a tree costs about 50 bytes per record. A
// page in the order of a tree takes the same time at any offset. Records with one of several values are found without
// trying the others, also for several fields at once.
//
// Other conditions are tried on each record, and other sort orders are computed by sorting, which takes a few
// milliseconds for 100,000 records. A list reads a snapshot of the tree, which costs nothing, so it never delays a
// transaction.
//
// # Transactions
//
// A transaction locks the records that it uses, one by one, until it ends. Readers, and transactions on other records,
// run meanwhile. Writes are staged and saved together, or not at all if the function fails or panics, or its context is
// cancelled.
//
// To avoid deadlocks, a transaction that holds a record never waits for a second one. It releases what it holds, waits
// for its turn, and runs its function again from the start; this time it may wait. So the function must be retryable:
// what it did through the transaction is undone before the second run, but nothing else is.
//
// Reads with the context of a transaction see its changes. Once it has written, each list costs a few microseconds more.
//
// A transaction within a transaction of the same store joins it if it gets the context of the outer function. If the
// inner one fails, the outer one fails too, regardless of what its function returns. With any other context it would be
// a separate transaction, and wait for the records of the outer one. If a hook does that with the context of its HTTP
// request, it gets an error immediately. Otherwise the error is [store.ErrUnavailable] after 10 seconds, or the time
// set by [Store.LockTimeout].
//
// The stores of one API share transactions: a Transact of another store with the context of a transaction joins it. The
// changes in all of them are saved at once, or not at all. Stores of different APIs are independent: transactions on
// both at once must begin in the same order everywhere, and are not saved together.
//
// A transaction locks the keys of the stored responses that it reads, as it locks records. Later transactions that read
// or store a response delete expired ones.
//
// # Changes
//
// [Store.Report] registers a listener that is called after each transaction that changed records, when all locks are
// released. Two successive changes of a record may be reported in either order.
package memory
