// Package sqlite opens SQLite databases for package sqlstore, by modernc.org/sqlite, which
// is SQLite in pure Go.
//
// A database has one connection that writes, so that transactions which write are one
// after the other and wait in line rather than fail, and several that read, which do not
// wait for it: the journal is a write-ahead log. One that has waited for 10 seconds, or as
// long as the pragma busy_timeout says, fails with an error that is store.ErrUnavailable. What a transaction has saved is on the
// disk when its answer is sent (synchronous=FULL); a program that would rather lose the
// last moments when the power fails opens "file:name.db?_pragma=synchronous(NORMAL)".
//
// Names of columns are in double quotes, strings in single ones: connections open with _dqs=0, so
// that the name of a missing column is an error and not a string. [Open] makes the statistics that
// the query planner needs, and so does a database that grows or is closed.
package sqlite
