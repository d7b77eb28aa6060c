// Package memory keeps records in the memory of the process: the store of a resource
// that names none. The records are gone when the process ends.
//
//	resource.Of[Book]{Store: memory.New(Book{Title: "Dune"}, Book{Title: "Ubik"})}
//
// A store keeps copies: what a caller does to a record before or after does not change
// what is saved. Fields that are not part of the JSON, and the insides of types that marshal
// themselves, are not copied in depth; do not change them.
//
// # Queries
//
// The store runs every store.Query. It has a tree of its records in the order of the identifier
// and of each field that is tagged sort or unique or has the filter exact or iexact. A
// page in one of these orders costs the same wherever it is, and records with a value are
// found without trying the others, as are those with one of several values of several fields. Such a
// field costs about 50 bytes a record. Other conditions are tried on each record, and other orders
// are made by sorting: of 100,000 records that takes some milliseconds. A list reads a copy of the
// tree, which costs nothing to make, so it holds up no transaction.
//
// # Transactions
//
// A transaction locks the records that it touches, one by one, until it ends; readers
// and transactions on other records go on meanwhile. Its writes are staged and saved
// together, or not at all if its function fails or panics or its context is
// cancelled.
//
// A transaction that already holds a record never waits for a second one, so that no
// two wait for each other. It gives up what it holds, waits for its turn, and its
// function is run once more from the start, by then allowed to wait. The function must
// therefore be repeatable: what it does through the transaction is undone before the
// second run, anything else is not.
//
// A transaction within a transaction of the same store joins it if it is given the
// context that the outer function was handed. If the inner one fails, the outer one
// does too, regardless of what its function returns. With any other context it would be a
// transaction of its own, and wait for a record that the outer one holds. If a hook begins one
// with the context of its HTTP request, it is rejected at once. If the store cannot know that it waits for
// itself, it fails with [store.ErrUnavailable] after 10 seconds, or as long as
// [Store.LockTimeout] says.
//
// A transaction locks the keys of the answers that it reads just as it does records. The next
// transactions that read or keep an answer drop expired ones.
//
// The stores of the resources of one API share transactions:
// a Transact of another store with the context of a transaction joins it too, and all
// changes in any of them are saved in one moment, or none. A transaction that holds a record of one
// store then never waits for a record of another. Other stores know nothing of each other:
// transactions in both at once must begin in the same order everywhere, and are not saved together.
//
// # Changes
//
// [Store.Report] has a listener called after each transaction that changed records, when all locks are given
// back. Two transactions that change a record one after the other may be reported in either order.
package memory
