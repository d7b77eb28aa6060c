package execute

import "github.com/trove-api/trove/internal/report"

// RefusedError is of a call that execution itself refuses. Others are refused by errors of
// package store, of package operation and of the user's functions.
type RefusedError struct {
	Reason  Reason
	Detail  string // for clients
	Pointer string // to the place in the body, "" for none
}

func (e *RefusedError) Error() string { return e.Detail }

// Reason is why a call is refused.
type Reason int

// The reasons.
const (
	Malformed    Reason = iota // the body cannot be read
	Precondition               // the conditions do not hold
	KeyUsed                    // another call has had the key
	NoParent                   // what the call is about would be below a record that there is not
)

// Refusals that are the same for all calls.
var (
	ErrPrecondition = &RefusedError{Reason: Precondition, Detail: "The record is not in the state that the request is for. " +
		"Read it again, and try once more."}
	ErrKeyUsed = &RefusedError{Reason: KeyUsed, Detail: "The Idempotency-Key was used for another request. Use a new key for each."}
)

// InvalidError is the error of a body that is not valid, with all that is wrong with it.
type InvalidError struct{ Found *report.Report }

func (InvalidError) Error() string { return "the body is not valid" }
