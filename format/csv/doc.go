// Package csv is the format of comma-separated values (RFC 4180): a header with the names of
// the columns, then a row for each record. A collection is answered as a whole, row by row; a
// body is a header and one row.
//
//	resource.Config{Formats: append(format.Standard(), csv.Format)}
//
// # Columns
//
// A member of an object within a record has a column "address.city". What has no fixed members
// is JSON in one cell: maps, lists of objects, types that write their own JSON. A list of scalars
// is joined by spaces, unless it is empty or an element is empty, has a space in it or begins with
// a bracket: it is JSON then, too.
//
// # Cells
//
// A text that begins with =, +, -, @, a tab or a carriage return has a ' before it, for
// spreadsheets take such cells for formulas; readers take it away. A text that has the ' itself
// before one of these gets another one. Null is an empty cell. An empty text is that, too, where
// it cannot be null, and else "" in quotation marks.
//
// In a body, an empty cell is null where null is a value, an empty text where that is one, and
// else no member at all, as if the row had no such column. An object all of whose cells are empty
// is null, if it may be. Rows may end in CRLF or LF, and there may be a byte order mark; CRLF is
// written. Refusals are application/problem+json.
package csv
