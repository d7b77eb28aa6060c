package compiled

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// Expansion is a reference whose records a response includes.
type Expansion struct {
	Path     string // JSON names joined by a dot: "owner", "owner.team"
	Field    *model.Field
	Resource *Resource // of the records
	Shown    *Value    // a record: Resource.Embedded, or less of it by a view
	Always   bool      // whatever the client requests
	Inner    []*Expansion
	// Alone encodes the reference by itself, if a view has the record without it; else nil. Linked
	// formats have no place for a record but that of the reference.
	Alone *codec.Encoder

	Label    []byte // the field's name as JSON, and a colon
	Computes bool   // the records have computed fields
}

// AlwaysEmbedded returns how many records each record always embeds at most.
func AlwaysEmbedded(list []*Expansion) int {
	sum := 0
	for _, e := range list {
		switch {
		case !e.Always:
		case e.Field.Reference.Many:
			sum += e.Field.Reference.Most * (1 + AlwaysEmbedded(e.Inner))
		default:
			sum += 1 + AlwaysEmbedded(e.Inner)
		}
	}
	return sum
}

// NewExpansion completes an expansion.
func NewExpansion(e Expansion) *Expansion {
	e.Label, _ = jsontext.AppendQuote(nil, e.Field.Name) // the model reports names that are not UTF-8
	e.Label = append(e.Label, ':')
	e.Computes = slices.ContainsFunc(e.Resource.Computed, func(c *Computed) bool { return e.Shown.View.Field(c.Field) != nil })
	return &e
}
