package describe

import (
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
)

// CollectionParameter describes a parameter that Trove itself reads. Examples stand in its
// schema: those of the parameter itself fill the form of Swagger UI in, and a form full of
// filters finds nothing.
func (s *Schemas) CollectionParameter(op *compiled.Operation, p *parameters.Parameter) Parameter {
	of := schema.Typed(schema.String)
	switch p.Kind {
	case parameters.Page, parameters.ItemsPerPage, parameters.Offset:
		of = schema.Typed(schema.Integer)
		of.Min, of.Max, of.Default = schema.Int(p.Minimum), schema.Int(p.Maximum), schema.ValueOf(p.Default)
		// The second page: the first is what a client gets anyway, and shows nothing.
		of.Examples = schema.ValuesOf(min(p.Maximum, 2))
	case parameters.Pagination, parameters.Partial:
		of = schema.Typed(schema.Boolean)
		byDefault, _ := p.Default.(bool)
		of.Default, of.Examples = schema.ValueOf(byDefault), schema.ValuesOf(!byDefault)
	case parameters.Cursor:
		// Cursors are opaque on purpose. A format of its own keeps whoever makes requests from the
		// document, tests included, from inventing one.
		of.Format, of.Examples = "cursor", schema.ValuesOf("")
	case parameters.Sort, parameters.Fields, parameters.Expand:
		of = listOf(p.Allowed)
		of.Examples = schema.ValuesOf(p.Allowed[len(p.Allowed)-1:])
	case parameters.Order:
		of.Enum = schema.ValuesOf("asc", "desc", "ASC", "DESC")
		of.Examples = schema.ValuesOf("asc")
	case parameters.Search:
		of.MinLength, of.MaxLength = 1, new(uint64(parameters.MaxSearch))
		of.Examples = schema.ValuesOf("gold")
	case parameters.Filter:
		of = s.filter(p)
	}
	return Parameter{Schema: of, Description: describeParameter(op, p)}
}

// listOf returns the schema of a list of some of the names.
// An empty list is refused by the service: "fields=" is a mistake rather than a wish for nothing.
func listOf(names []string) *schema.Schema {
	list, name := schema.Typed(schema.Array), schema.Typed(schema.String)
	for _, allowed := range names {
		name.Enum = append(name.Enum, schema.ValueOf(allowed))
	}
	list.Items, list.MinItems = name, 1
	return list
}

// describeParameter returns the text of a parameter that Trove itself reads.
// What goes before what is told in each of them: parameters that are passed over without a word are
// what people report as bugs.
func describeParameter(op *compiled.Operation, p *parameters.Parameter) string {
	switch p.Kind {
	case parameters.Page:
		return "The number of the page. Behind the last number, `Link` goes on by cursor. Not read beside `cursor`, nor by a stream."
	case parameters.Offset:
		return "How many records to skip. It takes precedence over `page`. " +
			"Not read beside `cursor`, nor where there are no records to send or no pages, nor by a stream."
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
			"Not read beside `sort`." + describeThrough(p)
	case parameters.Search:
		return "Words, each of which must be in one of `" + strings.Join(p.Allowed, "`, `") + "`, in any case."
	case parameters.Filter:
		return describeFilter(p) + describeThrough(p)
	case parameters.Expand:
		return "The references whose records are answered, too, in `_embedded`; null for one that is not there."
	}
	if names := op.Resource.ID.Names(); len(names) > 1 {
		return "The members to answer with. `" + strings.Join(names, "`, `") + "` always are among them."
	}
	return "The members to answer with. `" + op.Resource.ID.Name() + "` always is one."
}

// describeThrough says what becomes of records that refer to nothing.
// A record that may not be seen counts like none, and the text must not tell the two apart.
func describeThrough(p *parameters.Parameter) string {
	switch {
	case p.Through == "":
		return ""
	case p.Kind == parameters.Order:
		return " Where `" + p.Through + "` refers to nothing that whoever asks may see, it counts as null."
	}
	if p.Path.Fields[0].Reference.Many {
		return " Of one record in `" + p.Through + "`, which fulfils all that is asked through it, and which whoever asks may see."
	}
	return " Only of what `" + p.Through + "` refers to, where whoever asks may see it."
}

// describeCursor says what a cursor goes before.
// Only parameters that the operation has are named: a reader looks for them in the same list.
func describeCursor(op *compiled.Operation) string {
	page, sort := op.HasParameter(parameters.Page), op.HasParameter(parameters.Sort)
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
