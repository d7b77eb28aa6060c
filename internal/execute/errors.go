package execute

import (
	"github.com/trove-api/trove/internal/failure"
	"github.com/trove-api/trove/internal/model"
)

// RejectedError is of a call that execution itself refuses. Others are refused by errors of
// package store, of package operation and of the user's functions.
// It has words for clients but no status, which is a matter of the protocol.
type RejectedError struct {
	Reason  Reason
	Detail  string // for clients
	Pointer string // to the place in the body, "" for none
}

func (e *RejectedError) Error() string { return e.Detail }

// Reason is why a call is refused.
type Reason int

// The reasons.
const (
	Malformed    Reason = iota // the body cannot be read
	Precondition               // the conditions do not hold
	KeyUsed                    // another call has had the key
	Referred                   // another record refers to the one that would be deleted
	TooMuch                    // the result would embed more than its budget allows
	NoParent                   // what the call is about would be below, or among the references of, a record that there is not
)

// Refusals that are the same for all calls.
var (
	ErrPrecondition = &RejectedError{Reason: Precondition, Detail: failure.PreconditionFailed.Detail()}
	ErrKeyUsed      = &RejectedError{Reason: KeyUsed, Detail: failure.KeyReused.Detail()}
)

// InvalidError is the error of a body that is not valid, with all that is wrong with it.
// The report is handed over as it is, for protocols have different forms of it.
type InvalidError struct{ Found *model.Report }

func (InvalidError) Error() string { return "the body is not valid" }

// TooMuchEmbedded returns the error of a result that exceeds a budget of embedded records. What names the unit of
// the limit: "embedded records".
func TooMuchEmbedded(limit int64, what string) *RejectedError {
	return &RejectedError{Reason: TooMuch, Detail: failure.TooMuchEmbedded.Detail(limit, what)}
}
