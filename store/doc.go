// Package store is the port through which resources keep their records: [Store], what
// is asked of it, and the errors that it answers with.
//
// store/memory keeps records in memory and is what a resource without a Store uses;
// store/sqlstore keeps them in tables.
// A store of your own implements [Store] and [Tx] and shows that it does with
// storetest.Run and storetest.RunQueries.
package store
