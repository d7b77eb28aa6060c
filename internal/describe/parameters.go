package describe

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/fulltext"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/store"
)

// formatRange marks two values in one string, which keywords cannot express.
const formatRange = "range"

// filter makes the schema of a filter, with an example. A filter takes the values of its field, unless the operator
// changes the type: existence, a range in one string, a part of a string.
func (s *Schemas) filter(p *parameters.Parameter) *schema.Schema {
	of, example := treeValue(p, nil), s.FieldExample(p.Path.Leaf())
	if elements, _ := example.([]any); p.Path.Leaf().Type.ListsKeys() { // it filters by an element
		if example = nil; len(elements) > 0 {
			example = elements[0]
		}
	}
	switch {
	case p.Operator == store.Exists:
		example = true
	case p.Between:
		above := example // a little, because the upper end must not be below the lower one
		if next, ok := related(check.Relative{Step: 1, Layout: p.Layout, OtherLayout: p.Layout}, example); ok && of.Items.Allows(next) {
			above = next
		}
		example = fmt.Sprintf("%v..%v", example, above)
		of = &schema.Schema{Type: []string{schema.String}, Format: formatRange}
	}
	if p.Many {
		of = treeValues(of)
		if example != nil {
			example = []any{example}
		}
	}
	if example != nil {
		of.Examples = schema.ValuesOf(example)
	}
	return of
}

// filterSchema returns the schema of the values that a field can be compared with: those of its type or enumeration. It
// leaves out the bounds of the field's rules, because to filter by a value that no record can have is not an error.
func filterSchema(p *parameters.Parameter) *schema.Schema {
	if shown := p.Path.Leaf().Shown(); shown != nil {
		return paths(shown)
	}
	t := p.Path.Leaf().Type
	if t.ListsKeys() {
		t = t.Elem
	}
	of := scalar(t)
	if t.Kind == model.Time {
		// With the format date-time alone, clients would reject a date, which is the more frequent value.
		of.Format, of.AnyOf = "", []*schema.Schema{{Format: "date-time"}, {Format: "date"}}
	}
	if p.Layout != "" { // a string with the rule datetime
		st := check.Describe("datetime", check.Subject{Type: t, Param: p.Layout})
		if of.Format = st.Format; st.Keywords != nil {
			of.Format = st.Keywords.Format
		}
		if p.Path.Leaf().Rules.OmitEmpty { // it can be empty
			of.Format, of.AnyOf = "", []*schema.Schema{{Format: of.Format}, {MaxLength: new(uint64(0))}}
		}
		return of
	}
	for _, allowed := range p.Allowed {
		if t.Kind == model.String {
			of.Enum = append(of.Enum, schema.ValueOf(allowed))
		} else {
			of.Enum = append(of.Enum, jsontext.Value(allowed))
		}
	}
	return of
}

// describeFilter returns the text of a filter. A date means the whole day in ranges, because "until the 3rd" includes
// the 3rd.
func describeFilter(p *parameters.Parameter) string {
	leaf, what := p.Path.Leaf().Type, filter.Describe(p.Operator)
	switch {
	case p.Between:
		what = "is between two values (inclusive), written `low..high`."
	case p.Operator == store.Equal && leaf.ListsKeys():
		what = "contains one of the values."
	case p.Operator == store.Equal && !p.Many:
		what = "equals the value."
	}
	text := "`" + p.Path.Name + "` " + what
	if p.Operator == store.Exists {
		text = "Whether " + text
	}
	if p.Operator == store.NotEqual && isNullable(p) { // unlike in SQL
		text += " Null matches, too."
	}
	switch isTime := leaf.Kind == model.Time; {
	case p.Operator == store.Exists:
	case isTime && (p.Operator == store.Equal || p.Operator == store.NotEqual):
		text += " A date means its start in UTC."
	case isTime:
		text += " A date means the whole day in UTC."
	case leaf.HasOrderKey():
		text += " Values are compared by value, not as text."
	}
	switch {
	case p.Through == "":
	case p.Path.Fields[0].Reference.Many:
		text += " One record in `" + p.Through + "` that the caller can see must match all such filters."
	default:
		text += " Matches only if the caller can see the record in `" + p.Through + "`."
	}
	return text
}

// isNullable reports whether the field of a filter can be null. The field of a null reference does not count.
func isNullable(p *parameters.Parameter) bool {
	path := p.Path
	if p.Through != "" {
		path.Fields = path.Fields[1:]
	}
	return path.Nullable()
}

