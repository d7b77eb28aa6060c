package openapi

import (
	"fmt"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
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
	if f := op.Resource.Struct.Field(name); op.Item && op.Resource.ID.Has(name) {
		p.Description = fmt.Sprintf("The %s of the %s.", name, op.Resource.ShortName)
		p.Schema = b.schemaRef(identifierSchema(f.Type))
		p.Example = b.keyExample(f)
		return p
	}
	if i := slices.IndexFunc(op.Parents, func(p compiled.Parent) bool { return p.Variable == name }); i >= 0 {
		above := op.Parents[i].Resource
		p.Description = fmt.Sprintf("The %s of the %s that is the %s.", above.ID.Name(), above.ShortName, name)
		p.Schema = b.schemaRef(identifierSchema(above.Struct.ID.Type))
		p.Example = b.identifierExample(above)
		return p
	}
	p.Description = naming.SentenceCase(name) + "."
	p.Schema = b.schemaRef(&schema.Schema{Type: []string{schema.String}, MinLength: 1})
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

// identifierSchema says what an identifier is in a path. One that breaks the rules of
// its field is that of no record, and answered so.
func identifierSchema(t *model.Type) *schema.Schema {
	of := describe.Scalar(t)
	if t.Kind == model.String {
		of.MinLength = 1
	}
	return of
}

// identifierExample returns the identifier that all examples of a resource have, nil
// where none could be made.
func (b *builder) identifierExample(r *compiled.Resource) any { return b.keyExample(r.Struct.ID) }

// keyExample returns what all examples have for a field of an identifier in a path, nil where
// none could be made.
func (b *builder) keyExample(f *model.Field) any {
	if f.Reference != nil { // which examples of bodies show as an address
		f = f.Reference.Target.ID
	}
	return b.schemas.FieldExample(f)
}

// addressExample returns the address that examples show of a record, "" where none could be made.
func (b *builder) addressExample(r *compiled.Resource) string {
	examples := map[string]string{}
	for _, f := range r.ID.Fields() {
		example := b.keyExample(f)
		if example == nil {
			return ""
		}
		examples[f.Name] = fmt.Sprint(example)
	}
	return r.Item.Template.Expand(func(name string) string { return examples[name] })
}
