package execute

import (
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/problem"
)

// RejectedError is the error of a call that this package rejects. Other errors come from package store, package operation
// and user functions. It has no status, because statuses depend on the protocol.
type RejectedError struct {
	Reason  Reason
	Detail  string // for clients
	Pointer string // JSON Pointer to the place in the body, "" for none
}

func (e *RejectedError) Error() string { return e.Detail }

// Reason is why a call is rejected.
type Reason int

// The reasons.
const (
	Malformed    Reason = iota // the body is malformed
	Precondition               // the preconditions do not hold
	KeyUsed                    // the idempotency key was used for another call
	Referred                   // another record references the one to delete
	TooMuch                    // the result would embed more than its budget allows
	NoParent                   // a parent of the record, or the record of a membership, does not exist
)

// Errors that are the same for all calls.
var (
	ErrPrecondition = &RejectedError{Reason: Precondition, Detail: problem.PreconditionFailed.Detail()}
	ErrKeyUsed      = &RejectedError{Reason: KeyUsed, Detail: problem.KeyReused.Detail()}
)

// InvalidError is the error of an invalid body, with all violations. Protocols format the report.
type InvalidError struct{ Found *model.Report }

func (InvalidError) Error() string { return "the body is invalid" }

// TooMuchEmbedded returns the error of a result that exceeds the budget of embedded records. What is the unit of the
// limit: "embedded records".
func TooMuchEmbedded(limit int64, what string) *RejectedError {
	return &RejectedError{Reason: TooMuch, Detail: problem.TooMuchEmbedded.Detail(limit, what)}
}
