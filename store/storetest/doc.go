// Package storetest tests that a store follows the rules of [store.Store]. Run [Suite] in the tests of a store of your
// own:
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
// Each field of [Suite] has one type of records and the rules about it. Set the fields that your store supports. The
// records reference each other by type name, as the records of an API do.
//
// Each rule is a subtest on new, empty stores. If it fails, it logs the reason for the rule. Rules about concurrency
// check the result only, so a store with a single writer passes, as does one that runs transactions again. A call that
// takes a minute fails its rule through its context. With -short only some of the random queries and deletes run.
//
// Use [RunWrapper] for a store that wraps another one.
package storetest
