// Package pipeline is the path of a request through an operation, one file for each
// step, in this order:
//
//	negotiate      choose the media type of the answer from Accept
//	parameters     check the query and read the identifier from the path
//	preconditions  read the conditions of the request
//	receive        read the whole body, if the operation takes one
//	replay         read the Idempotency-Key
//
// then, for an operation that writes, in one transaction of the store:
//
//	replay         look for the answer to the same request
//	read           load the record that the path names
//	preconditions  compare the conditions with it
//	deserialize    apply the body to a copy of it, or decode a handler's body
//	prepare        run the resource's Prepare hook
//	validate       check the record, or a handler's body
//	write          run the handler, and save the record through the Processor
//	serialize      encode the answer, so that nothing is saved that cannot be answered
//	validators     make its entity tag
//	replay         keep the answer
//
// for one that reads, without a transaction:
//
//	read, write, serialize, validators
//	preconditions  compare the conditions of a reader with the answer
//
// and at last:
//
//	respond        send it
//
// The store may run its transaction again. What a run of the steps has made of the request
// is one struct, attempt, which is then zeroed as a whole.
//
// Which steps concern an operation is settled when the API is made: steps.go. An error of
// any step ends the request in refuse.go, which writes every refusal.
package pipeline
