// Package csv is the format CSV (RFC 4180): a header with the names of the columns, then one row per record. A
// collection is a whole table, without pages; a body is a header and one row.
//
//	resource.Config{Formats: append(format.Standard(), csv.Format)}
//
// # Columns
//
// A field of a nested object has a column "address.city". A value without fixed fields is JSON in one cell: a map, a
// list of objects, or a type that writes its own JSON. A list of scalars is joined by spaces. It is JSON too if it is
// empty, or if an element is empty, contains a space or begins with a bracket.
//
// Columns have the order of the view (operation.View) of the response, embedded records included; without a view, the
// order of the struct, and embedded records at the end. A body may have its columns in any order.
//
// # Cells
//
// Spreadsheets treat a cell that begins with =, +, -, @, a tab or a carriage return as a formula. So such a string
// gets a leading ', which readers remove. A string that already begins with ' and one of these gets a second one. Null
// is an empty cell. An empty string is an empty cell if the field cannot be null, and "" if it can.
//
// In a body, an empty cell is null if the field can be null, else an empty string if that is a value, else absent. An
// object with only empty cells is null if it can be. Rows end with CRLF or LF, and a byte order mark is allowed;
// responses use CRLF. Errors are application/problem+json.
package csv
