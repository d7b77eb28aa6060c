// Package execute runs operations: a [Call] becomes a [Result] or an error. It knows of no
// protocol. What calls it, such as internal/httpserve, makes the call of what it was sent,
// and of the result what it sends.
//
// The steps of an operation that writes, one file for each, in one transaction of the store:
//
//	replay         look for the answer to a call with the same key
//	read           load the record that the call names, or the records of a collection, as far
//	               as the caller may see them
//	authorize      ask the rule of access about the record as it is
//	preconditions  compare the conditions with it
//	deserialize    apply the body to a copy of it, or decode a handler's body
//	apply          check a body of another type than the record, and apply it
//	created        refuse changes of members that are set at creation alone
//	members        refuse members that the caller may not write
//	prepare        run the resource's Prepare hook
//	validate       check the record, or a handler's body
//	authorize      ask the rules about the record as it becomes
//	write          run the handler, and save the record through the Processor
//	               (the caller makes its answer)
//	replay         keep the answer
//
// Where the user has a function for slow work, all steps up to the write run before the transaction, and the function
// after them. The transaction then repeats replay, read, authorize and preconditions, compares the record with the one that
// was prepared, and goes on with it: ahead.go. If the record has changed, the call starts over.
//
// An operation that reads runs without a transaction. Which steps concern an operation is
// settled when the API is made: steps.go.
//
// The store may run its transaction again. What a run of the steps has made of the call is
// one struct, attempt, which is then zeroed as a whole; [Caller] is told.
package execute
