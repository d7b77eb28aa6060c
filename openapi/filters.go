package openapi

import (
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/store"
)

// formatRange is of two values in one text, which keywords cannot tell apart.
const formatRange = "range"

// filter makes the schema of a filter, with an example.
func (b *builder) filter(p *parameters.Parameter) *openapi3.Schema {
	schema, example := filterSchema(p), b.fieldExample(p.Path.Leaf())
	switch {
	case p.Operator == store.Exists:
		schema, example = truth(), true
	case p.Between:
		example = fmt.Sprintf("%v..%v", example, above(schema, example))
		schema = typed(openapi3.TypeString)
		schema.Format = formatRange
	case p.Operator == store.EqualFold:
		schema = typed(openapi3.TypeString)
	case p.Operator == store.Contains, p.Operator == store.HasPrefix, p.Operator == store.HasSuffix, p.Operator == store.HasWordPrefix:
		schema = typed(openapi3.TypeString)
		schema.MinLength = 1
	}
	if p.Many {
		list := typed(openapi3.TypeArray)
		list.Items, list.MaxItems = openapi3.NewSchemaRef("", schema), new(uint64(parameters.MaxValues))
		schema, example = list, []any{example}
	}
	schema.Examples = []any{example}
	return schema
}

// above returns a value a little above another one, itself where there is none.
func above(schema *openapi3.Schema, value any) any {
	if next, ok := (beside{step: 1}).of(value); ok && allows(schema, next) {
		return next
	}
	return value
}

// filterSchema says which values a field can be compared with: those of its type, or of
// its enumeration.
func filterSchema(p *parameters.Parameter) *openapi3.Schema {
	schema, t := &openapi3.Schema{}, p.Path.Leaf().Type
	if shown := p.Path.Leaf().Shown(); shown != nil {
		addressed(schema, shown)
		schema.AllOf = openapi3.SchemaRefs{{Value: &openapi3.Schema{Format: formatExisting}}} // not all that look so are addresses
		return schema
	}
	switch t.Kind {
	case model.Int, model.Uint, model.Float:
		number(schema, t)
	case model.Bool:
		schema = truth()
	case model.Time:
		schema = typed(openapi3.TypeString)
		schema.AnyOf = openapi3.SchemaRefs{{Value: &openapi3.Schema{Format: "date-time"}}, {Value: &openapi3.Schema{Format: "date"}}}
	default:
		text(schema, t)
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

// describeFilter returns the text of a filter.
func describeFilter(p *parameters.Parameter) string {
	text := sayFilter(p)
	switch isTime := p.Path.Leaf().Type.Kind == model.Time; {
	case !isTime || p.Operator == store.Exists:
	case p.Operator == store.Equal, p.Operator == store.NotEqual:
		text += " A date is the instant at which it begins in UTC."
	default:
		text += " A date is the whole day in UTC."
	}
	return text
}

func sayFilter(p *parameters.Parameter) string {
	name := "`" + p.Path.Name + "`"
	if p.Between {
		return name + " lies between two values or is one of them, written `low..high`."
	}
	switch p.Operator {
	case store.Equal:
		if !p.Many {
			return name + " is the value."
		}
		return name + " is the value, or one of several."
	case store.NotEqual:
		return name + " is not the value, nor one of several." + describeNull(p.Path)
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
func describeNull(path model.Path) string {
	if path.Nullable() {
		return " Null is found too, for it is none of them."
	}
	return ""
}
