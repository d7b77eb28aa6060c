package mysql

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"io"
	"net"
	"regexp"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/trove-api/trove/store/sqlstore"
)

// kinds classifies the numbers of errors that a store distinguishes, from the references of MySQL and MariaDB.
var kinds = map[uint16]sqlstore.FaultKind{
	1022: sqlstore.UniqueFault, // ER_DUP_KEY
	1062: sqlstore.UniqueFault, // ER_DUP_ENTRY
	1586: sqlstore.UniqueFault, // ER_DUP_ENTRY_WITH_KEY_NAME

	1216: sqlstore.ForeignKeyFault, // ER_NO_REFERENCED_ROW, for a user who may not see the table
	1217: sqlstore.ForeignKeyFault, // ER_ROW_IS_REFERENCED, for a user who may not see the table
	1451: sqlstore.ForeignKeyFault, // ER_ROW_IS_REFERENCED_2
	1452: sqlstore.ForeignKeyFault, // ER_NO_REFERENCED_ROW_2

	1118:       sqlstore.CheckFault, // ER_TOO_BIG_ROWSIZE
	1153:       sqlstore.CheckFault, // ER_NET_PACKET_TOO_LARGE
	outOfRange: sqlstore.CheckFault,
	1265:       sqlstore.CheckFault, // WARN_DATA_TRUNCATED, such as of an enumeration
	1292:       sqlstore.CheckFault, // ER_TRUNCATED_WRONG_VALUE, such as of a time
	1366:       sqlstore.CheckFault, // ER_TRUNCATED_WRONG_VALUE_FOR_FIELD, such as of invalid UTF-8
	1406:       sqlstore.CheckFault, // ER_DATA_TOO_LONG
	1690:       sqlstore.CheckFault, // ER_DATA_OUT_OF_RANGE, of an expression
	3819:       sqlstore.CheckFault, // ER_CHECK_CONSTRAINT_VIOLATED, in MySQL
	4025:       sqlstore.CheckFault, // ER_CONSTRAINT_FAILED, in MariaDB

	// Concurrent CREATE statements can fail with a duplicate name; the next attempt finds it.
	1020: sqlstore.RetryFault, // ER_CHECKREAD: a row has changed since it was read
	1050: sqlstore.RetryFault, // ER_TABLE_EXISTS_ERROR
	1060: sqlstore.RetryFault, // ER_DUP_FIELDNAME
	1061: sqlstore.RetryFault, // ER_DUP_KEYNAME
	1213: sqlstore.RetryFault, // ER_LOCK_DEADLOCK, also if Galera does not certify a transaction
	1412: sqlstore.RetryFault, // ER_TABLE_DEF_CHANGED
	3101: sqlstore.RetryFault, // ER_TRANSACTION_ROLLBACK_DURING_COMMIT, of Group Replication

	1040: sqlstore.UnavailableFault, // ER_CON_COUNT_ERROR: too many connections
	1045: sqlstore.UnavailableFault, // ER_ACCESS_DENIED_ERROR, of a new connection
	1047: sqlstore.UnavailableFault, // ER_UNKNOWN_COM_ERROR: a node of Galera is not ready
	1053: sqlstore.UnavailableFault, // ER_SERVER_SHUTDOWN
	1077: sqlstore.UnavailableFault, // ER_NORMAL_SHUTDOWN
	1129: sqlstore.UnavailableFault, // ER_HOST_IS_BLOCKED
	1158: sqlstore.UnavailableFault, // ER_NET_READ_ERROR
	1159: sqlstore.UnavailableFault, // ER_NET_READ_INTERRUPTED
	1160: sqlstore.UnavailableFault, // ER_NET_ERROR_ON_WRITE
	1161: sqlstore.UnavailableFault, // ER_NET_WRITE_INTERRUPTED
	1180: sqlstore.UnavailableFault, // ER_ERROR_DURING_COMMIT
	1203: sqlstore.UnavailableFault, // ER_TOO_MANY_USER_CONNECTIONS
	1205: sqlstore.UnavailableFault, // ER_LOCK_WAIT_TIMEOUT, also of NOWAIT in MariaDB
	1226: sqlstore.UnavailableFault, // ER_USER_LIMIT_REACHED
	1317: sqlstore.UnavailableFault, // ER_QUERY_INTERRUPTED, by an administrator
	1637: sqlstore.UnavailableFault, // ER_TOO_MANY_CONCURRENT_TRXS
	1927: sqlstore.UnavailableFault, // ER_CONNECTION_KILLED, in MariaDB
	1969: sqlstore.UnavailableFault, // ER_STATEMENT_TIMEOUT, by max_statement_time of MariaDB
	3024: sqlstore.UnavailableFault, // ER_QUERY_TIMEOUT, by max_execution_time of MySQL
	3169: sqlstore.UnavailableFault, // ER_SESSION_WAS_KILLED, in MySQL
	3572: sqlstore.UnavailableFault, // ER_LOCK_NOWAIT, in MySQL
	4031: sqlstore.UnavailableFault, // ER_CLIENT_INTERACTION_TIMEOUT, in MySQL

	1021:           sqlstore.UnwritableFault, // ER_DISK_FULL
	1026:           sqlstore.UnwritableFault, // ER_ERROR_ON_WRITE
	1030:           sqlstore.UnwritableFault, // ER_GET_ERRNO: an error of the storage engine
	1037:           sqlstore.UnwritableFault, // ER_OUTOFMEMORY
	1041:           sqlstore.UnwritableFault, // ER_OUT_OF_RESOURCES
	1114:           sqlstore.UnwritableFault, // ER_RECORD_FILE_FULL: a table is full, as on a full disk
	optionPrevents: sqlstore.UnwritableFault,
	readOnlyBegin:  sqlstore.UnwritableFault,
	readOnlyMode:   sqlstore.UnwritableFault,
}

