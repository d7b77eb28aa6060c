// Package sqlstore keeps records in tables of a database.
//
//	db, err := sqlite.Open("treasures.db") // or postgres.Open(ctx, "postgres://…")
//	…
//	resource.Of[DragonTreasure]{Store: sqlstore.Table[DragonTreasure](db)}
//
// # Columns
//
// Each JSON member of the struct is a column. It is called like the member in snake case,
// or as the tag db:"name" says. Fields without a JSON name of their own are not kept.
//
//	type of the field                       SQLite     PostgreSQL
//	bool                                    INTEGER    BOOLEAN
//	integers                                INTEGER    BIGINT
//	floats                                  REAL       DOUBLE PRECISION
//	string, and types that are text         TEXT       in the collation "C"
//	[]byte                                  BLOB       BYTEA
//	time.Time                               TEXT       TIMESTAMPTZ
//	structs, slices, maps, any              TEXT       JSON
//	types with sql.Scanner, driver.Valuer   what Value returns, for the zero value or one that is not null
//
// A list of references, api:"ref=Tag" on a slice, is a table of its own, such as
// treasures_tags: a row for each element, with foreign keys to both records. It is a column with
// JSON in a table that was made before there were such tables, in one of [Foreign], and where a
// database has the keys in another form than JSON.
//
// A pointer is a column that can be null, and so is a type such as sql.NullString. []byte and
// types that marshal themselves as JSON are null where they are nil or zero; within JSON null
// stands for a nil list, map or bytes. Times are kept in UTC, to the microsecond, a zero without
// its sign: Insert and Update set in the record what the table keeps of it. What no store can
// keep, such as an unsigned integer beyond the largest signed one, is refused when it is
// written. Integer identifiers are made by the database and never used
// again; those that are text are UUIDs of version 7.
//
// What clients can filter, search or sort by has an index, and where the field's column
// does not serve, a column of its own which the store fills in: name__folded has the text
// of name as [store.Fold] writes it, address__city what is in the object address, price__order
// the key of a [store.Ordered]. With
// them every query is answered as the store in memory answers it, on each database.
//
// # Transactions
//
// All tables of a [DB] share one transaction: what a hook does through the context of its
// request, with another table's store or with the [Executor] of [Tx], is saved with the
// record, or not at all. A conflict with another transaction runs the hook again. The context
// of the HTTP request does not carry the transaction: Transact refuses it in a hook.
//
// Answers to requests that may be sent again are saved so too, in the table [DB.Responses].
package sqlstore
