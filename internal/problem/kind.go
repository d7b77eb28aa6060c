package problem

import (
	"fmt"
	"net/http"
)

// Kind is a kind of error response that operations return themselves, with its status and text. Requests send them, and
// package openapi documents which operation can send which, so that both have the same list.
type Kind int

// The kinds, by status. They are constants so that no code can change them.
const (
	// NotModified is 304, which is not an error but replaces the response as one does.
	NotModified Kind = iota
	// BadRequest is 400 for a malformed request or parameter. Every operation can return it,
	// because each rejects unknown parameters.
	BadRequest
	// Invalid is 400 for invalid values, in the shape [validation.Map].
	Invalid
	// TooMuchEmbedded is 400 for a response that exceeds the budget of embedded records, which depends on data.
	TooMuchEmbedded
	// Unauthorized is 401 with challenges (RFC 9110, section 15.5.2).
	Unauthorized
	// Forbidden is 403 for a call that an access rule denies. Its text has what the caller may not do: "update this order".
	Forbidden
	// NotFound is 404 for a record that does not exist or is hidden. Both have the same text, so
	// that the response does not reveal a hidden record.
	NotFound
	// NotAcceptable is 406 (RFC 9110, section 15.5.7).
	NotAcceptable
	// Timeout is 408. An operation without a timeout waits as long as the server does, which then
	// closes the connection without a response.
	Timeout
	// Taken is 409 for a value that must be unique.
	Taken
	// Conflict is 409 for a change that another one preceded.
	Conflict
	// Unmet is 409 for a record that does not meet the condition of the operation.
	Unmet
	// WrongState is Unmet for a condition that the caller may not know.
	WrongState
	// PreconditionFailed is 412. Reads can return it too, because If-Match also applies to them.
	PreconditionFailed
	// TooLarge is 413 for too many bytes, declared or received.
	TooLarge
	// TooDeep is 413 for a body that costs more than its size because it is deeply nested.
	TooDeep
	// TooMany is 413 for a body that costs more than its size because it has many small values.
	TooMany
	// URITooLong is 414. It is found before the operation is known; documents list it for each.
	URITooLong
	// UnsupportedMediaType is 415 (RFC 9110, section 15.5.16).
	UnsupportedMediaType
	// Unprocessable is 422 for invalid values, in the shape [validation.Problem].
	Unprocessable
	// KeyReused is 422, as in the draft of Idempotency-Key.
	KeyReused
	// PreconditionRequired is 428 (RFC 6585, section 3).
	PreconditionRequired
	// Internal is 500, which hides its cause.
	Internal
	// Unavailable is 503 for an unreachable store, an overload or a timeout.
	Unavailable
	// Custom is an error of any status that a function of the user returns.
	Custom

	// WeakTag is the PreconditionFailed of a request whose If-Match can match no record.
	WeakTag
	// NoPath is 404 for a path without operations. It is in no document.
	NoPath
	// NoMethod is 405 for a path that has other operations.
	NoMethod
	// NotReady is 503 for a health check, where [Unavailable] is for clients.
	NotReady
)

var table = [...]struct {
	status int
	detail string // a format of package fmt; "" if each request has its own
}{
	NotModified:          {http.StatusNotModified, ""},
	BadRequest:           {http.StatusBadRequest, ""},
	Invalid:              {http.StatusBadRequest, ""},
	TooMuchEmbedded:      {http.StatusBadRequest, "The response would have more than %d %s. Request fewer expansions or a smaller page."},
	Unauthorized:         {http.StatusUnauthorized, "Authentication required."},
	Forbidden:            {http.StatusForbidden, "You do not have permission to %s."},
	NotFound:             {http.StatusNotFound, "The %s does not exist."},
	NotAcceptable:        {http.StatusNotAcceptable, "No media type in Accept is supported. Supported: %s."},
	Timeout:              {http.StatusRequestTimeout, "The request body did not arrive in time. Try again."},
	Taken:                {http.StatusConflict, "%s is already in use."},
	Conflict:             {http.StatusConflict, "The record was changed meanwhile. Reload it and try again."},
	Unmet:                {http.StatusConflict, "The %s must meet this condition: %s."},
	WrongState:           {http.StatusConflict, "The %s is not in a state that allows this operation."},
	PreconditionFailed:   {http.StatusPreconditionFailed, "The record does not meet the precondition of the request. Reload it and try again."},
	TooLarge:             {http.StatusRequestEntityTooLarge, "The request body must not exceed %d bytes."},
	TooDeep:              {http.StatusRequestEntityTooLarge, "The request body must not be nested more than %d levels deep."},
	TooMany:              {http.StatusRequestEntityTooLarge, "The request body must not have more than %d fields and elements."},
	URITooLong:           {http.StatusRequestURITooLong, "The path and query must not exceed %d bytes."},
	UnsupportedMediaType: {http.StatusUnsupportedMediaType, "The Content-Type of the request must be %s, in UTF-8."},
	Unprocessable:        {http.StatusUnprocessableEntity, ""},
	KeyReused:            {http.StatusUnprocessableEntity, "The Idempotency-Key was used for a different request. Use a new key for each request."},
	PreconditionRequired: {http.StatusPreconditionRequired, "If-Match is required. Send the ETag of the last response with this record."},
	Internal:             {http.StatusInternalServerError, ""},
	Unavailable:          {http.StatusServiceUnavailable, "The data store is unavailable. Try again later."},
	Custom:               {0, ""},
	WeakTag: {http.StatusPreconditionFailed, "If-Match requires a strong entity tag, but every tag sent is weak: it begins with W/. " +
		"A proxy that compresses responses may have added the W/."},
	NoPath:   {http.StatusNotFound, "No resource exists at this path."},
	NoMethod: {http.StatusMethodNotAllowed, "The method is not allowed for this path. Allowed: %s."},
	NotReady: {http.StatusServiceUnavailable, "The data store of %s is unavailable."},
}

// Status returns the HTTP status, 0 for [Custom].
func (k Kind) Status() int { return table[k].status }

// Detail returns the text for clients, with args inserted as fmt does.
func (k Kind) Detail(args ...any) string {
	if len(args) == 0 {
		return table[k].detail
	}
	return fmt.Sprintf(table[k].detail, args...)
}