// These numbers are used elsewhere too.
const (
	accessDenied   = 1044 // ER_DBACCESS_DENIED_ERROR
	unknownError   = 1105 // ER_UNKNOWN_ERROR, such as of an argument that is larger than a packet
	outOfRange     = 1264 // ER_WARN_DATA_OUT_OF_RANGE
	optionPrevents = 1290 // ER_OPTION_PREVENTS_STATEMENT, such as --read-only
	readOnlyBegin  = 1792 // ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION
	readOnlyMode   = 1836 // ER_READ_ONLY_MODE
)

// faultOf classifies an error. An error of a context is not an error of the database.
func faultOf(err error) sqlstore.Fault {
	if rejected, ok := errors.AsType[*mysql.MySQLError](err); ok {
		kind := kinds[rejected.Number]
		switch {
		case rejected.Number == optionPrevents && !isReadOnly(err):
			kind = 0
		case rejected.Number == unknownError && strings.Contains(rejected.Message, "max_allowed_packet"):
			kind = sqlstore.CheckFault
		}
		return sqlstore.Fault{Kind: kind, Constraint: constraintOf(kind, rejected.Message)}
	}
	switch {
	case isLost(err):
		return sqlstore.Fault{Kind: sqlstore.UnavailableFault}
	case errors.Is(err, mysql.ErrPktTooLarge):
		return sqlstore.Fault{Kind: sqlstore.CheckFault}
	}
	return sqlstore.Fault{}
}

// names finds the names of constraints in messages. MySQL writes that of the table and a dot before the name of an index.
var names = map[sqlstore.FaultKind]*regexp.Regexp{
	sqlstore.UniqueFault:     regexp.MustCompile(`(?s)^.*for key '(?:[^']*\.)?([^'.]*)'`),
	sqlstore.ForeignKeyFault: regexp.MustCompile("CONSTRAINT [`\"]([^`\"]*)[`\"] FOREIGN KEY"),
	sqlstore.CheckFault:      regexp.MustCompile("(?i)^(?:check )?constraint [`'\"](?:[^`'\"]*\\.)?([^`'\".]*)[`'\"]"),
}

// constraintOf returns the name of a constraint in a message, "" if there is none.
func constraintOf(kind sqlstore.FaultKind, message string) string {
	if pattern := names[kind]; pattern != nil {
		if found := pattern.FindStringSubmatch(message); found != nil {
			return found[1]
		}
	}
	return ""
}

// isOfStatement reports whether an error has undone a statement only, so that its transaction can continue.
func isOfStatement(err error) bool {
	rejected, ok := errors.AsType[*mysql.MySQLError](err)
	if !ok {
		return errors.Is(err, mysql.ErrPktTooLarge)
	}
	switch kinds[rejected.Number] {
	case sqlstore.RetryFault, sqlstore.UnavailableFault, sqlstore.UnwritableFault:
		return false
	}
	return true
}

// isReadOnly reports whether the server has rejected a write because it is read-only.
func isReadOnly(err error) bool {
	rejected, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && (rejected.Number == readOnlyMode || rejected.Number == readOnlyBegin ||
		rejected.Number == optionPrevents && (strings.Contains(rejected.Message, "read-only") || strings.Contains(rejected.Message, "read_only")))
}

// isLost reports whether the connection could not be made or was lost. A connect timeout is an error of the network.
func isLost(err error) bool {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false
	case errors.Is(err, sqldriver.ErrBadConn), errors.Is(err, mysql.ErrInvalidConn), errors.Is(err, sql.ErrConnDone),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return true
	}
	_, network := errors.AsType[net.Error](err)
	return network
}

// numberOf returns the number of an error of the server, else 0.
func numberOf(err error) uint16 {
	if rejected, ok := errors.AsType[*mysql.MySQLError](err); ok {
		return rejected.Number
	}
	return 0
}
