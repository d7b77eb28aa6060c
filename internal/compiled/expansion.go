package compiled

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// Expansion is a reference whose records a response can embed.
type Expansion struct {
	Path     string // JSON names joined by a dot: "owner", "owner.team"
	Field    *model.Field
	Resource *Resource // of the records
	Shown    *Value    // a record: Resource.Embedded, or fewer fields of it
	Always   bool      // embedded even if the client does not request it
	Inner    []*Expansion
	// Alone encodes only the reference, if a view omits it but embeds the record; nil otherwise. Formats that link
	// records need it, because they embed a record at its reference.
	Alone *codec.Encoder

	Label    []byte // the field's name as JSON, and a colon
	Computes bool   // the records have computed fields
}

// AlwaysEmbedded returns the maximum number of records that are always embedded in each record.
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
