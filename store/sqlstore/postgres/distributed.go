package postgres

import (
	"hash/crc32"
	"strconv"
	"strings"

	"github.com/trove-api/trove/store/sqlstore"
)

// product is a product with the protocol of PostgreSQL.
type product int

// The products whose SQL differs. Amazon Aurora and Citus run PostgreSQL itself.
const (
	postgreSQL product = iota
	cockroachDB
	yugabyteDB
)

// productOf returns the product that a server reports as its version.
func productOf(version string) product {
	switch {
	case strings.HasPrefix(version, "CockroachDB"):
		return cockroachDB
	case strings.Contains(version, "-YB-"):
		return yugabyteDB
	}
	return postgreSQL
}

// distributed writes SQL for databases on several servers. It has no exclusion constraints, no indexes of GIN and no locks
// except those of rows, so the methods for them are missing. Transactions are serializable.
type distributed struct{ common }

// dialect returns the dialect of a product other than PostgreSQL, which has the facts of PostgreSQL.
func (p product) dialect(facts sqlstore.BaseDialect) sqlstore.Dialect {
	if p == cockroachDB { // its strings have no collation, and it stores JSON in another form than it was written in
		facts.Text, facts.Document = "TEXT", "TEXT"
	}
	facts.LockRows = "CREATE TABLE IF NOT EXISTS trove_locks (\n\tid BIGINT NOT NULL PRIMARY KEY,\n\tchanges BIGINT NOT NULL\n)"
	return &distributed{common{facts}}
}

// lock returns a statement that changes a row. Then only one of several transactions that run it commits at a time.
func lock(number string) string {
	return "INSERT INTO trove_locks (id, changes) VALUES (" + number + " & 4095, 1) ON CONFLICT (id) DO UPDATE SET changes = trove_locks.changes + 1"
}

// LockTable blocks other calls of LockTable.
func (*distributed) LockTable(table string) string {
	return lock(strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(table))), 10))
}

// LockPeriods blocks other writers that lock the same number.
func (*distributed) LockPeriods() string { return lock("$1::bigint") }

// InFree runs the query once, as an array. It skips no locked rows, because serializable transactions cannot.
func (*distributed) InFree(value, query string) string {
	return value + " = ANY (ARRAY(" + query + "))"
}

// HasSuffix uses right.
func (*distributed) HasSuffix(text, part, length string) string {
	return "right(" + text + ", " + length + ") = " + part
}

// Contains uses strpos.
func (*distributed) Contains(text, part string) string {
	return "strpos(" + text + ", " + part + ") > 0"
}
