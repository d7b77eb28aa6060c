// Package conditional is about conditional requests (RFC 9110, section 13): it makes the
// entity tags of answers, reads the conditions of requests, and evaluates them.
//
// An entity tag names the state of a record and, where that does not tell all, the
// representation: "state" or "state.representation". A reader's conditions compare the
// whole; a writer's compare the state alone, so that a tag from any answer guards a
// change.
package conditional
