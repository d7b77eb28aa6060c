package sqlstore

import (
	"context"
	"strings"
)

// Executor runs statements, in a transaction or outside of one. Placeholders are those of the database: ? in SQLite, $1
// in PostgreSQL.
type Executor interface {
	// Query runs a statement that returns rows. The caller closes them.
	Query(ctx context.Context, statement string, args ...any) (Rows, error)
	// Exec runs a statement and returns the number of changed rows. It counts each row that an UPDATE matches, even if
	// its values stay the same.
	Exec(ctx context.Context, statement string, args ...any) (int64, error)
}

// Rows are the rows that a query returns, as in database/sql.
type Rows interface {
	// Next advances to the next row, and reports whether there is one.
	Next() bool
	// Scan copies the columns of the row into the values that dest points to.
	Scan(dest ...any) error
	// Err returns the error that ended the rows early.
	Err() error
	// Close releases the rows. It may be called more than once.
	Close() error
}

// Transaction is an [Executor] whose changes are saved together, or not at all.
type Transaction interface {
	Executor
	// Commit saves the changes. The context is never cancelled, because a cancelled commit may succeed; the driver
	// limits how long it waits for a server.
	Commit(ctx context.Context) error
	// Rollback discards the changes, unless Commit was called.
	Rollback(ctx context.Context) error
}

// Finisher is a [Transaction] that can commit together with its last statement. It saves a network round trip. A driver need
// not implement it.
type Finisher interface {
	Transaction

	// Last runs the last statement of the transaction, which returns rows, and commits. Close of the rows returns the error
	// of the commit too; if it returns nil, the transaction has ended and its changes are saved. After an error, the caller
	// calls Rollback. If ctx ends before the statement is sent, nothing is saved; after that, Close waits for the result.
	Last(ctx context.Context, statement string, args ...any) (Rows, error)
}

// Driver connects DB to a database, such as package sqlite, postgres or mysql does. A method Stats() Stats is optional; it
// returns the numbers about connections for [DB.Stats]. So is Pool() (connections int, limit time.Duration), which returns
// the largest number of connections, at least 1, and how long a request may wait for one, 0 for no limit. With it, requests
// that wait for a locked table leave some connections to requests of other tables, and transactions leave one to reads.
type Driver interface {
	// Executor runs statements outside of transactions. Query is used only to read.
	Executor
	// Begin begins a transaction that may write.
	Begin(ctx context.Context) (Transaction, error)
	// Dialect returns the SQL dialect of the database.
	Dialect() Dialect
	// Fault classifies an error of the database. It returns the zero value for all errors that a store need not
	// distinguish.
	Fault(err error) Fault
	// Close closes every connection.
	Close() error
}

// Fault describes an error of a database.
type Fault struct {
	// Kind is the kind of the error.
	Kind FaultKind
	// Constraint is the name of the constraint or index, if the database names it. Otherwise it has the columns that
	// must be unique, separated by ", ".
	Constraint string
}

// FaultKind is the kind of a [Fault]. The zero value is for errors that a store need not distinguish.
type FaultKind int

// The kinds of faults that a driver distinguishes.
const (
	// UniqueFault is a duplicate value in a unique column, or a row that an exclusion constraint forbids.
	UniqueFault FaultKind = iota + 1
	// ForeignKeyFault is a reference to a missing row, or to one that is being deleted.
	ForeignKeyFault
	// CheckFault is a value that a CHECK constraint or the column's type rejects, or a sum of integers beyond the range of
	// the database. Null is not included, because the structs of resources keep clients from sending it.
	CheckFault
	// RetryFault is a conflict with another transaction. The transaction that gets it runs again.
	RetryFault
	// UnavailableFault is a lost connection, a lock that was not released in time, or a statement that the server timed
	// out.
	UnavailableFault
	// UnwritableFault is an UnavailableFault that all writes can have, such as a full disk or a read-only server. If the
	// driver has the methods PingWrites(ctx) error, which returns an error if nothing can be written at the moment, and
	// ProbeWrites(ctx) error, which writes something, [Store.PingWrites] calls the first one; after such a fault it also
	// calls the second one, until that or a write of a store succeeds.
	UnwritableFault
)

