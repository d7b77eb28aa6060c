package describe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/store"
)

// formatRange is of two values in one text, which keywords cannot tell apart.
const formatRange = "range"

// filter makes the schema of a filter, with an example. A filter takes what its member takes, except where the operator
// changes the type: whether there is one, a range in one text, a part of a text.
func (s *Schemas) filter(p *parameters.Parameter) *schema.Schema {
	of, example := filterSchema(p), s.FieldExample(p.Path.Leaf())
	if elements, _ := example.([]any); p.Path.Leaf().Type.ListsKeys() { // of which it asks for an element
		if example = nil; len(elements) > 0 {
			example = elements[0]
		}
	}
	switch {
	case p.Operator == store.Exists:
		of, example = schema.Typed(schema.Boolean), true
	case p.Between:
		above := example // a little, since the upper end must not lie below the lower one
		if next, ok := (check.Relative{Step: 1}).Of(example); ok && of.Allows(next) {
			above = next
		}
		example = fmt.Sprintf("%v..%v", example, above)
		of = &schema.Schema{Type: []string{schema.String}, Format: formatRange}
	case p.Operator == store.EqualFold:
		of = schema.Typed(schema.String)
	case p.Operator == store.Contains, p.Operator == store.HasPrefix, p.Operator == store.HasSuffix, p.Operator == store.HasWordPrefix:
		of = &schema.Schema{Type: []string{schema.String}, MinLength: 1}
	}
	if p.Many {
		of = &schema.Schema{Type: []string{schema.Array}, Items: of, MaxItems: new(uint64(parameters.MaxValues))}
		if example != nil {
			example = []any{example}
		}
	}
	if example != nil {
		of.Examples = schema.ValuesOf(example)
	}
	return of
}

