package describe

import (
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/schema"
)

// Formats of references. That of addresses is JSON Schema's; the other one says that which
// records there are is in no document.
const (
	formatAddress  = "iri-reference"
	formatExisting = "existing"
)

// member makes the schema of a field: of its type, or of what stands for other records.
// What a record refers to has to be there, which no keyword can say: a client that fills the schema
// in with random values would never get a record made. The format warns it.
func (s *Schemas) member(f *model.Field, rules model.Rules, at position) *value {
	r := f.Reference
	if r == nil || r.Target == nil {
		return s.value(f.Type, rules, at)
	}
	v := s.value(shownType(f), rules, at)
	one := v
	if r.Many {
		v.schema.UniqueItems = true
		one = &value{schema: v.schema.Items}
	}
	if f.Shown() != nil {
		addressed(one.schema, r)
	} else {
		one.schema.Enum = enumerated(r)
	}
	if at.role.request {
		one.unsaid(formatExisting, "")
		says := "Must be " + r.Means() + "."
		if r.Many {
			says = "Each must be " + r.Means() + "."
		}
		v.says = append(v.says, says)
		if r.Optional && !at.role.patches {
			v.says = append(v.says, "If omitted, the service sets it.")
		}
	}
	if example, ok := s.referred(r); ok {
		v.sample = constant(example)
		if r.Many {
			v.sample = constant([]any{example})
		}
	}
	return v
}

// shownType returns the type of what clients see of a reference.
// Behind the address there is a key of another type, but rules and schemas are about what is sent.
func shownType(f *model.Field) *model.Type {
	if f.Shown() == nil {
		return f.Type
	}
	switch {
	case f.Reference.Many:
		return &model.Type{Go: reflect.TypeFor[[]string](), Kind: model.List, Elem: textType(false)}
	case f.Type.Nullable:
		return textType(true)
	}
	return textType(false)
}

func textType(nullable bool) *model.Type {
	if nullable {
		return &model.Type{Go: reflect.TypeFor[*string](), Kind: model.String, Nullable: true}
	}
	return &model.Type{Go: reflect.TypeFor[string](), Kind: model.String}
}

// addresses returns the schema of the addresses that a reference may be given as, of which not
// all that look so are ones.
func addresses(r *model.Reference) *schema.Schema {
	of := &schema.Schema{AllOf: []*schema.Schema{{Format: formatExisting}}}
	addressed(of, r)
	return of
}

// addressed says what addresses of a resource's records look like.
// Addresses are matched by a pattern, so that a client sees by the schema alone that "7" is none.
func addressed(of *schema.Schema, r *model.Reference) {
	parts := r.Target.IDs
	if isInverse := r.Key.Kind == model.Key && r.Key.Parts == nil; isInverse { // of several parts, in one variable
		parts = []*model.Field{{Type: textType(false)}}
	}
	of.Type = []string{schema.String}
	if r.Address == nil { // an identifier of several parts, with semicolons between them
		patterns := make([]string, len(parts))
		for i := range parts {
			patterns[i] = partPattern(parts, i)
		}
		of.Pattern = "^" + strings.Join(patterns, ";") + "$"
		return
	}
	of.Format = formatAddress
	if of.Enum = enumerated(r); of.Enum != nil {
		return
	}
	of.Pattern = "^" + r.Address.Compose(regexp.QuoteMeta, func(part int) string { return partPattern(parts, part) }) + "$"
}

// partPattern is what one of the parts of an identifier looks like in an address.
func partPattern(parts []*model.Field, number int) string {
	switch kind := parts[number].Type.Kind; {
	case kind == model.Int || kind == model.Uint:
		return "(0|-?[1-9][0-9]*)"
	case len(parts) > 1:
		return "[^/?#;]+"
	}
	return "[^/?#]+"
}

