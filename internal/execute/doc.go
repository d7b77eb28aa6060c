// Package execute runs operations, independently of a protocol: a [Call] returns a [Result] or an error. A protocol such
// as internal/httpserve creates the call from a request, and the response from the result.
//
// An [Operation] is a list of steps. The constructor of its kind makes the list: [Get], [List], [Create], [Replace],
// [Update], [Delete], [Handler], [Bulk] or [Membership], each in its own file. A write has three parts, in
// one transaction of the store:
//
//   - look: load the parents and the record, check access and preconditions;
//   - build: decode and apply the body, set references from the path, check access to fields, run Prepare, validate,
//     check access to the new record;
//   - save: call the handler or the Processor, save the record.
//
// A call with an idempotency key looks up its response before these parts, and stores it after them. The protocol creates
// its response as the last step of the transaction.
//
// If the resource has a BeforeTransaction, look and build run before the transaction, followed by that function. The
// transaction then runs look again, compares the record with the earlier one, and continues with the result of build (see
// ahead.go). If the record has changed, the call starts over.
//
// Reads run without a transaction.
//
// The store may run its transaction again. All state of one run is in the struct attempt, which is then reset, and
// [Caller] is notified.
package execute
