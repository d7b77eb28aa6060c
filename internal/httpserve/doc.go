// Package httpserve serves operations over HTTP. It turns a request into a call of internal/execute, and the result into a
// response, in these steps:
//
//	credentials    authenticate the caller
//	authorize      check access rules that need no record
//	negotiate      choose the media type of the response from Accept
//	parameters     check the query, and read the identifier from the path
//	preconditions  read If-Match and similar fields
//	receive        read the whole body, if the operation takes one
//	replay         read the Idempotency-Key
//
// Then it runs the call. The last steps of the call create the response, for writes in the transaction:
//
//	serialize      encode the response, so that nothing is saved without one
//	validators     compute the ETag
//	preconditions  evaluate the preconditions of reads
//
// The last step sends the response. The steps of each operation are fixed when the API is created (see server.go). An error
// of any step ends the request in errors.go, which sends all error responses. The state of a response is in one struct,
// response, which is reset if the store runs its transaction again.
package httpserve
