package openapi

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/schema"
)

// relationshipBody builds the body of requests that change a reference of a record alone. What rules
// say of how many there may be is about the list that is sent in place of another one: of what is added or
// taken away it says nothing.
func (b *builder) relationshipBody(op *compiled.Operation, f *format.Format) *openapi3.MediaType {
	made := b.schemaIn(f, referrer{record: &schema.Schema{}}, false)
	whole := b.schemas.BodySchema(op, "")
	list := slices.IndexFunc(made.Properties, func(p schema.Property) bool { return p.Schema.Items != nil })
	if list >= 0 && op.Relationship.Change == compiled.Replaces {
		limits, data := partOf(whole, []string{"properties", jsonPointer.Replace(op.Relationship.Field.Name)}), made.Properties[list].Schema
		data.MinItems, data.MaxItems, data.UniqueItems = limits.MinItems, limits.MaxItems, limits.UniqueItems
	}
	return &openapi3.MediaType{Schema: b.schemaRef(made)}
}
