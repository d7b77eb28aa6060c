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

// kinds classifies the codes (SQLSTATE) of errors that a store distinguishes, from appendix A of PostgreSQL's
// documentation.
var kinds = map[string]sqlstore.FaultKind{
	"23505": sqlstore.UniqueFault, // unique_violation
	"23P01": sqlstore.UniqueFault, // exclusion_violation

	"23001": sqlstore.ForeignKeyFault, // restrict_violation
	"23503": sqlstore.ForeignKeyFault, // foreign_key_violation

	"22001": sqlstore.CheckFault, // string_data_right_truncation: a string is too long
	"22003": sqlstore.CheckFault, // numeric_value_out_of_range
	"22007": sqlstore.CheckFault, // invalid_datetime_format
	"22008": sqlstore.CheckFault, // datetime_field_overflow
	"22021": sqlstore.CheckFault, // character_not_in_repertoire: NUL, or invalid UTF-8
	"22P02": sqlstore.CheckFault, // invalid_text_representation, for a type such as an enumeration
	"23514": sqlstore.CheckFault, // check_violation

	// Concurrent CREATE … IF NOT EXISTS statements can fail with a duplicate name; the next attempt finds it.
	"40001": sqlstore.RetryFault, // serialization_failure
	"40P01": sqlstore.RetryFault, // deadlock_detected
	"42710": sqlstore.RetryFault, // duplicate_object, such as the row type of a table
	"42P07": sqlstore.RetryFault, // duplicate_table

	"55P03":             sqlstore.UnavailableFault, // lock_not_available: within lock_timeout, or with NOWAIT
	queryCanceled:       sqlstore.UnavailableFault, // by statement_timeout, or by an administrator
	readOnlyTransaction: sqlstore.UnwritableFault,  // on a standby, or on a server that is temporarily read-only
	"58030":             sqlstore.UnwritableFault,  // io_error
}

// These codes are used elsewhere too.
const (
	missingPrivilege    = "42501"
	readOnlyTransaction = "25006"
	inFailedTransaction = "25P02"
	queryCanceled       = "57014"
	tooManyConnections  = "53300"

	connectionException   = "08" // a class: the codes begin with it
	insufficientResources = "53" // a class: a full disk, no memory, no free connection
	operatorIntervention  = "57" // a class: the server shuts down or starts
)

// faultOf classifies an error. An error of a context is not an error of the database.
func faultOf(err error) sqlstore.Fault {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && !isConnectError(err) {
		return sqlstore.Fault{Kind: kindOf(refused), Constraint: refused.ConstraintName}
	}
	if isLost(err) {
		return sqlstore.Fault{Kind: sqlstore.UnavailableFault}
	}
	return sqlstore.Fault{}
}

// kindOf classifies an error of the server.
func kindOf(err *pgconn.PgError) sqlstore.FaultKind {
	switch kind, known := kinds[err.Code]; {
	case kind == sqlstore.UniqueFault && err.SchemaName == "pg_catalog": // as of a duplicate name
		return sqlstore.RetryFault
	case err.Code == "0A000" && err.Routine == "RevalidateCachedQuery":
		// The table has got columns of other types. The driver then prepares the statement again.
		return sqlstore.RetryFault
	case known:
		return kind
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
