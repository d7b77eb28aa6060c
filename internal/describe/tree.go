package describe

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/store"
)

// FormatTree marks a tree of conditions, of which only some may be in one request.
const FormatTree = "filter"

// treeOf is the subject of the definition of trees of conditions. Collections of a resource with the same fields share
// one. Without a resource it is what trees can say about some fields.
type treeOf struct {
	resource *compiled.Resource
	fields   string
}

// tree returns the definition of the trees of conditions that a collection takes. It refers to itself.
func (s *Schemas) tree(op *compiled.Operation) *Definition {
	subject := treeOf{op.Resource, namesOf(op)}
	key := definitionKey{subject: subject}
	if known, ok := s.byKey[key]; ok {
		return known
	}
	base := op.Resource.ShortName
	if first := op.Resource.Collection; first != nil && first != op && namesOf(first) != subject.fields {
		base = ComponentName(op.ID)
	}
	d := s.define(key, base+"Filter")
	nodes := &schema.Schema{Type: []string{schema.Array}, Items: d.Ref(schema.Schema{})}
	d.Schema = &schema.Schema{
		Type: []string{schema.Object}, Format: FormatTree, Description: "Conditions, all of which must hold.",
		AdditionalProperties: schema.Nothing(),
		Properties: []schema.Property{
			{Name: "any", Schema: nodes}, {Name: "all", Schema: nodes}, {Name: "not", Schema: d.Ref(schema.Schema{})},
		},
	}
	for _, f := range op.Parameters.Tree {
		d.Schema.Properties = append(d.Schema.Properties, schema.Property{Name: f.Path.Name, Schema: s.treeField(f, base)})
	}
	return d
}

// treeField returns the schema of what a tree can say about a field. Fields of the same type with the same operators share
// a definition, unless they have values of their own. The values of an enumeration have a definition too, because
// generators of clients name each enumeration, and a name for each place would not be unique.
func (s *Schemas) treeField(f *parameters.TreeField, base string) *schema.Schema {
	p := f.Operators[0]
	plain := filterSchema(p)
	if plain.Enum != nil {
		d := s.define(definitionKey{subject: treeOf{fields: base + " " + f.Path.Name}}, base+capitals(f.Path.Name)+"Value")
		d.Schema = plain
		return fieldSchema(f, d.Ref(schema.Schema{}))
	}
	of := fieldSchema(f, nil)
	if plain.Pattern != "" || p.Layout != "" || p.Path.Leaf().Shown() != nil || len(plain.Type) != 1 {
		return of
	}
	name := plain.Type[0]
	switch {
	case plain.AnyOf != nil:
		name = "time"
	case plain.Format != "":
		name = plain.Format
	}
	words := make([]string, len(f.Operators))
	for i, each := range f.Operators {
		words[i] = strings.ReplaceAll(each.Word, "_", " ")
	}
	name = capitals(name+" "+strings.Join(words, " ")) + "Filter"
	if d := s.shared(treeOf{fields: name}, name, of); d != nil {
		return d.Ref(schema.Schema{})
	}
	return of
}

// namesOf returns the names of the filters of a collection.
func namesOf(op *compiled.Operation) string {
	var names []string
	for _, f := range op.Parameters.Tree {
		for _, p := range f.Operators {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, " ")
}

// Tree returns the resource of the records that trees of conditions are about, nil for another definition.
func (d *Definition) Tree() *compiled.Resource {
	t, _ := d.subject.(treeOf)
	return t.resource
}

// fieldSchema returns the schema of what a tree can say about a field: a value, several values, or operators. The values of
// an enumeration have a schema of their own.
func fieldSchema(f *parameters.TreeField, listed *schema.Schema) *schema.Schema {
	operators := &schema.Schema{Type: []string{schema.Object}, MinProperties: 1, AdditionalProperties: schema.Nothing()}
	for _, p := range f.Operators {
		of := treeValue(p, listed)
		if p.TakesList() {
			of = &schema.Schema{AnyOf: []*schema.Schema{of, treeValues(of)}}
		}
		operators.Properties = append(operators.Properties, schema.Property{Name: p.Word, Schema: of})
	}
	if f.Plain == nil {
		return operators
	}
	of := treeValue(f.Plain, listed)
	alternatives := []*schema.Schema{of}
	if f.Plain.TakesList() {
		alternatives = append(alternatives, treeValues(of))
	}
	return &schema.Schema{AnyOf: append(alternatives, operators)}
}

// treeValue returns the schema of a value that a tree compares with.
func treeValue(p *parameters.Parameter, listed *schema.Schema) *schema.Schema {
	switch {
	case p.Operator == store.Exists:
		return schema.Typed(schema.Boolean)
	case p.Between:
		return &schema.Schema{Type: []string{schema.Array}, Items: filterSchema(p), MinItems: 2, MaxItems: new(uint64(2))}
	case p.Operator == store.EqualFold:
		return schema.Typed(schema.String)
	case filter.Searches(p.Operator):
		return &schema.Schema{Type: []string{schema.String}, MinLength: 1}
	}
	of := filterSchema(p)
	if of.Enum != nil && listed != nil {
		return listed
	}
	return of
}

// treeValues returns the schema of several values, one of which must match.
func treeValues(of *schema.Schema) *schema.Schema {
	return &schema.Schema{Type: []string{schema.Array}, Items: of, MaxItems: new(uint64(parameters.MaxValues))}
}

// IsTreeWord reports whether a name in a tree of conditions is not a field.
func IsTreeWord(name string) bool { return slices.Contains([]string{"any", "all", "not"}, name) }
