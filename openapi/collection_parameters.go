package openapi

import (
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/store"
)

// collectionParameter builds a parameter that Trove itself reads. Examples stand in its
// schema: those of the parameter itself fill the form of Swagger UI in, and a form full of
// filters finds nothing.
func (b *builder) collectionParameter(op *compiled.Operation, p *parameters.Parameter) *openapi3.Parameter {
	built := openapi3.NewQueryParameter(p.Name)
	schema := typed(openapi3.TypeString)
	switch p.Kind {
	case parameters.Page, parameters.ItemsPerPage:
		schema = typed(openapi3.TypeInteger)
		schema.Min, schema.Max, schema.Default = new(float64(p.Minimum)), new(float64(p.Maximum)), p.Default
	case parameters.Pagination, parameters.Partial:
		schema = typed(openapi3.TypeBoolean)
		schema.Default = p.Default
	case parameters.Cursor:
		schema.Format, schema.Examples = "cursor", []any{""}
	case parameters.Sort, parameters.Fields:
		schema = listOf(p.Allowed)
		schema.Examples = []any{[]any{p.Allowed[len(p.Allowed)-1]}}
		built.Style, built.Explode = openapi3.SerializationForm, new(false)
	case parameters.Order:
		schema.Enum = []any{"asc", "desc"}
		schema.Examples = []any{"asc"}
	case parameters.Search:
		schema.MinLength, schema.MaxLength = 1, new(uint64(parameters.MaxSearch))
		schema.Examples = []any{"gold"}
	case parameters.Filter:
		b.filter(built, schema, p)
		built.Description = describeFilter(p)
		return built
	}
	built.Description = describeParameter(op, p)
	built.Schema = openapi3.NewSchemaRef("", schema)
	return built
}

// listOf returns the schema of a list of some of the names.
func listOf(names []string) *openapi3.Schema {
	list, name := typed(openapi3.TypeArray), typed(openapi3.TypeString)
	for _, allowed := range names {
		name.Enum = append(name.Enum, allowed)
	}
	list.Items, list.MinItems = openapi3.NewSchemaRef("", name), 1
	return list
}

// filter completes the parameter of a filter.
func (b *builder) filter(built *openapi3.Parameter, schema *openapi3.Schema, p *parameters.Parameter) {
	f := p.Path.Leaf()
	example := b.exampleOf(f)
	switch {
	case p.Operator == store.Exists:
		schema, example = typed(openapi3.TypeBoolean), true
	case p.Between:
		schema.Format = "range"
		example = fmt.Sprintf("%v..%v", example, example)
	case p.Operator == store.EqualFold:
	case p.Operator == store.Contains, p.Operator == store.HasPrefix, p.Operator == store.HasSuffix, p.Operator == store.HasWordPrefix:
		schema.MinLength = 1
	default:
		schema = filterSchema(p)
	}
	if p.Many {
		list := typed(openapi3.TypeArray)
		list.Items, list.MaxItems = openapi3.NewSchemaRef("", schema), new(uint64(parameters.MaxValues))
		schema, example = list, []any{example}
	}
	schema.Examples = []any{example}
	built.Schema = openapi3.NewSchemaRef("", schema)
}

// filterSchema says which values a field can be compared with: those of its type, or of
// its enumeration.
func filterSchema(p *parameters.Parameter) *openapi3.Schema {
	schema, t := &openapi3.Schema{}, *p.Path.Leaf().Type
	switch t.Kind {
	case model.Int, model.Uint, model.Float:
		number(schema, &t)
	case model.Bool:
		schema = typed(openapi3.TypeBoolean)
	default:
		text(schema, &t)
	}
	for _, allowed := range p.Allowed {
		if t.Kind == model.String {
			schema.Enum = append(schema.Enum, allowed)
		} else {
			schema.Enum = append(schema.Enum, literal([]byte(allowed)))
		}
	}
	return schema
}

// describeParameter returns the text of a parameter that is not a filter.
func describeParameter(op *compiled.Operation, p *parameters.Parameter) string {
	many := phrase(op.Resource.PluralName)
	switch p.Kind {
	case parameters.Page:
		return "The number of the page. Behind the last number, `Link` goes on by cursor. Not read beside `cursor`, and by a stream."
	case parameters.ItemsPerPage:
		return "How many " + many + " a page has at most. Not read by a stream."
	case parameters.Pagination:
		return "Whether there are pages at all: `false` asks for all " + many + " at once, and goes before `page` and `cursor`."
	case parameters.Partial:
		return "Whether the total and the last page are left out, which spares counting."
	case parameters.Cursor:
		return "A position in the collection, from the `Link` of an answer; empty for its beginning. It has an order of its own, " +
			"and goes before `page`, `sort` and `order`."
	case parameters.Sort:
		return "The order: fields, the weightiest first, each with a `-` for descending. It goes before `order[…]`."
	case parameters.Order:
		return "The direction in which to order by `" + p.Path.Name + "`. Several are weighed in the order in which they are given."
	case parameters.Search:
		return "Words, each of which must be in one of `" + strings.Join(p.Allowed, "`, `") + "`, in any case."
	}
	return "The members to answer with. `" + op.Resource.ID.Name() + "` always is one."
}

// describeFilter returns the text of a filter.
func describeFilter(p *parameters.Parameter) string {
	name := "`" + p.Path.Name + "`"
	switch p.Operator {
	case store.Equal:
		return name + " is the value, or one of several."
	case store.NotEqual:
		return name + " is not the value, nor one of several. What is null is none of them."
	case store.EqualFold:
		return name + " is the text, in any case."
	case store.Contains:
		return name + " has the text in it, in any case."
	case store.HasPrefix:
		return name + " begins with the text, in any case."
	case store.HasSuffix:
		return name + " ends with the text, in any case."
	case store.HasWordPrefix:
		return name + " has a word that begins with the text, in any case."
	case store.Less:
		return name + " is less than the value."
	case store.LessEqual:
		return name + " is at most the value."
	case store.Greater:
		return name + " is greater than the value."
	case store.GreaterEqual:
		return name + " is at least the value."
	case store.Exists:
		return "Whether " + name + " has a value; `false` finds null."
	}
	return name + " lies between two values or is one of them, written `low..high`."
}