// filterSchema says which values a field can be compared with: those of its type, or of its enumeration. No bounds of
// the member's rules are in it: to ask for the books of more than a thousand pages is no mistake where none can have
// them.
func filterSchema(p *parameters.Parameter) *schema.Schema {
	if shown := p.Path.Leaf().Shown(); shown != nil {
		return addresses(shown)
	}
	t := p.Path.Leaf().Type
	if t.ListsKeys() {
		t = t.Elem
	}
	of := scalar(t)
	if t.Kind == model.Time {
		// Either form by itself: with a date-time as the format, clients would refuse the date that
		// is the more frequent wish.
		of.Format, of.AnyOf = "", []*schema.Schema{{Format: "date-time"}, {Format: "date"}}
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

// describeFilter returns the text of a filter, which begins with the field, as it stands next to others in a long list.
// A date means the whole day where that can be, for "until the 3rd" includes the 3rd to all who ask.
func (s *Schemas) describeFilter(p *parameters.Parameter) string {
	leaf, text := p.Path.Leaf().Type, s.operators[p.Operator]
	switch {
	case p.Between:
		text = "lies between two values or is one of them, written `low..high`"
	case p.Operator == store.Equal && leaf.ListsKeys():
		text = "has the value in it, or one of several"
	case p.Operator == store.Equal && !p.Many:
		text = "is the value"
	}
	text = "`" + p.Path.Name + "` " + text + "."
	if p.Operator == store.Exists {
		return "Whether " + text
	}
	if p.Operator == store.NotEqual && isNullable(p) { // SQL would say the opposite
		text += " Null is found too, for it is none of them."
	}
	switch isTime := leaf.Kind == model.Time; {
	case isTime && (p.Operator == store.Equal || p.Operator == store.NotEqual):
		text += " A date is the instant at which it begins in UTC."
	case isTime:
		text += " A date is the whole day in UTC."
	case leaf.HasOrderKey():
		text += " Values are compared as such, not as text."
	}
	return text
}

// operatorTexts returns what is said of the field of a filter by its operator.
func operatorTexts() map[store.Operator]string {
	return map[store.Operator]string{
		store.Exists: "has a value; `false` finds null", store.Equal: "is the value, or one of several", store.NotEqual: "is not the value, nor one of several",
		store.EqualFold: "is the text, or one of several, in any case", store.Contains: "has the text in it, or one of several, in any case",
		store.HasPrefix: "begins with the text, or one of several, in any case", store.HasSuffix: "ends with the text, or one of several, in any case",
		store.HasWordPrefix: "has a word that begins with the text, or one of several, in any case",
		store.Less:          "is less than the value", store.LessEqual: "is at most the value",
		store.Greater: "is greater than the value", store.GreaterEqual: "is at least the value",
	}
}

// isNullable reports whether the field of a filter may be null. A reference that is null has no such field.
func isNullable(p *parameters.Parameter) bool {
	path := p.Path
	if p.Through != "" {
		path.Fields = path.Fields[1:]
	}
	return path.Nullable()
}

// CollectionParameter describes a parameter that Trove itself reads. Examples stand in its schema: those of the
// parameter itself fill the form of Swagger UI in, and a form full of filters finds nothing. What takes precedence is
// said in each: parameters that are ignored without a word are what people report as bugs.
func (s *Schemas) CollectionParameter(op *compiled.Operation, p *parameters.Parameter) Parameter {
	var text string
	of := schema.Typed(schema.String)
	switch p.Kind {
	case parameters.Page, parameters.ItemsPerPage, parameters.Offset:
		of = schema.Typed(schema.Integer)
		of.Min, of.Max, of.Default = schema.Int(p.Minimum), schema.Int(p.Maximum), schema.ValueOf(p.Default)
		// The second page: the first is what a client gets anyway, and shows nothing.
		of.Examples = schema.ValuesOf(min(p.Maximum, 2))
		text = describePages(p)
	case parameters.Pagination, parameters.Partial:
		of = schema.Typed(schema.Boolean)
		byDefault, _ := p.Default.(bool)
		of.Default, of.Examples = schema.ValueOf(byDefault), schema.ValuesOf(!byDefault)
		text = "Whether there are pages at all: `false` asks for all records at once, and goes before all that turns pages. A stream never has any."
		if p.Kind == parameters.Partial {
			text = "Whether the total and the last page are left out, which spares counting. Not read beside `cursor`, nor by a stream."
		}
	case parameters.Cursor:
		// Cursors are opaque on purpose. A format of its own keeps programs that make requests from the document, tests
		// included, from inventing one.
		of.Format, of.Examples = "cursor", schema.ValuesOf("")
		text = "A position in the collection, from the `Link` of an answer; empty for its beginning. " + describeCursor(op)
	case parameters.Sort, parameters.Fields, parameters.Expand:
		of = listOf(p.Allowed)
		of.Examples = schema.ValuesOf(p.Allowed[len(p.Allowed)-1:])
		text = describeList(op, p)
	case parameters.Order:
		of.Enum, of.Examples = schema.ValuesOf("asc", "desc", "ASC", "DESC"), schema.ValuesOf("asc")
		text = "The direction in which to order by `" + p.Path.Name + "`. Several are weighed in the order in which they are given. " +
			"Not read beside `sort`." + describeThrough(p)
	case parameters.Search:
		of.MinLength, of.MaxLength, of.Examples = 1, new(uint64(parameters.MaxSearch)), schema.ValuesOf("gold")
		text = "Words, each of which must be in one of `" + strings.Join(p.Allowed, "`, `") + "`, in any case."
	case parameters.Filter:
		of, text = s.filter(p), s.describeFilter(p)+describeThrough(p)
	}
	return Parameter{Schema: of, Description: text}
}

// listOf returns the schema of a list of some of the names. An empty one is rejected: "fields=" is a mistake.
func listOf(names []string) *schema.Schema {
	name := &schema.Schema{Type: []string{schema.String}, Enum: schema.ValuesOf(names...)}
	return &schema.Schema{Type: []string{schema.Array}, Items: name, MinItems: 1}
}

func describePages(p *parameters.Parameter) string {
	switch {
	case p.Kind == parameters.Page:
		return "The number of the page. Behind the last number, `Link` goes on by cursor. Not read beside `cursor`, nor by a stream."
	case p.Kind == parameters.Offset:
		return "How many records to skip. It takes precedence over `page`. " +
			"Not read beside `cursor`, nor where there are no records to send or no pages, nor by a stream."
	case p.Minimum == 0:
		return "How many records a page has at most. `0` asks for the total alone, and goes before `page`, `partial` and `cursor`. Not read by a stream."
	}
	return "How many records a page has at most. Not read by a stream."
}

func describeList(op *compiled.Operation, p *parameters.Parameter) string {
	switch names := op.Resource.ID.Names(); {
	case p.Kind == parameters.Sort:
		return "The order: fields, the weightiest first, each with a `-` for descending. It goes before `order[…]`."
	case p.Kind == parameters.Expand:
		return "The references whose records are answered, too, in `_embedded`; null for one that is not there."
	case len(names) > 1:
		return "The members to answer with. `" + strings.Join(names, "`, `") + "` always are among them."
	default:
		return "The members to answer with. `" + names[0] + "` always is one."
	}
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

// PathParameter describes a variable of an operation's template. A variable that is neither an identifier, nor a
// parent's, nor a member of a list, is the operation's own: any text that a segment can have.
func (s *Schemas) PathParameter(op *compiled.Operation, name string) Parameter {
	p := Parameter{Required: true}
	if op.Item && op.Resource.ID.Has(name) {
		f := op.Resource.Struct.Field(name)
		p.Description = fmt.Sprintf("The %s of the %s.", name, op.Resource.ShortName)
		p.Schema = identifierSchema(f.Type)
		p.Example = s.KeyExample(f)
		return p
	}
	if i := slices.IndexFunc(op.Parents, func(p compiled.Parent) bool { return p.Variable == name }); i >= 0 {
		above := op.Parents[i].Resource
		p.Description = fmt.Sprintf("The %s of the %s that is the %s.", above.ID.Name(), above.ShortName, name)
		return s.ofKey(p, above)
	}
	if m := op.Membership; m != nil && m.Variable == name {
		p.Description = fmt.Sprintf("The %s of the %s in the list `%s`.", m.Resource.ID.Name(), m.Resource.ShortName, m.Field.Name)
		return s.ofKey(p, m.Resource)
	}
	p.Description = naming.SentenceCase(name) + "."
	p.Schema = &schema.Schema{Type: []string{schema.String}, MinLength: 1}
	return p
}

// ofKey says of a parameter what identifiers of a resource are.
func (s *Schemas) ofKey(p Parameter, of *compiled.Resource) Parameter {
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

// KeyExample returns what all examples have in a path for a field of an identifier, nil where none could be made.
func (s *Schemas) KeyExample(f *model.Field) any {
	if f.Reference != nil { // which examples of bodies show as an address
		f = f.Reference.Target.ID
	}
	return s.FieldExample(f)
}

// identifierSchema says what an identifier is in a path. One that breaks the rules of
// its field is that of no record, and answered so.
func identifierSchema(t *model.Type) *schema.Schema {
	of := scalar(t)
	if t.Kind == model.String {
		of.MinLength = 1
	}
	return of
}
