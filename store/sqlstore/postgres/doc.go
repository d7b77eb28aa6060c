// Package postgres opens PostgreSQL, and databases with its protocol, for the stores of package sqlstore:
//
//	db, err := postgres.Open(ctx, "postgres://trove:secret@localhost:5432/books")
//	…
//	resource.Of[Book]{Store: sqlstore.Table[Book](db)}
//
// Connections come from a pool of pgx, without database/sql. The DSN may have all options of pgx, such as
// pool_max_conns, default_query_exec_mode and sslmode. It may also have any setting of the server, such as search_path,
// lock_timeout or default_transaction_isolation.
//
// [Open] detects a pooler such as PgBouncer. Statements are then sent without names
// (default_query_exec_mode=cache_describe), unless the DSN sets a mode.
//
// A transaction takes a connection with its first statement, and sends BEGIN along with it. Transactions use all but
// one of the pool's connections. So a hook can always run a query outside of its transaction, regardless of how many
// hooks do. A pool of one connection cannot guarantee that.
//
// A transaction waits for a connection for at most lock_timeout, and each of its statements waits as long for a lock.
// If neither the DSN nor the server sets lock_timeout, it is 10 seconds. Then the error is store.ErrUnavailable. With
// lock_timeout=0 in the DSN there is no limit.
//
// # Transactions
//
// A transaction runs at the default isolation level of its connection, which is READ COMMITTED unless the server or the
// DSN sets another. If that is REPEATABLE READ, transactions are SERIALIZABLE, because only that level notices records
// that others insert meanwhile, such as a reference to a record that goes to the trash. On CockroachDB and YugabyteDB,
// which [Open] recognizes by their version, they always are, and periods are kept apart by locks of rows in a table
// trove_locks. No level loses updates:
//
//   - At READ COMMITTED a record that a transaction reads is locked (SELECT … FOR NO KEY UPDATE) until the
//     transaction ends. Another transaction that reads it waits, and then sees the saved record. Updates and
//     deletes without a read lock it too. Records that reference it can be written meanwhile, unless it is being
//     deleted.
//   - At SERIALIZABLE a record that has changed since the transaction began gives SQLSTATE 40001, and the transaction
//     runs again. So does a deadlock, 40P01.
//
// The records of other tables that the access rules and the When of a write look at are locked too (SELECT … FOR SHARE), so
// that they do not change before the write is saved; those of an Existing table are not, because that needs a permission to
// change them.
//
// READ COMMITTED does not protect decisions based on rows that your own query read without a lock. For example, two
// transactions can both find that a seat is free. Lock the rows you decide on, add a constraint, or set
// default_transaction_isolation=serializable in the DSN.
//
// # Lost connections
//
// If its connection is lost, a call returns store.ErrUnavailable. The next one gets a new connection as soon as the
// server accepts one. Connecting takes at most 5 seconds, unless the DSN sets connect_timeout. After a connection was
// lost, calls first ping the server, for at most 2 seconds, and fail immediately while it does not respond. A
// connection to a server that rejects a write because it is read-only is closed.
//
// If a connection is lost during a commit, it is unknown whether the changes were saved. The error is the same, so a
// caller who tries again must expect them to exist.
package postgres
