package sqlstore

import (
	"context"

	"github.com/huandu/go-sqlbuilder"
)

// Executor runs statements, in a transaction or outside of one. Placeholders are those
// of the database: ? in SQLite, $1 in PostgreSQL.
type Executor interface {
	// Query runs a statement that returns rows, which the caller closes.
	Query(ctx context.Context, statement string, args ...any) (Rows, error)
	// Exec runs a statement, and returns how many rows it changed.
	Exec(ctx context.Context, statement string, args ...any) (int64, error)
}

// Rows are the rows that a query returns, as in database/sql.
type Rows interface {
	// Next goes on to the next row, and reports whether there is one.
	Next() bool
	// Scan copies the columns of the row into what dest points to.
	Scan(dest ...any) error
	// Err returns the error that ended the rows early.
	Err() error
	// Close gives the rows back. It may be called again.
	Close() error
}

// Transaction is an [Executor] whose changes are saved together, or not at all.
type Transaction interface {
	Executor
	// Commit saves the changes.
	Commit(ctx context.Context) error
	// Rollback drops them, unless Commit was called.
	Rollback(ctx context.Context) error
}

// Driver is a database, as package sqlite or postgres opens it.
type Driver interface {
	// Executor runs statements outside of transactions. Queries only read.
	Executor
	// Begin begins a transaction that may write.
	Begin(ctx context.Context) (Transaction, error)
	// Dialect returns how the database writes SQL.
	Dialect() Dialect
	// Fault tells what an error of the database means; its zero value is any other one.
	Fault(err error) Fault
	// Close closes every connection.
	Close() error
}

// Dialect is what databases write differently.
type Dialect struct {
	// Name is "sqlite" or "postgres".
	Name string
	// Flavor is how the builder writes placeholders.
	Flavor sqlbuilder.Flavor
	// RowLocks says that SELECT … FOR UPDATE locks rows. Else a transaction that may
	// write locks the database.
	RowLocks bool
	// ForChange is what a SELECT ends with that locks rows which the transaction may change but does
	// not delete: FOR NO KEY UPDATE where that lets others refer to them meanwhile. The default is
	// FOR UPDATE. It is used with RowLocks only.
	ForChange string
	// Remote says that each statement is a way to a server and back. The total of a page is then
	// read with its rows where it can be, and not by a statement of its own.
	Remote bool
	// TextTimes says that times are kept as text.
	TextTimes bool
	// AdvanceIdentity is a statement that keeps the identifier $1 of {table} and {column}
	// from being generated; "" where the database sees to it.
	AdvanceIdentity string
	// NullsLast says that null comes behind all values unless NULLS FIRST is written.
	NullsLast bool
	// Types are the names of the types of columns.
	Types ColumnTypes
	// Identity is what follows the name of an integer column that is the identifier and
	// made by the database.
	Identity string
	// TableSuffix follows the columns of a new table.
	TableSuffix string
	// Prefix, Suffix and Contains are conditions on a {text} and a {part} of it, which has
	// a {length} in characters.
	Prefix, Suffix, Contains string
	// OneOf is a condition that a {value} is in a {list}, which is one value: an array, or
	// the text of one in JSON.
	OneOf string
	// JSONLists says that lists are JSON.
	JSONLists bool
	// MaxArguments is how many arguments a statement has at most; 0 is any number.
	MaxArguments int
	// ListSuffix is TableSuffix for a table of the elements of lists.
	ListSuffix string
	// ListOf is an expression for the JSON of the list that a {table} of elements has for a
	// record: its column target in the rows for which {isOf} holds, by position.
	ListOf string
	// KeysOf is ListOf for a table whose elements have several columns, which {targets} lists: the
	// JSON of a list of lists of their values.
	KeysOf string
	// Elements is what rows are selected from that have the elements of a {list}, as OneOf has
	// it, in the column value, and their numbers from 0 in the column key; {type} is theirs.
	Elements string
	// ElementsOf is the same of a {list} that is a column with JSON, of which none need be: their
	// texts in the column value.
	ElementsOf string
	// Describe is a query for the columns of the table $1: name, type, whether the column can be
	// null (1 or 0), and whether every insert must set it (1 or 0), because it is NOT NULL and
	// neither a default nor anything else gives it a value.
	Describe string
	// TargetsFirst says that a table must be there before another one refers to it.
	TargetsFirst bool
	// ForeignKeys is a query for the foreign keys of the table $1: the constraint's name, "" where
	// it has none, its columns, with commas and spaces, and what becomes of the row when the other
	// one is deleted: "restrict", "cascade", "null" or another word.
	ForeignKeys string
	// PrimaryKey is a query for the names of the columns of the primary key of the table $1; ""
	// leaves identifiers of several columns unchecked.
	PrimaryKey string
	// Uniques is a query for the columns of the table $1 that a unique constraint of
	// theirs alone keeps unique: the constraint's name and the column's.
	Uniques string
}

// ColumnTypes are the names of the types of columns.
type ColumnTypes struct {
	// Boolean to Document are each for values of their name; Document is JSON.
	Boolean, Integer, Float, Text, Blob, Time, Document string
}

// Fault is what an error of a database means.
type Fault struct {
	// Kind is the sort of the error.
	Kind FaultKind
	// Column is the column that must be unique, where the database names it.
	Column string
	// Constraint is the name of the constraint or the index, where the database has it, or else
	// the columns that must be unique together, with commas and spaces.
	Constraint string
}

// FaultKind is the sort of a [Fault].
type FaultKind int

// The sorts of faults.
const (
	// OtherFault is none of the others.
	OtherFault FaultKind = iota
	// UniqueFault is a value that another row has.
	UniqueFault
	// ForeignKeyFault is a reference to a row that is not there, or to one that goes.
	ForeignKeyFault
	// CheckFault is a value that a CHECK constraint or the type of its column refuses. A null that is
	// refused is none, because the structs of resources keep clients from sending one.
	CheckFault
	// RetryFault is a conflict with another transaction: run it again.
	RetryFault
	// UnavailableFault is a connection that cannot be made or was lost, or a lock that was
	// not to be had in time, or an outage: a full disk, a server that only reads, a statement that
	// took too long for the server.
	UnavailableFault
)