// Dialect writes the SQL of a database. A driver's type embeds [BaseDialect], which has the facts about the database and
// the SQL that most databases share, and overrides the methods that differ. It lacks the methods that differ in every
// database, so the compiler requires them.
//
// Arguments are SQL, such as a quoted name or a placeholder, unless the method's documentation says that they are
// names.
type Dialect interface { //nolint:interfacebloat // BaseDialect implements the methods that most databases share
	// Name returns the name of the database for errors, such as "sqlite".
	Name() string
	// Facts returns a copy of the embedded BaseDialect.
	Facts() BaseDialect

	// Quote returns a name as a quoted identifier.
	Quote(name string) string
	// IsType reports whether a type found by Describe is that of a column declared with a type of Base.
	IsType(found, declared string) bool
	// DefaultRow returns the end of an INSERT, after the table's name, for a row that consists only of a generated
	// identifier.
	DefaultRow(id string) string
	// Upsert changes an INSERT so that it updates the columns of an existing row with the same key. Without columns it
	// leaves such a row unchanged.
	Upsert(insert, key string, columns []string) string
	// AdvanceIdentity returns a query that keeps the identity column from generating the value of its placeholder.
	// Column is a name. It returns "" if an INSERT does that.
	AdvanceIdentity(table, column string) string
	// LockTable returns a statement that blocks other inserts into a table. It is used with RowLocks only.
	LockTable(table string) string
	// InFree returns a condition that a value is in the result of a query. With RowLocks it skips rows that others have
	// locked.
	InFree(value, query string) string

	// AlterNull returns a statement that makes a column of a type nullable, or NOT NULL.
	AlterNull(table, column, typ string, nullable bool) string
	// DropIndex returns a statement that drops an index, if it exists. The name of the index has its schema, if it is in
	// one.
	DropIndex(table, index string) string

	// HasPrefix returns a condition that a string begins with a part of the given length in characters. It compares
	// bytes.
	HasPrefix(text, part, length string) string
	// HasSuffix does the same for the end of the string.
	HasSuffix(text, part, length string) string
	// Contains does the same for any position in the string.
	Contains(text, part string) string

	// InList returns a condition that a value is in a list, which is a single argument: see Arrays of Base. It returns ""
	// if each element must be an argument of its own.
	InList(value, list string) string
	// ElementTexts returns a table expression with the elements of a JSON column, as strings in the column value. It
	// has no rows if the column has no list.
	ElementTexts(column string) string
	// ListOf returns an expression for a JSON list of the rows of a table that match a condition, in the order of a
	// column. The elements are values of one column, or lists of the values of several.
	ListOf(table, condition, order string, columns []string) string
}

// BaseDialect has the facts about a database, whose zero values are the defaults, and methods for the SQL that most
// databases share. A driver embeds it in its [Dialect].
type BaseDialect struct {
	// Numbered reports that placeholders are $1, $2 and so on. Default: question marks.
	Numbered bool
	// RowLocks reports that SELECT … FOR UPDATE locks rows. With NOWAIT, a locked row must be an UnavailableFault or a
	// RetryFault. Default: a writing transaction locks the database.
	RowLocks bool
	// ForChange ends a SELECT that locks rows which may be changed but not deleted. It is FOR NO KEY UPDATE if others
	// may insert references to them meanwhile. Default: FOR UPDATE. It is used with RowLocks only.
	ForChange string
	// ForShare ends a SELECT that locks rows against changes. Default: FOR SHARE. It is used with RowLocks only.
	ForShare string
	// LockRows is a statement that creates a table whose rows LockTable and LockPeriods of the dialect lock. Default: they
	// need none.
	LockRows string
	// Remote reports that each statement costs a network round trip. The total of a page is then read together with its
	// rows if possible.
	Remote bool
	// NullsLast reports that null sorts after all values unless NULLS FIRST is written. Default: null sorts before
	// them.
	NullsLast bool
	// TargetsFirst reports that a table must exist before a foreign key references it, and that ALTER TABLE can add the
	// key.
	TargetsFirst bool
	// Arrays reports that a list of values is passed as a Go slice. Default: as a JSON string.
	Arrays bool
	// MaxArguments is the maximum number of arguments of a statement; 0 means no limit.
	MaxArguments int
	// LastIdentity is an expression for the identifier that the last INSERT of a transaction generated. It is for
	// databases without RETURNING, where a second statement reads the stored row. Default: INSERT and UPDATE end in
	// RETURNING.
	LastIdentity string
	// ScansRowValues reports that no index helps with comparisons of row values, such as (a, b) > (1, 2).
	ScansRowValues bool
	// LosesGroupOrder reports that ORDER BY with a column of GROUP BY has no effect next to a window function, as in MariaDB
	// if the column has an index. Such an ORDER BY then has an expression instead.
	LosesGroupOrder bool

	// Boolean to Document are the column types. Document is the type of JSON. All are required.
	Boolean, Integer, Float, Text, Blob, Time, Document string
	// Date is the type of dates, and Decimal that of exact decimal numbers, without their precision and scale. Arguments
	// for such columns are strings. Default: they are stored as strings.
	Date, Decimal string
	// TextTimes reports that times are stored as strings.
	TextTimes bool
	// KeyText is the type of strings in keys and indexes. Default: Text.
	KeyText string
	// KeyLength is how many characters of a string of type Text an index can have. KeyText, and KeyBlob for bytes, are then
	// followed by a length in parentheses, and are for keys, constraints and indexes for sorting only. Default: all.
	KeyLength int
	// KeyBlob is the type of bytes in keys and indexes. It is used with KeyLength only.
	KeyBlob string
	// KeyInIndexes reports that each index ends in the columns of the primary key.
	KeyInIndexes bool
	// CastText is the type to which CAST converts values to strings. Default: TEXT.
	CastText string
	// TimeLayout is how times are written as literals. Default: time.RFC3339Nano.
	TimeLayout string
	// Identity follows the name of an integer column whose values the database generates. Required.
	Identity string
	// TableSuffix ends the CREATE TABLE of a table, ListSuffix that of a table of list elements.
	TableSuffix, ListSuffix string

	// Describe is a query for the columns of the table that its placeholder names. It returns the name, the type,
	// whether the column is nullable (1 or 0), and whether every INSERT must set it (1 or 0). The last is 1 for a
	// column that is NOT NULL and gets no value otherwise. Required.
	Describe string
	// ForeignKeys is a query for the foreign keys of a table. It returns four columns: the name of the constraint, ""
	// if it has none; its columns, separated by ", "; the action on delete; and the table that it references, without its
	// schema. The action is "restrict", "cascade", "null" or another word. Required.
	ForeignKeys string
	// Lists is a query for the tables whose name, followed by _record_fkey, is that of a foreign key, each with the table that
	// the key references. Default: plans do not find tables of lists that no struct has any more.
	Lists string
	// Indexes is a query for the indexes of a table, with the primary key. It returns three columns: the name; the
	// columns, separated by ", " and each with its direction as in ORDER BY, unless that is the default; and 1 if these
	// are unique in all rows, else 0, as for a partial index. Required.
	Indexes string
	// RowChecks changes a DELETE so that foreign keys do not count. It is for databases that check each row when they delete
	// it, and not the rows that the statement leaves. Default: nil.
	RowChecks func(statement string) string
	// NoIfNotExists reports that CREATE INDEX has no IF NOT EXISTS.
	NoIfNotExists bool
	// NoPartialIndexes reports that CREATE INDEX has no WHERE. A unique index is then extended by a generated column, which
	// is null in the rows that do not count.
	NoPartialIndexes bool
}

