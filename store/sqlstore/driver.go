package sqlstore

import "context"

// Executor runs statements, in a transaction or outside of one. Placeholders are those
// of the database: ? in SQLite, $1 in PostgreSQL.
type Executor interface {
	// Query runs a statement that returns rows, which the caller closes.
	Query(ctx context.Context, statement string, args ...any) (Rows, error)
	// Exec runs a statement, and returns how many rows it changed. A row that an UPDATE finds counts, even if
	// it had the values before.
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
	// Fault returns what an error of the database means; the zero value is for all other errors.
	Fault(err error) Fault
	// Close closes every connection.
	Close() error
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

// FaultKind is the sort of a [Fault]. The zero value is for errors that mean nothing to a store.
type FaultKind int

// The sorts of faults.
const (
	// UniqueFault is a value that another row has.
	UniqueFault FaultKind = iota + 1
	// ForeignKeyFault is a reference to a missing row, or to one that is being deleted.
	ForeignKeyFault
	// CheckFault is a value that a CHECK constraint or the type of its column rejects, except null: the structs of
	// resources keep clients from sending one.
	CheckFault
	// RetryFault is a conflict with another transaction: run it again.
	RetryFault
	// UnavailableFault is a lost connection, a lock that was not released in time, or an outage: a full disk, a server that
	// only reads, a statement that took too long for the server.
	UnavailableFault
)
