package openapi

import (
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
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
	list = append(list, b.conditionParameters(op)...)
	return append(list, b.keyParameter(op)...)
}

func (b *builder) pathParameter(op *compiled.Operation, name string) *openapi3.Parameter {
	p := openapi3.NewPathParameter(name)
	said := b.schemas.PathParameter(op, name)
	p.Description, p.Example, p.Schema = said.Description, said.Example, b.schemaRef(said.Schema)
	return p
}

// ownParameter builds a parameter of the user's own.
func (b *builder) ownParameter(op *compiled.Operation, p *parameters.Parameter) *openapi3.Parameter {
	built := openapi3.NewQueryParameter(p.Name)
	if p.Header {
		built = openapi3.NewHeaderParameter(p.Name)
	}
	said := b.schemas.Parameter(op, p)
	built.Required, built.Description, built.Example = said.Required, said.Description, said.Example
	built.Schema = b.schemaRef(said.Schema)
	return built
}

// addressExample returns the address that examples show of a record, "" where none could be made.
func (b *builder) addressExample(r *compiled.Resource) string {
	examples := map[string]string{}
	for _, f := range r.ID.Fields() {
		example := b.schemas.KeyExample(f)
		if example == nil {
			return ""
		}
		examples[f.Name] = fmt.Sprint(example)
	}
	for i := range r.Get().Parents {
		p := &r.Get().Parents[i]
		example := b.schemas.FieldExample(p.Resource.Struct.ID)
		if example == nil {
			return ""
		}
		examples[p.Variable] = fmt.Sprint(example)
	}
	return r.Get().Template.Expand(func(name string) string { return examples[name] })
}
