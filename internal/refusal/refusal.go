// Package refusal lists the errors that operations return by themselves, with their statuses and texts. Requests
// return them, and package describe says which operations can, so that neither knows an error that the other does not.
package refusal

import (
	"fmt"
	"net/http"
)

// Refusal is one reason not to do what a request asks.
type Refusal int

// The refusals, by status. A constant rather than a value, so that nobody can change one.
const (
	// NotModified is 304. It is no failure, but like one it stands in place of the answer.
	NotModified Refusal = iota
	// BadRequest is 400 for what is wrong before values are looked at. Every operation can:
	// parameters that it does not know are wrong, too.
	BadRequest
	// Invalid is 400, for values in the shape [validation.Map].
	Invalid
	// TooMuchEmbedded is 400 for a response that exceeds the budget of embedded records, which depends on data.
	TooMuchEmbedded
	// Unauthorized is 401, with how to say who asks (RFC 9110, section 15.5.2).
	Unauthorized
	// Forbidden is 403 for what a rule of access does not let pass.
	Forbidden
	// NotFound is 404 for a record that is missing or may not be seen: in the same words, or they
	// would tell which of both it is.
	NotFound
	// NotAcceptable is 406 (RFC 9110, section 15.5.7).
	NotAcceptable
	// Timeout is 408. An operation without a limit waits as long as the server does, which ends
	// the connection without a word.
	Timeout
	// Taken is 409 where a value must be unique.
	Taken
	// Conflict is 409 where another change came first.
	Conflict
	// PreconditionFailed is 412. A reader is told so too: If-Match guards its answer like a change.
	PreconditionFailed
	// TooLarge is 413, found by what a body declares or while it comes.
	TooLarge
	// TooDeep is 413: deep nesting costs more than its bytes do.
	TooDeep
	// TooMany is 413, as so do many small members.
	TooMany
	// URITooLong is 414. It is found before the operation is; documents tell of it with each.
	URITooLong
	// UnsupportedMediaType is 415 (RFC 9110, section 15.5.16).
	UnsupportedMediaType
	// Unprocessable is 422, for values in the shape [validation.Problem].
	Unprocessable
	// KeyUsed is 422, as the draft of Idempotency-Key has it.
	KeyUsed
	// PreconditionRequired is 428 (RFC 6585, section 3).
	PreconditionRequired
	// Failed is 500, without a word on its cause.
	Failed
	// Unavailable is 503: a store out of reach, too much to do, or too little time.
	Unavailable
	// Own is what a function of the user's refuses with, of any status.
	Own

	// WeakTag is the PreconditionFailed of a request whose If-Match can match no record.
	WeakTag
	// NoPath is 404 before there is an operation, so that no document tells of it.
	NoPath
	// NoMethod is 405, of a path that has other operations.
	NoMethod
	// NotReady is 503 for a supervisor, where [Unavailable] is for clients.
	NotReady
)

var table = [...]struct {
	status int
	detail string // in the words of fmt; "" if each request has its own
}{
	NotModified:          {http.StatusNotModified, ""},
	BadRequest:           {http.StatusBadRequest, ""},
	Invalid:              {http.StatusBadRequest, ""},
	TooMuchEmbedded:      {http.StatusBadRequest, "The response would have more than %d %s. Request fewer expansions or a smaller page."},
	Unauthorized:         {http.StatusUnauthorized, ""},
	Forbidden:            {http.StatusForbidden, ""},
	NotFound:             {http.StatusNotFound, "There is no such %s."},
	NotAcceptable:        {http.StatusNotAcceptable, "None of the media types in Accept can be sent; supported: %s."},
	Timeout:              {http.StatusRequestTimeout, "The body did not arrive in time."},
	Taken:                {http.StatusConflict, "%s is taken already by another record."},
	Conflict:             {http.StatusConflict, "The change conflicts with another one. Read the record again and try once more."},
	PreconditionFailed:   {http.StatusPreconditionFailed, "The record is not in the state that the request is for. Read it again, and try once more."},
	TooLarge:             {http.StatusRequestEntityTooLarge, "The body must not be larger than %d bytes."},
	TooDeep:              {http.StatusRequestEntityTooLarge, "The body must not be nested more than %d levels deep."},
	TooMany:              {http.StatusRequestEntityTooLarge, "The body must not have more than %d members and elements."},
	URITooLong:           {http.StatusRequestURITooLong, "The path and the query must not have more than %d bytes."},
	UnsupportedMediaType: {http.StatusUnsupportedMediaType, "The body's Content-Type must be %s, in UTF-8."},
	Unprocessable:        {http.StatusUnprocessableEntity, ""},
	KeyUsed:              {http.StatusUnprocessableEntity, "The Idempotency-Key was used for another request. Use a new key for each."},
	PreconditionRequired: {http.StatusPreconditionRequired, "Say which state of the record the change is for: send the ETag of its last answer in If-Match."},
	Failed:               {http.StatusInternalServerError, ""},
	Unavailable:          {http.StatusServiceUnavailable, "The records cannot be reached for now."},
	Own:                  {0, ""},
	WeakTag: {http.StatusPreconditionFailed, "If-Match compares strong entity tags only, and each tag sent is weak: it begins with W/. " +
		"A proxy that compresses responses may have added the W/."},
	NoPath:   {http.StatusNotFound, "There is nothing at this path."},
	NoMethod: {http.StatusMethodNotAllowed, "This path does not take the method; allowed: %s."},
	NotReady: {http.StatusServiceUnavailable, "The records of %s cannot be reached for now."},
}

// Status returns the status, 0 where there is none of its own.
func (r Refusal) Status() int { return table[r].status }

// Says returns the detail for clients, with what it is about put in.
func (r Refusal) Says(about ...any) string {
	if len(about) == 0 {
		return table[r].detail
	}
	return fmt.Sprintf(table[r].detail, about...)
}
