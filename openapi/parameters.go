package openapi

import (
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/parameters"
)

// parameters builds the parameters of an operation: the variables of its template, then
// those of the query and the header.
func (b *builder) parameters(op *compiled.Operation) openapi3.Parameters {
	var list openapi3.Parameters
	for _, name := range op.Template.Variables() {
		list = append(list, &openapi3.ParameterRef{Value: b.pathParameter(op, name)})
	}
	for _, p := range op.Parameters.List {
		built := b.collectionParameter(op, p)
		if p.Kind == parameters.Own {
			built = b.ownParameter(op, p)
		}
		list = append(list, &openapi3.ParameterRef{Value: built})
	}
	return list
}

func (b *builder) pathParameter(op *compiled.Operation, name string) *openapi3.Parameter {
	p := openapi3.NewPathParameter(name)
	if name == op.Resource.ID.Name() {
		p.Description = fmt.Sprintf("The %s of the %s.", name, op.Resource.ShortName)
		p.Schema = openapi3.NewSchemaRef("", identifierSchema(op.Resource.Struct.ID.Type))
		p.Example = b.identifierExample(op.Resource)
		return p
	}
	p.Description = sentenceCase(name) + "."
	p.Schema = openapi3.NewSchemaRef("", &openapi3.Schema{Type: &openapi3.Types{openapi3.TypeString}, MinLength: 1})
	return p
}

// ownParameter builds a parameter of the user's own. Its schema is made as that of a
// body's member is.
func (b *builder) ownParameter(op *compiled.Operation, p *parameters.Parameter) *openapi3.Parameter {
	built := openapi3.NewQueryParameter(p.Name)
	if p.Header {
		built = openapi3.NewHeaderParameter(p.Name)
	}
	f := p.Field
	built.Required = f.Required
	at := spot{role: created, name: f.Name, fallback: capital(op.ID) + capital(cleanName(f.Name))}
	v := b.schemas.value(f.Type, b.schemas.stated(&definition{definitionKey: definitionKey{role: created}}, f), at)
	v.null = false // a parameter has no way to write it
	if p.Many && (v.schema.MaxItems == nil || *v.schema.MaxItems > parameters.MaxValues) {
		v.schema.MaxItems = new(uint64(parameters.MaxValues))
	}
	if f.Default != nil {
		v.schema.Default = literal(f.Default)
	}
	built.Description = sentences(append([]string{f.Doc}, v.says...)...)
	if built.Description == "" {
		built.Description = sentenceCase(f.Name) + "."
	}
	built.Example = b.exampleOf(f)
	built.Schema = v.schemaRef()
	return built
}

// exampleOf returns an example of a field's values, nil where none could be made.
func (b *builder) exampleOf(f *model.Field) any {
	if f.Example != nil {
		return literal(f.Example)
	}
	made, _ := b.schemas.value(f.Type, f.Rules, spot{role: answered}).make(nil, f.Type, f.Name)
	return made
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
func (b *builder) identifierExample(r *compiled.Resource) any { return b.exampleOf(r.Struct.ID) }