// Facts returns a copy of the base.
func (b *BaseDialect) Facts() BaseDialect { return *b }

// Quote returns a name in double quotes, as in standard SQL.
func (*BaseDialect) Quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// IsType compares the types without collation and case.
func (*BaseDialect) IsType(found, declared string) bool {
	plain, _, _ := strings.Cut(declared, " COLLATE")
	return strings.EqualFold(found, plain)
}

// DefaultRow returns DEFAULT VALUES.
func (*BaseDialect) DefaultRow(string) string { return "DEFAULT VALUES" }

// Upsert appends ON CONFLICT, which PostgreSQL and SQLite support.
func (*BaseDialect) Upsert(insert, key string, columns []string) string {
	insert += " ON CONFLICT (" + key + ") DO "
	if len(columns) == 0 {
		return insert + "NOTHING"
	}
	set := mapped(columns, func(column string) string { return column + " = excluded." + column })
	return insert + "UPDATE SET " + strings.Join(set, ", ")
}

// AdvanceIdentity returns "", for databases whose INSERT advances the identity itself.
func (*BaseDialect) AdvanceIdentity(string, string) string { return "" }

// LockTable locks all rows, and in databases with gap locks also the gaps between them.
func (*BaseDialect) LockTable(table string) string { return "SELECT 1 FROM " + table + " FOR UPDATE" }

// AlterNull returns ALTER COLUMN, which PostgreSQL and SQLite support.
func (*BaseDialect) AlterNull(table, column, _ string, nullable bool) string {
	if nullable {
		return "ALTER TABLE " + table + " ALTER COLUMN " + column + " DROP NOT NULL"
	}
	return "ALTER TABLE " + table + " ALTER COLUMN " + column + " SET NOT NULL"
}

// DropIndex returns DROP INDEX IF EXISTS.
func (*BaseDialect) DropIndex(_, index string) string { return "DROP INDEX IF EXISTS " + index }

// InFree returns value IN (query).
func (*BaseDialect) InFree(value, query string) string { return value + " IN (" + query + ")" }

// HasPrefix returns a comparison of the result of substr.
func (*BaseDialect) HasPrefix(text, part, length string) string {
	return "substr(" + text + ", 1, " + length + ") = " + part
}

// HasSuffix returns a comparison of the result of substr with a negative start, as in SQLite.
func (*BaseDialect) HasSuffix(text, part, length string) string {
	return "substr(" + text + ", -" + length + ") = " + part
}

// Contains returns a condition that uses instr.
func (*BaseDialect) Contains(text, part string) string {
	return "instr(" + text + ", " + part + ") > 0"
}
