package openapi

import (
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
)

// parameters builds the parameters of an operation: the variables of its template.
func (b *builder) parameters(op *compiled.Operation) openapi3.Parameters {
	var list openapi3.Parameters
	for _, name := range op.Template.Variables() {
		p := openapi3.NewPathParameter(name)
		if name == op.Resource.ID.Name() {
			p.Description = fmt.Sprintf("The %s of the %s.", name, op.Resource.ShortName)
			p.Schema = openapi3.NewSchemaRef("", identifierSchema(op.Resource.Struct.ID.Type))
			p.Example = b.identifierExample(op.Resource)
		} else {
			p.Description = sentenceCase(name) + "."
			p.Schema = openapi3.NewSchemaRef("", &openapi3.Schema{Type: &openapi3.Types{openapi3.TypeString}, MinLength: 1})
		}
		list = append(list, &openapi3.ParameterRef{Value: p})
	}
	return list
}

// identifierSchema says what an identifier is in a path. One that breaks the rules of
// its field is that of no record, and answered so.
func identifierSchema(t *model.Type) *openapi3.Schema {
	schema := &openapi3.Schema{}
	switch t.Kind {
	case model.Int, model.Uint:
		number(schema, t)
	case model.String:
		text(schema, t)
		schema.MinLength = 1
	default:
		text(schema, t)
	}
	return schema
}

// identifierExample returns the identifier that all examples of a resource have, nil
// where none could be made.
func (b *builder) identifierExample(r *compiled.Resource) any {
	f := r.Struct.ID
	if f.Example != nil {
		return literal(f.Example)
	}
	made, _ := b.schemas.value(f.Type, f.Rules, spot{role: answered}).make(nil, f.Type, f.Name)
	return made
}
