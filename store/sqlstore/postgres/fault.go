package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/trove-api/trove/store/sqlstore"
)

// These are the codes (SQLSTATE) of errors that a store distinguishes, from appendix A of PostgreSQL's documentation.
const (
	stringTooLong        = "22001"
	numberOutOfRange     = "22003"
	invalidDatetime      = "22007"
	datetimeOutOfRange   = "22008"
	characterNotInSet    = "22021" // NUL, or invalid UTF-8
	invalidText          = "22P02" // for a type such as an enumeration
	restrictViolation    = "23001"
	foreignKeyViolation  = "23503"
	uniqueViolation      = "23505"
	checkViolation       = "23514"
	exclusionViolation   = "23P01"
	missingPrivilege     = "42501"
	notSupported         = "0A000"
	readOnlyTransaction  = "25006" // on a standby, or on a server that is temporarily read-only
	inFailedTransaction  = "25P02"
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	duplicateObject      = "42710" // such as the row type of a table
	duplicateTable       = "42P07"
	tooManyConnections   = "53300"
	lockNotAvailable     = "55P03" // within lock_timeout, or with NOWAIT
	queryCanceled        = "57014" // by statement_timeout, or by an administrator
	ioError              = "58030"

	connectionException   = "08" // a class: the codes begin with it
	insufficientResources = "53" // a class: a full disk, no memory, no free connection
	operatorIntervention  = "57" // a class: the server shuts down or starts
)

// faultOf classifies an error. An error of a context is not an error of the database.
func faultOf(err error) sqlstore.Fault {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && !isConnectError(err) {
		return sqlstore.Fault{Kind: kindOf(refused), Column: refused.ColumnName, Constraint: refused.ConstraintName}
	}
	if isLost(err) {
		return sqlstore.Fault{Kind: sqlstore.UnavailableFault}
	}
	return sqlstore.Fault{}
}

// replanning is the routine of the server that rejects a prepared statement, because the table has got columns of other
// types. The driver then prepares it again.
const replanning = "RevalidateCachedQuery"

// catalogue is the schema of PostgreSQL's system tables.
const catalogue = "pg_catalog"

// kindOf classifies an error of the server. Concurrent CREATE … IF NOT EXISTS statements can fail with a duplicate
// name, in the catalog or as a table; the next attempt finds it.
func kindOf(err *pgconn.PgError) sqlstore.FaultKind {
	switch err.Code {
	case notSupported:
		if err.Routine == replanning {
			return sqlstore.RetryFault
		}
	case uniqueViolation, exclusionViolation:
		if err.SchemaName == catalogue {
			return sqlstore.RetryFault
		}
		return sqlstore.UniqueFault
	case foreignKeyViolation, restrictViolation:
		return sqlstore.ForeignKeyFault
	case checkViolation, stringTooLong, numberOutOfRange, invalidDatetime, datetimeOutOfRange, characterNotInSet, invalidText:
		return sqlstore.CheckFault
	case serializationFailure, deadlockDetected, duplicateTable, duplicateObject:
		return sqlstore.RetryFault
	case lockNotAvailable, queryCanceled:
		return sqlstore.UnavailableFault
	case readOnlyTransaction, ioError:
		return sqlstore.UnwritableFault
	}
	switch {
	case endsConnection(err):
		return sqlstore.UnavailableFault
	case strings.HasPrefix(err.Code, insufficientResources):
		return sqlstore.UnwritableFault
	}
	return 0
}

// endsConnection reports whether the error closes the connection.
func endsConnection(err *pgconn.PgError) bool {
	switch {
	case err.Code == queryCanceled:
		return false
	case err.Code == tooManyConnections,
		strings.HasPrefix(err.Code, connectionException),
		strings.HasPrefix(err.Code, operatorIntervention):
		return true
	}
	return err.SeverityUnlocalized == "FATAL" || err.SeverityUnlocalized == "PANIC"
}

// isLost reports whether the connection could not be made or was lost. A connect timeout is an error of a context, but
// not of the caller's.
func isLost(err error) bool {
	switch {
	case err == nil:
		return false
	case isConnectError(err), errors.Is(err, pgconn.ErrConnClosed):
		return true
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false
	}
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return endsConnection(refused)
	}
	_, network := errors.AsType[net.Error](err)
	return network || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

func isConnectError(err error) bool {
	_, ok := errors.AsType[*pgconn.ConnectError](err)
	return ok
}

// stateOf returns the SQLSTATE of an error of the server, else "".
func stateOf(err error) string {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return refused.Code
	}
	return ""
}
