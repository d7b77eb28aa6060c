// Package httpserve serves operations over HTTP: a request becomes a call of
// internal/execute, and its result a response, in these steps:
//
//	credentials    find out who makes the request
//	authorize      ask rules of access what needs no record
//	negotiate      choose the media type of the answer from Accept
//	parameters     check the query and read the identifier from the path
//	preconditions  read the conditions of the request
//	receive        read the whole body, if the operation takes one
//	replay         read the Idempotency-Key
//
// then the call is run, which at its end, in the transaction of an operation that writes, has
// the answer made:
//
//	serialize      encode it, so that nothing is saved that cannot be answered
//	validators     make its entity tag
//	preconditions  compare the conditions of a reader with it
//
// and at last:
//
//	respond        send it
//
// Which steps concern an operation is settled when the API is made: steps.go. An error of
// any step ends the request in errors.go, which writes every refusal. What the call makes is
// its own; what is made of its result is one struct, answer, which is zeroed as a whole where
// the store runs its transaction again.
package httpserve
