// Package store is the port through which resources keep their records: [Store], what
// is asked of it, and the errors that it answers with.
//
// store/memory keeps records in memory and is what a resource without a Store uses;
// store/sqlstore keeps them in tables.
// A store of your own implements [Store] and [Tx] and shows that it does with
// storetest.Run and storetest.RunQueries.
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
// A store can have more to say by methods that resource.New looks for. CheckInserts(ctx
// context.Context) error returns an error if every insert would fail; it is called if an operation
// creates records. PingWrites(ctx context.Context) error, which must be there too, returns an error
// if the store cannot be written to now; readiness calls it after Ping if an operation writes.
// Advise(ctx context.Context) ([]string, error) returns lines that are logged as warnings: what
// works, but promises less than the struct says. They are found like the following.
//
// resource.New finds [Checker], [QueryChecker] and [Pinger] by Unwrap() any, or in the Store
// that a wrapper without one embeds; a wrapper that has such a method itself is asked in
// place of the inner store. An [AnswerKeeper] is not looked for within, for the answers are kept by the
// transactions that the wrapper hands out: one whose transactions are an [AnswerTx], as those
// of an inner store that it hands on are, says so by a method CheckAnswers. Nor is it looked for
// within that a store answers groups ([Query]): a wrapper whose List hands on whole queries says so
// by a method Groups() bool that returns true; one that answers queries itself, or keeps answers to
// them, does so once it reads all of a [Condition] and an [Order]. Reads happen
// outside of transactions too: one that filters does so in Get and List and in the Get of
// its [Tx]. storetest.RunWrapper tells what a wrapper has lost, and storetest.Run whether it
// is a store still.
package store
