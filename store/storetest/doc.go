// Package storetest is the conformance suite of [store.Store]: what a store must do so that resources work on it.
// A store of your own runs it in its tests:
//
//	func TestStore(t *testing.T) {
//		suite := storetest.Suite[*mystore.DB]{Open: mystore.Temporary}
//		suite.Integers = open // Go infers the type of the records
//		suite.Strings = open
//		suite.Queries = open
//		suite.Run(t)
//	}
//
//	func open[T any](t *testing.T, db *mystore.DB) store.Store[T] { return mystore.New[T](db) }
//
// Each field of [Suite] stands for one type of records and the rules about it. Set those that your store keeps.
// The records of the suite refer to each other by the names of their types, as the records of an API do.
//
// Each case is a subtest named after the rule that it tests, and gets new and empty stores. A case that fails
// explains the rule. The suite asks for the result of concurrent transactions, not for how many of them run at a
// time: a store with a single writer passes, as does one that runs transactions again. A call that takes a minute
// fails its case through its context. With -short a part of the queries and of the deletes is tried.
package storetest
