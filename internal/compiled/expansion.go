package compiled

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
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
	// Alone encodes the reference by itself, where a view has the record without it; else nil. Linked
	// formats have no place for a record but that of the reference.
	Alone *codec.Encoder

	label []byte
}

// Label returns the field's name as JSON, and a colon. It is that of a member in each record of a
// page, so that it is made before; by New, which sets the fields.
func (e *Expansion) Label() []byte { return e.label }

// NewExpansion completes an expansion.
func NewExpansion(e Expansion) *Expansion {
	e.label, _ = jsontext.AppendQuote(nil, e.Field.Name) // names that are not UTF-8 are told of by the model
	e.label = append(e.label, ':')
	return &e
}

// Computes reports whether the records have computed members.
func (e *Expansion) Computes() bool {
	return slices.ContainsFunc(e.Resource.Computed, func(c *Computed) bool { return e.Shown.View.Member(c.Field) != nil })
}
