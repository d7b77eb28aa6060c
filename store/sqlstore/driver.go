package sqlstore

import (
	"context"
	"fmt"
	"strings"
)

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

// Dialect is how a database writes SQL. The type of a driver embeds [Base], which has the facts of the database and the
// SQL that most databases share, and overrides the methods in which the database differs. The other methods have no
// form that two databases share: the compiler asks for them.
//
// What a method is given is SQL, such as a quoted name or a placeholder, unless its text speaks of a name.
type Dialect interface { //nolint:interfacebloat // a Base has all methods but those that differ in every database
	// Name returns the name of the database in errors, such as "sqlite".
	Name() string
	// Facts returns the embedded Base.
	Facts() Base

	// Quote returns a name as an identifier.
	Quote(name string) string
	// Cast returns a value as one of a type of Base. Databases that know the type of a placeholder return the value.
	Cast(value, typ string) string
	// IsType reports whether a type that Describe finds is that of a column declared with a type of Base.
	IsType(found, declared string) bool
	// DefaultRow returns what follows the table in an INSERT of a row that has an identifier alone, which the database generates.
	DefaultRow(id string) string
	// Upsert returns an INSERT that sets the columns of a row that has its key already to its values. Without
	// columns it leaves such a row alone, and changes no row.
	Upsert(insert, key string, columns []string) string
	// AdvanceIdentity returns a query that keeps the value of its placeholder from being generated for a column; both
	// are given by name. "" if an INSERT does that.
	AdvanceIdentity(table, column string) string
	// LockTable returns a statement that keeps others from inserting into a table. It is for databases with RowLocks.
	LockTable(table string) string
	// InFree returns a condition that a value is among those that a query finds. With RowLocks it is to skip
	// rows that others have locked.
	InFree(value, query string) string

	// HasPrefix returns a condition that a text begins with a part, which has a length in characters. It compares bytes.
	HasPrefix(text, part, length string) string
	// HasSuffix is HasPrefix for the end of the text.
	HasSuffix(text, part, length string) string
	// Contains is HasPrefix for any place in the text.
	Contains(text, part string) string

	// InList returns a condition that a value is in a list, which is one value: see Arrays of Base.
	InList(value, list string) string
	// Elements returns what to select from to get the elements of a list in the column value, and their
	// numbers from 0 in the column key. The type of Base is that of the elements.
	Elements(list, typ string) string
	// ElementTexts returns what to select from to get the texts of the elements of a JSON column in
	// the column value. There are none if the column has no list.
	ElementTexts(column string) string
	// ListOf returns an expression for the JSON list of the rows of a table that fulfill a condition, in the
	// order of a column: of their value in one column, or of lists of their values in several.
	ListOf(table, condition, order string, columns []string) string
}

// Base is what a driver embeds in its [Dialect]: facts, whose zero values are the defaults, and methods for the SQL that most databases share.
type Base struct {
	// Numbered reports that placeholders are $1, $2 and so on. Default: each is a question mark.
	Numbered bool
	// RowLocks reports that SELECT … FOR UPDATE locks rows. Default: a transaction that may write locks the database.
	RowLocks bool
	// ForChange ends a SELECT that locks rows which the transaction may change but does not delete: FOR NO KEY UPDATE
	// where others may refer to them meanwhile. Default: FOR UPDATE. It is used with RowLocks only.
	ForChange string
	// Remote reports that each statement costs a network round trip. The total of a page is then read with its rows
	// where possible.
	Remote bool
	// NullsLast reports that null is greater than all values unless NULLS FIRST is written.
	NullsLast bool
	// TargetsFirst reports that a table must exist before a foreign key refers to it, and that ALTER TABLE can add the key.
	TargetsFirst bool
	// Arrays reports that a list of values is passed as a Go slice. Default: as a string of JSON.
	Arrays bool
	// MaxArguments is how many values a statement has at most; 0 is no limit.
	MaxArguments int
	// LastIdentity is an expression for the identifier that the last INSERT of a transaction has generated. It is for databases
	// without RETURNING: what they keep of a row is read by a second statement. Default: INSERT and UPDATE end in RETURNING.
	LastIdentity string

	// Boolean to Document are the types of columns. Document is for JSON. All are required.
	Boolean, Integer, Float, Text, Blob, Time, Document string
	// TextTimes reports that Time is a type of strings.
	TextTimes bool
	// KeyText is the type of strings in keys and indexes. Default: Text.
	KeyText string
	// Identity follows the name of an integer column whose values are identifiers that the database generates. Required.
	Identity string
	// TableSuffix follows the columns of a new table, ListSuffix those of a table of the elements of lists.
	TableSuffix, ListSuffix string

	// Describe is a query for the columns of the table whose name is the value of the placeholder: name, type, whether
	// the column can be null (1 or 0), and whether every INSERT must set it (1 or 0), because it is NOT NULL and has
	// neither a default nor anything else that gives it a value. Required.
	Describe string
	// ForeignKeys is a query for the foreign keys of a table: the name of the constraint, "" for none; its columns, separated
	// by a comma and a space; and what a delete of the other row does: "restrict", "cascade", "null" or another word. Required.
	ForeignKeys string
	// Uniques is a query for the unique constraints of a table with a single column: the name of each and its column. Required.
	Uniques string
	// PrimaryKey is a query for the columns of the primary key of a table. Default: identifiers of several columns are not checked.
	PrimaryKey string
	// Indexes is a query for the names of the indexes of a table, for databases without CREATE INDEX IF NOT EXISTS.
	Indexes string
}

