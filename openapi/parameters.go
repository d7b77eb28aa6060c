package openapi

import (
	"cmp"
	"fmt"
	"slices"

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
	list = append(list, conditionParameters(op)...)
	return append(list, keyParameter(op)...)
}

func (b *builder) pathParameter(op *compiled.Operation, name string) *openapi3.Parameter {
	p := openapi3.NewPathParameter(name)
	if name == op.Resource.ID.Name() {
		p.Description = fmt.Sprintf("The %s of the %s.", name, op.Resource.ShortName)
		p.Schema = openapi3.NewSchemaRef("", identifierSchema(op.Resource.Struct.ID.Type))
		p.Example = b.identifierExample(op.Resource)
		return p
	}
	if i := slices.IndexFunc(op.Parents, func(p compiled.Parent) bool { return p.Variable == name }); i >= 0 {
		above := op.Parents[i].Resource
		p.Description = fmt.Sprintf("The %s of the %s that is the %s.", above.ID.Name(), above.ShortName, name)
		p.Schema = openapi3.NewSchemaRef("", identifierSchema(above.Struct.ID.Type))
		p.Example = b.identifierExample(above)
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
	f, of := p.Field, op.Parameters.Own.Struct
	at := spot{role: created, owner: of, name: f.Name, fallback: capital(op.ID) + capital(cleanName(f.Name))}
	v := b.schemas.value(f.Type, b.schemas.stated(&definition{definitionKey: definitionKey{role: created}}, f), at)
	v.null = false // a parameter has no way to write it
	if b.schemas.hasOwnRule(of) {
		v.unsaid(formatConditions, "")
	}
	if p.Many && (v.schema.MaxItems == nil || *v.schema.MaxItems > parameters.MaxValues) {
		v.schema.MaxItems = new(uint64(parameters.MaxValues))
	}
	switch {
	case f.Type.Kind == model.Bool:
		takeNumbers(v.schema)
	case f.Type.Kind == model.List && f.Type.Elem.Kind == model.Bool:
		takeNumbers(v.schema.Items.Value)
	}
	if f.Default != nil {
		v.schema.Default = literal(f.Default)
	}
	built.Required = f.Required
	built.Description = cmp.Or(sentences(append([]string{f.Doc}, v.says...)...), sentenceCase(f.Name)+".")
	if f.Example != nil || f.Required || !v.risky { // a risky one may be refused where it is the only one given
		built.Example = exampleOf(f, v)
	}
	built.Schema = v.schemaRef()
	return built
}

// exampleOf returns an example of a field's values, nil where none could be made.
func exampleOf(f *model.Field, v *value) any {
	if f.Example != nil {
		return literal(f.Example)
	}
	made, _ := v.make(nil, f.Type, f.Name)
	return made
}

// fieldExample returns an example of what answers show of a field that is a scalar. Many
// parameters are about the same one.
func (b *builder) fieldExample(f *model.Field) any {
	example, known := b.examples[f]
	if !known {
		example = exampleOf(f, b.schemas.member(f, f.Rules, spot{role: answered}))
		b.examples[f] = example
	}
	return example
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
func (b *builder) identifierExample(r *compiled.Resource) any { return b.fieldExample(r.Struct.ID) }