// CollectionParameter describes a parameter that Trove itself reads. Examples are in its schema, because Swagger UI
// fills in its form with those of the parameter, and a form full of filters finds nothing.
func (s *Schemas) CollectionParameter(op *compiled.Operation, p *parameters.Parameter) Parameter {
	of := schema.Typed(schema.String)
	switch p.Kind {
	case parameters.Page, parameters.ItemsPerPage, parameters.Offset:
		of = schema.Typed(schema.Integer)
		of.Min, of.Max, of.Default = schema.Int(p.Minimum), schema.Int(p.Maximum), schema.ValueOf(p.Default)
		// The second page, because the first is the default.
		of.Examples = schema.ValuesOf(min(p.Maximum, 2))
	case parameters.Pagination, parameters.Partial:
		of = schema.Typed(schema.Boolean)
		byDefault, _ := p.Default.(bool)
		of.Default, of.Examples = schema.ValueOf(byDefault), schema.ValuesOf(!byDefault)
	case parameters.Cursor:
		// Cursors are opaque. Their own format keeps programs that generate requests from inventing one.
		of.Format, of.Examples = "cursor", schema.ValuesOf("")
	case parameters.Group:
		of = listOf(p.Allowed)
		of.Format, of.Examples = "groups", schema.ValuesOf(p.Allowed[:1])
	case parameters.TimeZone:
		of.Format, of.Default, of.Examples = "time-zone", schema.ValueOf(p.Default), schema.ValuesOf("Europe/Berlin")
	case parameters.Sort, parameters.Fields, parameters.Expand, parameters.Function:
		of = listOf(p.Allowed)
		of.Examples = schema.ValuesOf(p.Allowed[len(p.Allowed)-1:])
	case parameters.Order:
		of.Enum, of.Examples = schema.ValuesOf("asc", "desc", "ASC", "DESC"), schema.ValuesOf("asc")
	case parameters.Deleted:
		of.Enum, of.Examples = schema.ValuesOf(p.Allowed...), schema.ValuesOf(p.Allowed[0])
	case parameters.Search:
		of.MinLength, of.MaxLength, of.Examples = 1, new(uint64(parameters.MaxSearch)), schema.ValuesOf("gold")
		if p.Operator == store.FullText {
			of.Format = "full-text"
		}
	case parameters.Filter:
		of = s.filter(p)
	case parameters.Tree:
		of = s.tree(op).Ref(schema.Schema{})
	}
	return Parameter{Schema: of, Description: describeParameter(op, p)}
}

// describeParameter returns the text of a parameter that Trove itself reads. It says what takes precedence, because
// people report parameters that are silently ignored as bugs.
func describeParameter(op *compiled.Operation, p *parameters.Parameter) string {
	switch p.Kind {
	case parameters.Page:
		return "Page number. After the maximum, `Link` continues with a cursor. Ignored with `cursor` and by streams."
	case parameters.Offset:
		return "Number of records to skip. Takes precedence over `page`. Ignored with `cursor`, by streams, and if no records or all are returned."
	case parameters.ItemsPerPage:
		text := "Maximum number of records per page. Ignored by streams."
		if p.Minimum == 0 {
			text += " `0` returns the total only, and takes precedence over `page`, `partial` and `cursor`."
		}
		return text
	case parameters.Pagination:
		return "`false` returns all records at once, and takes precedence over all paging parameters. Streams are never paginated."
	case parameters.Partial:
		return "`true` omits the total and the last page, which avoids counting. Ignored with `cursor` and by streams."
	case parameters.Cursor:
		return describeCursor(op)
	case parameters.Group:
		return "Fields to group by. Of times and dates, the part behind the colon is the unit. A field can occur only once."
	case parameters.Function:
		return functionTexts[p.Name] + " Null is left out; without other values, the result is null."
	case parameters.TimeZone:
		return "Time zone of units in `group` (IANA). It does not affect dates."
	case parameters.Sort:
		if op.Aggregates {
			return "Values to sort by, most significant first; `-` sorts descending. Fields that are not in `group` are ignored. Default: the groups."
		}
		return "Fields to sort by, most significant first; `-` before a field sorts descending. Takes precedence over `order[…]`."
	case parameters.Order:
		text := "Sort direction of `" + p.Path.Name + "`. Several `order[…]` parameters apply in the given order. Ignored with `sort`."
		if p.Through != "" {
			text += " If the caller can see no record in `" + p.Through + "`, the value counts as null."
		}
		return text
	case parameters.Fields:
		return "Fields to return, always including " + list(code(op.Resource.ID.Names()), "and") + "."
	case parameters.Expand:
		return "References whose records to embed in `_embedded`. Missing records are null."
	case parameters.Search:
		if p.Operator == store.FullText {
			return fmt.Sprintf("Full-text search in %s: words that must all occur, `\"phrases\"`, `OR` between alternatives, and `-` before what must not occur. "+
				"At most %d words.", list(code(p.Allowed), "and"), fulltext.MaxTerms)
		}
		return "Search words. Each must occur in " + list(code(p.Allowed), "or") + ", ignoring case."
	case parameters.Deleted:
		return "`only` returns records in the trash, `with` also those that are not deleted. By default, there are no deleted records."
	case parameters.Filter:
		return describeFilter(p)
	case parameters.Tree:
		return fmt.Sprintf("Conditions in JSON, combined by `any`, `all` and `not`. At most %d in all.", op.API.MaxFilterNodes)
	}
	return ""
}

