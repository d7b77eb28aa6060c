package store

import "errors"

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
	// Field is the JSON name of the field.
	Field string
}

// Error names the field, not the value.
func (e UniqueError) Error() string { return "store: " + e.Field + " is taken already" }

// Is makes errors.Is(err, ErrConflict) true.
func (UniqueError) Is(target error) bool { return target == ErrConflict }

// ErrUnavailable is the error of a store that cannot be reached for now, or not before others
// are done. It is answered 503 with Retry-After.
var ErrUnavailable = errors.New("store: unavailable")
