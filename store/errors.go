package store

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

var (
	// ErrNotFound is the error for a record that does not exist. The client gets a 404.
	ErrNotFound = errors.New("store: record not found")
	// ErrConflict is the error for a write that conflicts with the stored state. The client gets a 409.
	ErrConflict = errors.New("store: conflict")
	// ErrConstraint is the [ErrConflict] of a write that breaks a rule which only the database knows, such as a CHECK
	// or a unique index that is not a [Constraint] of the struct. The response does not advise clients to load the record
	// again, and the error is logged as a warning.
	ErrConstraint = fmt.Errorf("%w with a rule of the database", ErrConflict)
)

// UniqueError is the error for a write that would give two records the same value in a unique field. Unique fields are
// the identifier and fields tagged api:"unique". It is an [ErrConflict].
type UniqueError struct {
	// Field is the JSON name of the field. For an identifier of several fields it has all their names, separated by
	// commas.
	Field string
}

// Error names the field, not the value.
func (e UniqueError) Error() string { return "store: " + e.Field + " is already in use" }

// Is makes errors.Is(err, ErrConflict) true.
func (UniqueError) Is(target error) bool { return target == ErrConflict }

// ConstraintError is the error for a write that breaks a [Constraint] of the struct, at the latest when the transaction
// ends. It is an [ErrConflict]. The client gets a 409 with the message, and the names of the fields. If a write breaks
// several constraints, the error is that of any of them.
type ConstraintError struct {
	// Fields has the JSON names of the constraint's fields, without hidden ones, because the response has them all.
	Fields []string
	// Message is the detail of the response. It says nothing about the other record.
	Message string
}

// Error names the fields, not the values.
func (e ConstraintError) Error() string {
	return "store: the constraint on " + strings.Join(e.Fields, ", ") + " is broken: " + e.Message
}

// Is makes errors.Is(err, ErrConflict) true.
func (ConstraintError) Is(target error) bool { return target == ErrConflict }

// ErrUnavailable is the error of a store that cannot be reached at the moment, or that is still busy after the time
// limit. The client gets a 503 with Retry-After.
var ErrUnavailable = errors.New("store: unavailable")

// ReferenceError is the error for a write that would leave a reference without its record, at the latest when the
// transaction ends. There are two cases. If Referred is false, the record refers to one that does not exist. If it is
// true, the record to delete is referenced by a field with ondelete=restrict, the default. It is an [ErrConflict].
//
// If the body of the operation may set the field, the first case is a validation error of that field (400). All others
// are a 409.
type ReferenceError struct {
	// Record is the Go type of the records that have the reference.
	Record reflect.Type
	// Field is the JSON name of the reference field.
	Field string
	// Referred reports that the record to delete is still referenced.
	Referred bool
}

// Error names the field, not the value.
func (e ReferenceError) Error() string {
	if e.Referred {
		return "store: " + e.Field + " of another record references this one"
	}
	return "store: " + e.Field + " references a record that does not exist"
}

// Is makes errors.Is(err, ErrConflict) true.
func (ReferenceError) Is(target error) bool { return target == ErrConflict }
