// Package sqlite opens SQLite databases for the stores of package sqlstore. It uses modernc.org/sqlite, which is SQLite
// in pure Go.
//
// A database has one connection that writes and several that read. Writing transactions run one after the other: they
// wait in line rather than fail. Readers do not wait for them, because the journal is a write-ahead log. A transaction
// that has waited for 10 seconds, or for the pragma busy_timeout, fails with store.ErrUnavailable.
//
// A saved transaction is on disk before its response is sent (synchronous=FULL). If losing the last moments in a power
// failure is acceptable, open "file:name.db?_pragma=synchronous(NORMAL)".
//
// Write names of columns in double quotes and strings in single quotes. Connections are opened with _dqs=0, so that the
// name of a missing column is an error rather than a string. [Open] updates the statistics of the query planner; so do
// a growing database and Close.
package sqlite
