// Package execute runs operations: a [Call] becomes a [Result] or an error. It knows of no
// protocol. What calls it, such as internal/httpserve, makes the call of what it was sent,
// and of the result what it sends.
//
// An [Operation] is a list of steps, made by the constructor of its kind: [Get], [List], [Create], [Replace], [Update],
// [Delete], [Handler], [Bulk], [Membership] and [Relationship]. Each is a file with its whole list. A write has three
// parts, all in one transaction of the store:
//
//   - what it looks at: the records above, the record, the rules about it, the conditions of the request;
//   - what it makes of the body: decode, apply, set what the path says, ask the rules of fields, Prepare, validate,
//     ask the rules about the new state;
//   - what it saves: the handler or the Processor, and the record.
//
// Around them, a call with a key looks up and keeps its response. The caller makes its response as the last step.
//
// If the user has a function for slow work, the first two parts run before the transaction, and the function after them.
// The transaction then repeats the first part, compares the record with the one that was prepared, and goes on with it:
// ahead.go. If the record has changed, the call starts over.
//
// An operation that reads runs without a transaction.
//
// The store may run its transaction again. What a run of the steps has made of the call is
// one struct, attempt, which is then zeroed as a whole; [Caller] is told.
package execute
