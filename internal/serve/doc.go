// Package serve serves the requests of operations, over HTTP and for other protocols (see internal/invoke).
//
// An [Operation] is the list of its steps, which the constructor of its kind makes. A step that an operation does not need is
// not in its list. A request runs the steps in their order:
//
//	credentials    authenticate the caller
//	authorize      check access rules that need no record
//	negotiate      choose the media type of the response from Accept
//	parameters     check the query, and read the identifier from the path
//	preconditions  read If-Match and similar fields
//	receive        read the whole body, if the operation takes one
//	replay         read the Idempotency-Key
//	look           load the parents and the record, check access, the condition of the operation, and preconditions
//	build          decode and apply the body, set references from the path, check access to fields, run Prepare,
//	               validate, check access to the new record
//	save           call the handler or the Processor, save the record
//	respond        encode the response, compute the ETag, evaluate the preconditions of reads
//
// The steps from look to respond of a write run in one transaction of the store, so that nothing is saved without a
// response. A request with an idempotency key looks up its response before these, and stores it after them. Reads run
// without a transaction. What is sent is sent after the last step.
//
// If the resource has a BeforeTransaction, look and build run before the transaction, followed by that function. The
// transaction then runs look again, compares the record with the earlier one, and continues with the result of build (see
// transaction.go). If the record has changed, the request starts over.
//
// The store may run its transaction again. All state of one run is in the struct attempt, which is then reset.
//
// An error of any step ends the request in errors.go, which sends all error responses.
package serve
