package compiled

import (
	"slices"

	"github.com/trove-api/trove/internal/model"
)

// Expansion is a reference whose records are shown beside the record that has it.
type Expansion struct {
	Path     string // of JSON names joined by a dot: "owner", "owner.team"
	Field    *model.Field
	Resource *Resource // that the records are of
	Shown    *Value    // a record: Resource.Embedded, or less of it by a view
	Always   bool      // whatever the client asks for
	Inner    []*Expansion
}

// Computes reports whether the records have computed members.
func (e *Expansion) Computes() bool {
	return slices.ContainsFunc(e.Resource.Computed, func(c *Computed) bool { return e.Shown.View.Member(c.Field) != nil })
}
