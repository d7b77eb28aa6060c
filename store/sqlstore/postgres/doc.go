// Package postgres opens PostgreSQL, and what speaks its protocol, for the stores of
// package sqlstore:
//
//	db, err := postgres.Open(ctx, "postgres://trove:secret@localhost:5432/books")
//	…
//	resource.Of[Book]{Store: sqlstore.Table[Book](db)}
//
// Connections come from a pool of pgx, without database/sql between. The DSN is pgx's
// with all its options: pool_max_conns, default_query_exec_mode, sslmode, and any setting
// of the server, such as search_path, lock_timeout or default_transaction_isolation.
//
// Through a pooler such as PgBouncer, which [Open] tells by the process that it names,
// statements are sent without names (default_query_exec_mode=cache_describe), unless the
// DSN chooses a mode.
//
// A transaction takes a connection with its first statement, and sends its BEGIN along.
// All but one of the pool's connections are for transactions: a hook that asks for
// something outside of its transaction finds one free, however many hooks do. A pool of
// one connection cannot keep that promise.
//
// A transaction waits for a connection, and each of its statements for a lock, as long as
// lock_timeout says; 10 seconds where neither the DSN nor the server sets it. Then the error
// is store.ErrUnavailable. A lock_timeout of 0 in the DSN is no limit.
//
// # Transactions
//
// A transaction runs at the isolation level that its connection has by default, READ
// COMMITTED unless the server or the DSN says otherwise. It loses no update at any:
//
//   - At READ COMMITTED a record that a transaction reads is locked (SELECT … FOR NO KEY
//     UPDATE) until the transaction ends. Another one that reads it waits, and then sees
//     what the first has saved. An update or a delete without a read locks just so. Records
//     that refer to it can be written meanwhile, unless it is deleted.
//   - At REPEATABLE READ and SERIALIZABLE, which CockroachDB has by default, a record
//     that changed since the transaction began is an error, SQLSTATE 40001, on which the
//     transaction is run again. So it is where a deadlock is found, 40P01.
//
// What READ COMMITTED leaves open are decisions on rows that were only looked at, by a
// query of your own: two transactions can both find a seat free. Lock what you decide
// on, have a constraint, or set default_transaction_isolation=serializable in the DSN.
//
// # Lost connections
//
// A call whose connection is lost is answered with an error that is
// store.ErrUnavailable, and the next one gets another connection as soon as the server
// gives one. Connecting takes 5 seconds at most, unless the DSN sets connect_timeout. Once a
// connection was lost, calls ping the server first, for 2 seconds at most, and fail at once while it
// does not respond. A connection to a server that rejects a write because it only reads is closed.
// A connection that is lost during a commit leaves open whether the changes
// are saved: the same error, so whoever tries again must expect to find them.
package postgres