// functionTexts are the texts of the parameters that aggregate fields.
var functionTexts = map[string]string{
	"sum": "Fields whose values to add.", "avg": "Fields whose average to compute.",
	"min": "Fields whose least value to find.", "max": "Fields whose greatest value to find.",
}

// listOf returns the schema of a list of some of the names. An empty list is rejected, because "fields=" is a mistake.
func listOf(names []string) *schema.Schema {
	name := &schema.Schema{Type: []string{schema.String}, Enum: schema.ValuesOf(names...)}
	return &schema.Schema{Type: []string{schema.Array}, Items: name, MinItems: 1}
}

// describeCursor names only parameters that the operation has, because readers look them up in the same list.
func describeCursor(op *compiled.Operation) string {
	text := "Position in the collection, from the `Link` header; empty for the start."
	if op.HasParameter(parameters.Page) {
		text += " Takes precedence over `page`."
	}
	if op.HasParameter(parameters.Sort) {
		text += " Unless empty, it includes the sort order: `sort` and `order[…]` are ignored."
	}
	return text
}

// PathParameter describes a variable of an operation's template. A variable that is not an identifier, a parent or an
// element of a list belongs to the operation's author, and takes any segment.
func (s *Schemas) PathParameter(op *compiled.Operation, name string) Parameter {
	p := Parameter{Required: true}
	if op.Item && op.Resource.ID.Has(name) {
		f := op.Resource.Struct.Field(name)
		p.Description = describeIdentifier(op.Resource, name)
		p.Schema = identifierSchema(f.Type)
		p.Example = s.KeyExample(f)
		return p
	}
	for _, other := range op.PathRecords() {
		if other.Variable == name {
			return s.keyOf(other.Resource)
		}
	}
	p.Description = naming.SentenceCase(name) + "."
	p.Schema = &schema.Schema{Type: []string{schema.String}, MinLength: 1}
	return p
}

func describeIdentifier(of *compiled.Resource, names ...string) string {
	return "The " + identifier(names) + " of the " + nounsOf(of).one + "."
}

// keyOf describes a parameter that identifies a record of a resource.
func (s *Schemas) keyOf(of *compiled.Resource) Parameter {
	p := Parameter{Required: true, Description: describeIdentifier(of, of.ID.Names()...)}
	if of.ID.IsComposite() {
		p.Schema = identifierSchema(textType(false))
		if text, ok := s.textByParts(of.Struct); ok {
			p.Example = text
		}
		return p
	}
	p.Schema = identifierSchema(of.Struct.ID.Type)
	p.Example = s.FieldExample(of.Struct.ID)
	return p
}

// KeyExample returns the example of a field of an identifier in all paths, nil if none could be made.
func (s *Schemas) KeyExample(f *model.Field) any {
	if f.Reference != nil { // which examples of bodies show as a path
		f = f.Reference.Target.ID
	}
	return s.FieldExample(f)
}

// identifierSchema returns the schema of an identifier in a path. It leaves out the rules of the field, because an
// identifier that violates them returns 404.
func identifierSchema(t *model.Type) *schema.Schema {
	of := scalar(t)
	if t.Kind == model.String {
		of.MinLength = 1
	}
	return of
}
