// Package store defines the interface that stores implement: [Store], its transactions ([Tx]), queries ([Query]) and
// errors.
//
// Package store/memory stores records in memory; resources without a Store use it. Package store/sqlstore stores them
// in tables of a database. Use [Find], [List], [Count], [Insert], [Update], [UpdateWhere], [Delete] and [Purge] to work with any
// store from your own code, with conditions such as [Eq], [In] and [Gte].
//
// To write a store of your own, implement [Store] and [Tx], and test it with storetest.Suite.
//
// # Wrapping a store
//
// A wrapper adds something to another store, such as a count, a cache or a filter. It must keep the capabilities of the
// inner store:
//
//	type counted struct {
//		store.Store[Book]
//		reads atomic.Int64
//	}
//
//	func (c *counted) Unwrap() any { return c.Store }
//
//	func (c *counted) Get(ctx context.Context, id any) (*Book, error) {
//		c.reads.Add(1)
//		return c.Store.Get(ctx, id)
//	}
//
// The other interfaces are capabilities, which resource.New detects. It finds [Checker], [Pinger], [Reporter],
// [LogKeeper] and [Stamper] in the inner store too, through [Wrapper] or an embedded Store. If the wrapper implements one of these
// itself, its own method takes precedence.
//
// A wrapper must implement the other capabilities itself:
//
//   - [BatchGetter], if it can get many records at once.
//   - [Grouper] and [Joiner], if its List passes whole queries to the inner store, or handles every field of
//     [Condition] and [Order].
//   - [Aggregator], if its rows are those of the inner store.
//   - [Estimator], if its List shows all records of the inner store.
//   - [Trasher], if its List passes whole queries to the inner store, or handles [Query].Deleted, and its transactions are a
//     [TrashTx].
//   - [ResponseKeeper], if its transactions are a [ResponseTx]. They are if they are those of an inner ResponseKeeper.
//
// Assert a capability at compile time, because a misspelled method is not detected:
//
//	var _ store.Grouper = (*counted)(nil)
//
// Reads also happen outside transactions, so a wrapper that filters must do so in Get and List and in the Get of its
// [Tx]. Reads with the context of a transaction see its writes, so a cache must not store their results.
// storetest.RunWrapper reports the capabilities that a wrapper has lost; storetest.Suite tests that it still is a
// correct store.
package store
