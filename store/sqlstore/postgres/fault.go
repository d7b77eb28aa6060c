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

// The codes (SQLSTATE) of errors that mean something to a store, as in appendix A of PostgreSQL's documentation.
const (
	stringTooLong        = "22001"
	numberOutOfRange     = "22003"
	invalidDatetime      = "22007"
	datetimeOutOfRange   = "22008"
	characterNotInSet    = "22021" // NUL, or what is no UTF-8
	invalidText          = "22P02" // of a type such as an enumeration
	restrictViolation    = "23001"
	foreignKeyViolation  = "23503"
	uniqueViolation      = "23505"
	checkViolation       = "23514"
	exclusionViolation   = "23P01"
	readOnlyTransaction  = "25006" // on a standby, or on a server that only reads for now
	inFailedTransaction  = "25P02"
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	duplicateObject      = "42710" // such as the type of a table's rows
	duplicateTable       = "42P07"
	tooManyConnections   = "53300"
	lockNotAvailable     = "55P03" // in time, or at once
	queryCanceled        = "57014" // by statement_timeout, or by an operator
	ioError              = "58030"

	connectionException   = "08" // a class: what these codes begin with
	insufficientResources = "53" // another: a full disk, no memory, no free connection
	operatorIntervention  = "57" // another: the server shuts down or starts
)

// faultOf tells what an error means. An error of a context is none of the database.
func faultOf(err error) sqlstore.Fault {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && !isConnectError(err) {
		return sqlstore.Fault{Kind: kindOf(refused), Column: refused.ColumnName, Constraint: refused.ConstraintName}
	}
	if isLost(err) {
		return sqlstore.Fault{Kind: sqlstore.UnavailableFault}
	}
	return sqlstore.Fault{}
}

// catalogue is the schema of PostgreSQL's own tables.
const catalogue = "pg_catalog"

// kindOf tells what an error that the server sent means. CREATE … IF NOT EXISTS is not safe from another one at the same time:
// then the name is taken after all, in the catalogue or as a table, and is found to be there when it is tried again.
func kindOf(err *pgconn.PgError) sqlstore.FaultKind {
	switch err.Code {
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
	case lockNotAvailable, queryCanceled, readOnlyTransaction, ioError:
		return sqlstore.UnavailableFault
	}
	if endsConnection(err) || strings.HasPrefix(err.Code, insufficientResources) {
		return sqlstore.UnavailableFault
	}
	return 0
}

// endsConnection reports whether the error leaves no connection to go on with.
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

// isLost reports whether there is no connection or no more. Where it could not be made
// in time the error is that of a context, but not of the caller's.
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

// stateOf returns the code of an error that the server sent, else "".
func stateOf(err error) string {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return refused.Code
	}
	return ""
}
