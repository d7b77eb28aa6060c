// Package memory keeps records in the memory of the process: the store of a resource
// that names none. What it holds is gone when the process ends.
//
//	resource.Of[Book]{Store: memory.New(Book{Title: "Dune"}, Book{Title: "Ubik"})}
//
// A store keeps copies: what a caller does to a record before or after does not change
// what is saved. Not copied in depth, and so to be left alone, are fields that are no
// JSON members and the insides of types that marshal themselves.
//
// # Queries
//
// The store answers every store.Query. It keeps records in the order of their identifier
// and of each field that is tagged sort or unique or has the filter exact or iexact, so that a
// page in one of these orders costs the same wherever it is, and what is equal to a value is
// found without going through the rest. Such a field costs about 50 bytes a record. Other
// conditions are tried on one record after the other; other orders are made by sorting: of
// 100,000 records that takes some milliseconds. A list reads a copy of the order that costs
// nothing to make, and holds up no transaction.
//
// # Transactions
//
// A transaction locks the records that it touches, one by one, until it ends; readers
// and transactions on other records go on meanwhile. Its writes are staged and saved
// together, or not at all when its function fails or panics or its context is
// cancelled.
//
// A transaction that already holds a record never waits for a second one, so that no
// two wait for each other. It gives up what it holds, waits for its turn, and its
// function is run once more from the start, by then allowed to wait. The function must
// therefore be repeatable: what it does through the transaction is undone before the
// second run, anything else is not.
//
// A transaction within a transaction of the same store joins it, if it is given the
// context that the outer function was handed. Where the inner one fails the outer one
// does too, whatever its function returns. With any other context it would be a
// transaction of its own and wait in vain for a record that the outer one holds. So one
// that a hook begins with the context of its HTTP request is refused at once, and one
// that nobody can tell from another goroutine's fails with [store.ErrUnavailable] when it
// has waited for 10 seconds, or as long as [Store.LockTimeout] says.
//
// A transaction locks the keys of the answers that it asks for just as it does records. An
// answer that has expired is dropped by the next transactions that ask for one or keep one.
//
// The stores of the resources of one API share transactions, as do those that [Together] is
// told of: a Transact of another one with the context of a transaction joins it too, and all
// that was done in any of them is saved in one moment, or none of it. What is said of
// one store's records then holds for those of all: who holds a record of one waits for none
// of another. Other stores know nothing of each other: transactions in both at once must begin
// in the same order everywhere, and are not saved as one.
package memory
