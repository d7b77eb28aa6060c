package execute

import (
	"errors"

	"github.com/trove-api/trove/internal/report"
)

// Errors of calls that are refused, beside those of package store, of package operation and
// of the user's functions.
var (
	// ErrPrecondition is of conditions that do not hold.
	ErrPrecondition = errors.New("The record is not in the state that the request is for. " +
		"Read it again, and try once more.")
	// ErrKeyUsed is of a key that another call has had.
	ErrKeyUsed = errors.New("The Idempotency-Key was used for another request. Use a new key for each.") //nolint:revive // a text for clients
)

// MalformedError is the error of a body that cannot be read.
type MalformedError struct{ Detail, Pointer string }

func (e *MalformedError) Error() string { return e.Detail }

// InvalidError is the error of a body that is not valid, with all that is wrong with it.
type InvalidError struct{ Found *report.Report }

func (InvalidError) Error() string { return "the body is not valid" }
