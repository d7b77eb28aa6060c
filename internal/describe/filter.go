package describe

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/store"
)

// formatRange is of two values in one text, which keywords cannot tell apart.
const formatRange = "range"

// filter makes the schema of a filter, with an example.
// A filter takes what its member takes, except where the operator changes the type: whether there
// is one, a range in one text, a part of a text.
func (s *Schemas) filter(p *parameters.Parameter) *schema.Schema {
	of, example := filterSchema(p), s.FieldExample(p.Path.Leaf())
	if p.Path.Leaf().Type.ListsKeys() {
		example = oneOf(example)
	}
	switch {
	case p.Operator == store.Exists:
		of, example = schema.Typed(schema.Boolean), true
	case p.Between:
		example = fmt.Sprintf("%v..%v", example, above(of, example))
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

// oneOf returns an element of a list, nil where there is none.
// A filter on a list asks for an element of it.
func oneOf(list any) any {
	if elements, ok := list.([]any); ok && len(elements) > 0 {
		return elements[0]
	}
	return nil
}

// above returns a value a little above another one, itself where there is none.
// The upper end of a range must not lie below the lower one, which an example made of two members
// could.
func above(of *schema.Schema, value any) any {
	if next, ok := (check.Beside{Step: 1}).Of(value); ok && of.Allows(next) {
		return next
	}
	return value
}

// filterSchema says which values a field can be compared with: those of its type, or of
// its enumeration.
// No bounds of the member's rules are in it: to ask for the books of more than a thousand pages is
// no mistake where none can have them.
func filterSchema(p *parameters.Parameter) *schema.Schema {
	if shown := p.Path.Leaf().Shown(); shown != nil {
		return Address(shown)
	}
	t := p.Path.Leaf().Type
	if t.ListsKeys() {
		t = t.Elem
	}
	of := Scalar(t)
	switch t.Kind {
	case model.Bool:
		of = schema.Typed(schema.Boolean)
	case model.Time:
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

// describeFilter returns the text of a filter.
// A date means the whole day where that can be, for "until the 3rd" includes the 3rd to all who
// ask.
func describeFilter(p *parameters.Parameter) string {
	text := sayFilter(p)
	switch isTime := p.Path.Leaf().Type.Kind == model.Time; {
	case !isTime || p.Operator == store.Exists:
	case p.Operator == store.Equal, p.Operator == store.NotEqual:
		text += " A date is the instant at which it begins in UTC."
	default:
		text += " A date is the whole day in UTC."
	}
	if p.Path.Leaf().Type.HasOrderKey() && p.Operator != store.Exists {
		text += " Values are compared as such, not as text."
	}
	return text
}

// sayFilter is one sentence for each operator, beginning with the member, as it stands beside
// others in a long list.
func sayFilter(p *parameters.Parameter) string {
	name := "`" + p.Path.Name + "`"
	if p.Between {
		return name + " lies between two values or is one of them, written `low..high`."
	}
	switch p.Operator {
	case store.Equal:
		if p.Path.Leaf().Type.ListsKeys() {
			return name + " has the value in it, or one of several."
		}
		if !p.Many {
			return name + " is the value."
		}
		return name + " is the value, or one of several."
	case store.NotEqual:
		return name + " is not the value, nor one of several." + describeNull(p)
	case store.EqualFold:
		return name + " is the text, or one of several, in any case."
	case store.Contains:
		return name + " has the text in it, or one of several, in any case."
	case store.HasPrefix:
		return name + " begins with the text, or one of several, in any case."
	case store.HasSuffix:
		return name + " ends with the text, or one of several, in any case."
	case store.HasWordPrefix:
		return name + " has a word that begins with the text, or one of several, in any case."
	case store.Less:
		return name + " is less than the value."
	case store.LessEqual:
		return name + " is at most the value."
	case store.Greater:
		return name + " is greater than the value."
	case store.GreaterEqual:
		return name + " is at least the value."
	}
	return "Whether " + name + " has a value; `false` finds null."
}

// describeNull says where a field that may be null stands when others are left out.
// SQL would say the opposite of null, so those who know it need to be told.
func describeNull(p *parameters.Parameter) string {
	path := p.Path
	if p.Through != "" { // a reference that is null has no such field
		path.Fields = path.Fields[1:]
	}
	if path.Nullable() {
		return " Null is found too, for it is none of them."
	}
	return ""
}
