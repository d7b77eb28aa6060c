package postgres

import (
	"strconv"
	"strings"
	"time"
)

// Concurrently returns a statement about an index that blocks no writers.
func (*dialect) Concurrently(statement string) string {
	return strings.Replace(statement, "INDEX ", "INDEX CONCURRENTLY ", 1)
}

// LimitLocks sets lock_timeout.
func (*dialect) LimitLocks(most time.Duration) string {
	return "SET LOCAL lock_timeout = " + strconv.FormatInt(most.Milliseconds(), 10)
}

// Leftovers finds constraints that are not valid, checks, which a change to NOT NULL adds, constraints of indexes, and
// indexes of other tables.
func (*dialect) Leftovers() string {
	return `SELECT conname::text, CASE contype WHEN 'f' THEN 1 ELSE 0 END FROM pg_constraint WHERE conrelid = ` + regclass +
		` AND (contype = 'f' AND NOT convalidated OR contype IN ('c', 'u', 'x'))
UNION ALL SELECT c.relname::text, 2 FROM pg_class t JOIN pg_class c USING (relnamespace) JOIN pg_index i ON i.indexrelid = c.oid
WHERE t.oid = ` + regclass + ` AND i.indrelid <> t.oid AND starts_with(c.relname::text, t.relname::text || '_')`
}

// TryLock takes an advisory lock until the transaction ends. CREATE INDEX CONCURRENTLY would wait for a snapshot of the
// transaction: one of its isolation level, or that of the query, whose portal stays open until the next statement.
func (*dialect) TryLock() (before, query, after string) {
	return "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
		"SELECT CASE WHEN pg_try_advisory_xact_lock(hashtextextended(current_schema(), 7483295)) THEN 1 ELSE 0 END",
		"SET LOCAL lock_timeout TO DEFAULT"
}