// Facts returns the base.
func (b *Base) Facts() Base { return *b }

// Quote returns a name in double quotes, as standard SQL has it.
func (*Base) Quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// Cast returns CAST(value AS typ).
func (*Base) Cast(value, typ string) string { return "CAST(" + value + " AS " + typ + ")" }

// IsType compares the types without their collation, in any case.
func (*Base) IsType(found, declared string) bool {
	return strings.EqualFold(found, plainType(declared))
}

// plainType returns a type without its collation.
func plainType(declared string) string {
	plain, _, _ := strings.Cut(declared, " COLLATE")
	return plain
}

// DefaultRow returns DEFAULT VALUES.
func (*Base) DefaultRow(string) string { return "DEFAULT VALUES" }

// Upsert appends ON CONFLICT, as PostgreSQL and SQLite have it.
func (*Base) Upsert(insert, key string, columns []string) string {
	insert += " ON CONFLICT (" + key + ") DO "
	if len(columns) == 0 {
		return insert + "NOTHING"
	}
	set := make([]string, len(columns))
	for i, column := range columns {
		set[i] = column + " = excluded." + column
	}
	return insert + "UPDATE SET " + strings.Join(set, ", ")
}

// AdvanceIdentity returns "".
func (*Base) AdvanceIdentity(string, string) string { return "" }

// LockTable locks all rows, and the place of those to come in databases that lock gaps.
func (*Base) LockTable(table string) string { return "SELECT 1 FROM " + table + " FOR UPDATE" }

// InFree returns value IN (query).
func (*Base) InFree(value, query string) string { return value + " IN (" + query + ")" }

// HasPrefix compares by substr.
func (*Base) HasPrefix(text, part, length string) string {
	return "substr(" + text + ", 1, " + length + ") = " + part
}

// HasSuffix compares by substr.
func (*Base) HasSuffix(text, part, length string) string {
	return "substr(" + text + ", -" + length + ") = " + part
}

// Contains compares by instr.
func (*Base) Contains(text, part string) string { return "instr(" + text + ", " + part + ") > 0" }

// missing returns an error that names what a driver has left out of a base.
func (b *Base) missing(name string) error {
	var missing []string
	for _, required := range []struct{ name, value string }{
		{"Boolean", b.Boolean},
		{"Integer", b.Integer},
		{"Float", b.Float},
		{"Text", b.Text},
		{"Blob", b.Blob},
		{"Time", b.Time},
		{"Document", b.Document},
		{"Identity", b.Identity},
		{"Describe", b.Describe},
		{"ForeignKeys", b.ForeignKeys},
		{"Uniques", b.Uniques},
	} {
		if required.value == "" {
			missing = append(missing, required.name)
		}
	}
	if missing == nil {
		return nil
	}
	return fmt.Errorf("sqlstore: the dialect of %s must set %s of its Base", name, strings.Join(missing, ", "))
}
