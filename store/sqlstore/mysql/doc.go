// Package mysql opens MariaDB and MySQL for the stores of package sqlstore:
//
//	db, err := mysql.Open(ctx, "mysql://trove:secret@localhost:3306/books")
//	…
//	resource.Of[Book]{Store: sqlstore.Table[Book](db)}
//
// It needs MariaDB 10.6, MySQL 8.0.19, or later. Its tests run on MariaDB 10.11. They have not run on MySQL: what differs
// there is chosen by the version of the server, and follows the documentation.
//
// The DSN is a URL, or has the form of github.com/go-sql-driver/mysql. It may have all options of that driver, such as tls,
// and variables of the session, such as max_statement_time. The option pool_max_conns is the maximum number of
// connections; its default is the number of CPUs, at least 4. Connecting takes at most 5 seconds, unless the DSN sets
// timeout.
//
// [Open] sets what the stores need, regardless of the DSN and of the server: the time zone UTC, a strict sql_mode, a
// collation that compares strings by their bytes (utf8mb4_nopad_bin; utf8mb4_0900_bin in MySQL), and the isolation level
// READ COMMITTED. The sql_mode has ANSI_QUOTES and PIPES_AS_CONCAT: statements of your own can quote names as in other
// databases, and strings only in single quotes.
//
// # Transactions
//
// A transaction takes a connection with its first statement. Transactions use all but one of the pool's connections. So a
// hook can always run a query outside of its transaction, regardless of how many hooks do. A pool of one connection cannot
// guarantee that.
//
// A record that a transaction reads is locked (SELECT … FOR UPDATE) until the transaction ends. Another transaction that
// reads it waits, and then sees the saved record. Records that reference it wait too. After a deadlock a transaction
// runs again. READ COMMITTED does not protect decisions based on rows that your own query read without a lock: lock
// them, or declare a constraint.
//
// A transaction waits for a connection for at most innodb_lock_wait_timeout, and each of its statements waits as long for a
// lock. If the server has its default of 50 seconds and the DSN does not set it, it is 10 seconds. Then the error is
// store.ErrUnavailable, and nothing is saved. A request that is cancelled closes its connection; the server may go on
// with its last statement until that ends.
//
// The periods of store.NoOverlap are kept apart by rows of the table trove_locks, which a transaction changes before it
// searches for others: DB.Create and DDL create the table.
//
// # Columns and indexes
//
// Strings in keys, in constraints and in fields to sort by are VARCHAR, with the length that all stores allow there. Other
// strings are LONGTEXT, and their indexes have the first 400 characters. A store.Decimal has at most 65 digits, 30 of them
// after the point (38 in MariaDB). DDL is not part of a transaction: if DB.Create fails, call it again.
//
// A unique constraint for some rows, such as those that are not in the trash, has a further column that the database
// computes, because these databases have no partial indexes.
//
// # Lost connections
//
// If its connection is lost, a call returns store.ErrUnavailable. The next one gets a new connection as soon as the
// server accepts one. After a connection was lost, calls first ping the server, for at most 2 seconds, and fail
// immediately while it does not respond. A connection to a server that rejects a write because it is read-only is
// closed.
//
// If a connection is lost during a commit, it is unknown whether the changes were saved. The error is the same, so a
// caller who tries again must expect them to exist.
//
// # Galera
//
// On a node of a Galera cluster, a commit can fail because another node has changed the same rows. The transaction runs
// again then. Locks are local to a node, so only rows that both transactions change protect them from each other:
// updates of one record, unique fields, references and periods do. Not protected are records that a transaction only
// reads, such as those that its access rules look at, or a referenced record that goes to the trash meanwhile. Reads
// wait until the node has applied what other nodes have saved before (wsrep_sync_wait=1), unless the DSN sets
// wsrep_sync_wait.
package mysql
