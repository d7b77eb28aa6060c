package openapi

import (
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/parameters"
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
		schema.Examples = []any{min(p.Maximum, 2)}
	case parameters.Pagination, parameters.Partial:
		schema = truth()
		byDefault, _ := p.Default.(bool)
		schema.Default, schema.Examples = byDefault, []any{!byDefault}
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
		schema = b.filter(p)
	}
	built.Description = describeParameter(op, p)
	built.Schema = openapi3.NewSchemaRef("", schema)
	return built
}

// truth returns the schema of a boolean in a parameter.
func truth() *openapi3.Schema {
	schema := typed(openapi3.TypeBoolean)
	takeNumbers(schema)
	return schema
}

// takeNumbers lets the schema of a boolean take 1 and 0, which parameters may have for it.
func takeNumbers(schema *openapi3.Schema) {
	if schema.Enum == nil && schema.Const == nil {
		schema.Enum = []any{true, false}
	}
	schema.Type = &openapi3.Types{openapi3.TypeBoolean, openapi3.TypeInteger}
	if schema.Const != nil {
		schema.Enum, schema.Const = []any{schema.Const}, nil
	}
	for _, value := range schema.Enum {
		number := int64(0)
		if isTrue, _ := value.(bool); isTrue {
			number = 1
		}
		schema.Enum = append(schema.Enum, number)
	}
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

// describeParameter returns the text of a parameter that Trove itself reads.
func describeParameter(op *compiled.Operation, p *parameters.Parameter) string {
	switch p.Kind {
	case parameters.Page:
		return "The number of the page. Behind the last number, `Link` goes on by cursor. Not read beside `cursor`, nor by a stream."
	case parameters.ItemsPerPage:
		text := "How many records a page has at most."
		if p.Minimum == 0 {
			text += " `0` asks for the total alone, and goes before `page`, `partial` and `cursor`."
		}
		return text + " Not read by a stream."
	case parameters.Pagination:
		return "Whether there are pages at all: `false` asks for all records at once, and goes before all that turns pages. " +
			"A stream never has any."
	case parameters.Partial:
		return "Whether the total and the last page are left out, which spares counting. Not read beside `cursor`, nor by a stream."
	case parameters.Cursor:
		return "A position in the collection, from the `Link` of an answer; empty for its beginning. " + describeCursor(op)
	case parameters.Sort:
		return "The order: fields, the weightiest first, each with a `-` for descending. It goes before `order[…]`."
	case parameters.Order:
		return "The direction in which to order by `" + p.Path.Name + "`. Several are weighed in the order in which they are given. " +
			"Not read beside `sort`."
	case parameters.Search:
		return "Words, each of which must be in one of `" + strings.Join(p.Allowed, "`, `") + "`, in any case."
	case parameters.Filter:
		return describeFilter(p)
	}
	return "The members to answer with. `" + op.Resource.ID.Name() + "` always is one."
}

// describeCursor says what a cursor goes before.
func describeCursor(op *compiled.Operation) string {
	page, sort := hasParameter(op, parameters.Page), hasParameter(op, parameters.Sort)
	switch {
	case page && sort:
		return "It goes before `page` and, unless it is empty, before `sort` and `order[…]`: it has an order of its own."
	case page:
		return "It goes before `page`."
	case sort:
		return "Unless it is empty it goes before `sort` and `order[…]`: it has an order of its own."
	}
	return "Taken as it is."
}
