package store

import (
	"errors"
	"reflect"
)

var (
	// ErrNotFound is the error of a record that is not there. It is answered 404.
	ErrNotFound = errors.New("store: record not found")
	// ErrConflict is the error of a write that the state of the store does not allow.
	// It is answered 409.
	ErrConflict = errors.New("store: conflict")
)

// UniqueError is the error of a write that would give two records the same value in a
// field that must be unique (the identifier, or a field tagged api:"unique"). It is an
// [ErrConflict].
type UniqueError struct {
	// Field is the JSON name of the field; of an identifier of several fields all their names,
	// with commas between them.
	Field string
}

// Error names the field, not the value.
func (e UniqueError) Error() string { return "store: " + e.Field + " is taken already" }

// Is makes errors.Is(err, ErrConflict) true.
func (UniqueError) Is(target error) bool { return target == ErrConflict }

// ErrUnavailable is the error of a store that cannot be reached for now, or not before others
// are done. It is answered 503 with Retry-After.
var ErrUnavailable = errors.New("store: unavailable")

// ReferenceError is the error of a write that would leave a reference without its record, at the
// latest when the transaction ends: one that makes a record refer to what is not there, or, where
// Referred is true, one that deletes a record which another one refers to by a field without
// ondelete, or with ondelete=restrict. It is an [ErrConflict]; an operation whose body may set the
// field answers the first with a violation of it, 400, and the other 409.
type ReferenceError struct {
	// Record is the Go type of the records that refer.
	Record reflect.Type
	// Field is the JSON name of the field that refers.
	Field string
	// Referred says that the record to be deleted is referred to.
	Referred bool
}

// Error names the field, not the value.
func (e ReferenceError) Error() string {
	if e.Referred {
		return "store: " + e.Field + " of another record refers to this one"
	}
	return "store: " + e.Field + " refers to no record"
}

// Is makes errors.Is(err, ErrConflict) true.
func (ReferenceError) Is(target error) bool { return target == ErrConflict }
