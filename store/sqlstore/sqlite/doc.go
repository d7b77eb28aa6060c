// Package sqlite opens SQLite databases for package sqlstore, by modernc.org/sqlite, which
// is SQLite in pure Go.
//
// A database has one connection that writes, so that transactions which write are one
// after the other and wait in line rather than fail, and several that read, which do not
// wait for it: the journal is a write-ahead log. One that has waited for 10 seconds, or as
// long as the pragma busy_timeout says, fails with an error that is store.ErrUnavailable. What a transaction has saved is on the
// disk when its answer is sent (synchronous=FULL); a program that would rather lose the
// last moments when the power fails opens "file:name.db?_pragma=synchronous(NORMAL)".
package sqlite