// enumerated lists what stands for the records of an enumeration, nil for other resources. Enumerations are small and
// never change while the program runs: to list them is of more use than a pattern is.
func enumerated(r *model.Reference) []jsontext.Value {
	rule, ok := r.Target.ID.Rules.Find("oneof")
	if !ok || r.Key.Kind != model.String || len(r.Target.IDs) > 1 {
		return nil
	}
	values := check.Words(rule.Param)
	for i, value := range values {
		if r.Address != nil {
			values[i] = string(r.Address.Append(nil, value))
		}
	}
	return schema.ValuesOf(values...)
}

// referred returns what stands for the record that examples show of the resource that a reference is to.
func (s *Schemas) referred(r *model.Reference) (any, bool) {
	example := s.FieldExample(r.Target.ID)
	if len(r.Target.IDs) > 1 {
		text, ok := s.textByParts(r.Target)
		if example = text; !ok {
			return nil, false
		}
	}
	if example == nil || r.Address == nil {
		return example, example != nil
	}
	return string(r.Address.Append(nil, fmt.Sprint(example))), true
}

// textByParts returns the text of the identifier that examples show of a record of several fields.
func (s *Schemas) textByParts(of *model.Struct) (string, bool) {
	parts := make([]string, len(of.IDs))
	for i, f := range of.IDs {
		example := s.KeyExample(f)
		if example == nil {
			return "", false
		}
		parts[i] = url.PathEscape(fmt.Sprint(example))
	}
	return strings.Join(parts, ";"), true
}

// embedded is the member in which answers have what a record refers to.
const embedded = "_embedded"

// withEmbedded returns the schema of a record together with what answers may have beside it.
// By allOf, so that the record's own schema stays the one that all other answers refer to. Null
// stands for what is not there, as for what the caller may not see.
func (s *Schemas) withEmbedded(record *schema.Schema, paths []*compiled.Expansion) *schema.Schema {
	if len(paths) == 0 {
		return record
	}
	object := &schema.Schema{Type: []string{schema.Object}, Description: "The records that it refers to, as far as they are asked for."}
	beside := &schema.Schema{Type: []string{schema.Object}, Properties: []schema.Property{{Name: embedded, Schema: object}}}
	for _, path := range paths {
		one := &schema.Schema{AnyOf: []*schema.Schema{
			s.withEmbedded(s.recordOf(path).Ref(schema.Schema{}), path.Inner), schema.Typed(schema.Null),
		}}
		if path.Field.Reference.Many {
			list := schema.Typed(schema.Array)
			list.Items, one = one, list
		}
		object.Properties = append(object.Properties, schema.Property{Name: path.Field.Name, Schema: one})
		if path.Always {
			// What is only embedded on demand is missing without it, hence not required.
			object.Required = append(object.Required, path.Field.Name)
			beside.Required = []string{embedded}
		}
	}
	return &schema.Schema{AllOf: []*schema.Schema{record, beside}}
}

func (s *Schemas) recordOf(path *compiled.Expansion) *Definition {
	return s.structure(path.Shown.Type.Struct, roleOf(path.Shown.View), "")
}

// embedExample adds to the example of a record what answers always have beside it, and reports whether it could. An
// example that lacks what answers always have would contradict its own schema, so there is rather none.
func (s *Schemas) embedExample(record any, paths []*compiled.Expansion) bool {
	object, ok := record.(map[string]any)
	beside := map[string]any{}
	for _, path := range paths {
		if !ok || !path.Always {
			continue
		}
		example, made := s.recordOf(path).example(nil)
		if !made || !s.embedExample(example, path.Inner) {
			return false
		}
		if beside[path.Field.Name] = example; path.Field.Reference.Many {
			beside[path.Field.Name] = []any{example}
		}
	}
	if len(beside) > 0 {
		object[embedded] = beside
	}
	return ok
}

// exampleEmbeds adds to the example of an answer what the operation always answers with, and reports whether it could.
func (s *Schemas) exampleEmbeds(op *compiled.Operation, example any) bool {
	if op.Expansions == nil {
		return true
	}
	list, isList := example.([]any)
	if !isList {
		list = []any{example}
	}
	for _, record := range list {
		if !s.embedExample(record, op.Expansions) {
			return false
		}
	}
	return true
}
