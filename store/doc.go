// Package store is the port through which resources keep their records: [Store], what
// is asked of it, and the errors that it answers with.
//
// store/memory keeps records in memory and is what a resource without a Store uses;
// store/sqlstore keeps them in tables.
// A store of your own implements [Store] and [Tx] and shows that it does with
// storetest.Suite.
//
// # Wrapping a store
//
// A store can be put around another one, to count, cache or filter. What the inner one is
// beside a [Store] must not be lost on the way:
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
// The other interfaces are capabilities: resource.New looks for them in each store. It
// finds [Checker], [WriteChecker], [QueryChecker], [Adviser], [Pinger] and [Stamper] in the inner
// store too, through [Wrapper], or in the Store that a wrapper embeds; a wrapper
// that implements one itself takes precedence. A wrapper must implement the others itself: [BatchGetter],
// [Grouper] and [Joiner] if its List passes on whole queries, or reads all of a [Condition] and an
// [Order], and [ResponseKeeper] if its transactions are an [ResponseTx], as those of an inner store
// that it passes on are. Assert a capability at compile time, because a method with a typo is none:
//
//	var _ store.Grouper = (*counted)(nil)
//
// Reads happen outside of transactions too: a wrapper that filters does so in Get and List and in
// the Get of its [Tx]. storetest.RunWrapper reports what a wrapper has lost, and storetest.Suite
// whether it is still a store.
package store
