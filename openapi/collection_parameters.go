package openapi

import (
	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/parameters"
)

// collectionParameter builds a parameter that Trove itself reads.
func (b *builder) collectionParameter(op *compiled.Operation, p *parameters.Parameter) *openapi3.Parameter {
	built := openapi3.NewQueryParameter(p.Name)
	switch p.Kind {
	case parameters.Sort, parameters.Fields, parameters.Expand:
		built.Style, built.Explode = openapi3.SerializationForm, new(false)
	}
	said := b.schemas.CollectionParameter(op, p)
	built.Description, built.Schema = said.Description, b.schemaRef(said.Schema)
	return built
}
