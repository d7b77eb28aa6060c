package compiled

import "github.com/trove-api/trove/internal/model"

// Relationship is the reference that an operation is about, and nothing else of its record: formats
// may have references at addresses of their own.
type Relationship struct {
	Field  *model.Field
	Change RelationshipChange
}

// RelationshipChange is what becomes of the references of a record that an operation is sent others for.
type RelationshipChange int

const (
	// Replaces puts those of the body in place of those that there are.
	Replaces RelationshipChange = iota
	// Adds appends those of the body that the list does not have yet.
	Adds
	// Removes takes those of the body away, as far as the list has them.
	Removes
)
