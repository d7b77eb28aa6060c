package sqlite

import (
	"errors"
	"strings"

	"modernc.org/sqlite"
	code "modernc.org/sqlite/lib"

	"github.com/trove-api/trove/store/sqlstore"
)

// primary masks the part of a result code with the kind of error.
const primary = 0xff

// faultOf classifies an error by its extended result code.
func faultOf(err error) sqlstore.Fault {
	failed, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return sqlstore.Fault{}
	}
	switch failed.Code() {
	case code.SQLITE_CONSTRAINT_UNIQUE, code.SQLITE_CONSTRAINT_PRIMARYKEY, code.SQLITE_CONSTRAINT_ROWID:
		return constraintFault(sqlstore.UniqueFault, failed.Error())
	case code.SQLITE_CONSTRAINT_FOREIGNKEY, code.SQLITE_CONSTRAINT_TRIGGER:
		return sqlstore.Fault{Kind: sqlstore.ForeignKeyFault}
	case code.SQLITE_CONSTRAINT_CHECK, code.SQLITE_CONSTRAINT_DATATYPE:
		return constraintFault(sqlstore.CheckFault, failed.Error())
	}
	if failed.Code() == code.SQLITE_ERROR && strings.Contains(failed.Error(), "integer overflow") { // of a sum
		return sqlstore.Fault{Kind: sqlstore.CheckFault}
	}
	switch failed.Code() & primary {
	case code.SQLITE_BUSY, code.SQLITE_LOCKED:
		return sqlstore.Fault{Kind: sqlstore.RetryFault}
	case code.SQLITE_IOERR, code.SQLITE_CANTOPEN, code.SQLITE_FULL, code.SQLITE_PROTOCOL, code.SQLITE_READONLY, code.SQLITE_NOMEM:
		return sqlstore.Fault{Kind: sqlstore.UnwritableFault}
	}
	return sqlstore.Fault{}
}

// constraintFault returns a fault with the column or columns at the end of a message, such as "constraint failed:
// UNIQUE constraint failed: items.email (2067)".
func constraintFault(kind sqlstore.FaultKind, message string) sqlstore.Fault {
	_, list, _ := strings.Cut(message, " constraint failed: ")
	list, _, _ = strings.Cut(list, " (")
	columns := strings.Split(list, ", ")
	for i, column := range columns {
		columns[i] = column[strings.LastIndexByte(column, '.')+1:]
	}
	return sqlstore.Fault{Kind: kind, Constraint: strings.Join(columns, ", ")}
}
