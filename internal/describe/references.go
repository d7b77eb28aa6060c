package describe

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/schema"
)

// Formats of references.
const (
	formatPath     = "iri-reference"
	formatExisting = "existing" // warns programs that generate values: the record must exist
)

// field makes the schema of a field: of its type, or of the references that clients see.
func (s *Schemas) field(f *model.Field, rules model.Rules, at position) *value {
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
		setPath(one.schema, r)
	} else {
		one.schema.Enum = enumerated(r)
	}
	if at.role.request {
		one.mark(formatExisting, "")
		if !s.brief {
			v.sentences = append(v.sentences, describeReference(r, s.api.ByStruct[r.Target]))
		}
		if r.Optional && !at.role.patches {
			v.sentences = append(v.sentences, "If omitted, the service sets it.")
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

// describeReference says what a reference must be.
func describeReference(r *model.Reference, target *compiled.Resource) string {
	begin, names := "Must be the ", r.Target.Identifier().Names()
	if r.Many {
		begin = "Each must be the "
	}
	of := " of an existing " + nounsOf(target).one
	if r.Path == nil {
		return begin + identifier(names) + of + "."
	}
	return begin + "path" + of + ", such as `" + r.Path.Form(names...) + "`."
}

// shownType returns the type of a reference as clients see it, which may be a path instead of the key.
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

// paths returns the schema of the paths that a reference can have. The format marks that not every matching path exists.
func paths(r *model.Reference) *schema.Schema {
	of := &schema.Schema{AllOf: []*schema.Schema{{Format: formatExisting}}}
	setPath(of, r)
	return of
}

// setPath sets the pattern of the paths of a resource's records, so that the schema alone shows that "7" is not a path.
func setPath(of *schema.Schema, r *model.Reference) {
	parts := r.Target.IDs
	if isInverse := r.Key.Kind == model.Key && r.Key.Parts == nil; isInverse { // of several parts, in one variable
		parts = []*model.Field{{Type: textType(false)}}
	}
	of.Type = []string{schema.String}
	if r.Path == nil { // an identifier of several parts, with semicolons between them
		patterns := make([]string, len(parts))
		for i := range parts {
			patterns[i] = partPattern(parts, i)
		}
		of.Pattern = "^" + strings.Join(patterns, ";") + "$"
		return
	}
	of.Format = formatPath
	if of.Enum = enumerated(r); of.Enum != nil {
		return
	}
	of.Pattern = "^" + r.Path.Compose(schema.Quote, func(part int) string { return partPattern(parts, part) }) + "$"
}

// partPattern returns the pattern of one part of an identifier in a path.
func partPattern(parts []*model.Field, number int) string {
	switch kind := parts[number].Type.Kind; {
	case kind == model.Int || kind == model.Uint:
		return "(0|-?[1-9][0-9]*)"
	case len(parts) > 1:
		return "[^/?#;]+"
	}
	return "[^/?#]+"
}

// enumerated lists the references to the records of an enumeration, nil for other resources. Enumerations are small and
// fixed, so a list is more useful than a pattern.
func enumerated(r *model.Reference) []jsontext.Value {
	rule, ok := r.Target.ID.Rules.Find("oneof")
	if !ok || r.Key.Kind != model.String || len(r.Target.IDs) > 1 {
		return nil
	}
	values := rule.Words()
	for i, value := range values {
		if r.Path != nil {
			values[i] = string(r.Path.Append(nil, value))
		}
	}
	return schema.ValuesOf(values...)
}

// referred returns the reference to the record that examples show of a reference's resource.
func (s *Schemas) referred(r *model.Reference) (any, bool) {
	example := s.FieldExample(r.Target.ID)
	if len(r.Target.IDs) > 1 {
		text, ok := s.textByParts(r.Target)
		if example = text; !ok {
			return nil, false
		}
	}
	if example == nil || r.Path == nil {
		return example, example != nil
	}
	return string(r.Path.Append(nil, fmt.Sprint(example))), true
}

// textByParts returns the example of an identifier of several fields.
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

// embedded is the field of responses that has the records that a record refers to.
const embedded = "_embedded"

// withEmbedded returns the schema of a record with embedded records. It uses allOf, so that all responses refer to one
// schema of the record. Records that do not exist, or that the caller cannot see, are null.
func (s *Schemas) withEmbedded(record *schema.Schema, paths []*compiled.Expansion) *schema.Schema {
	if len(paths) == 0 {
		return record
	}
	object := &schema.Schema{Type: []string{schema.Object}, Description: "Embedded records."}
	envelope := &schema.Schema{Type: []string{schema.Object}, Properties: []schema.Property{{Name: embedded, Schema: object}}}
	for _, path := range paths {
		one := &schema.Schema{AnyOf: []*schema.Schema{
			s.withEmbedded(s.recordOf(path).Ref(schema.Schema{}), path.Inner), schema.Typed(schema.Null),
		}}
		if path.Field.Reference.Many {
			list := schema.Typed(schema.Array)
			list.Items, one = one, list
		}
		object.Properties = append(object.Properties, schema.Property{Name: path.Field.Name, Schema: one})
		if path.Always && path.Nested == nil { // a long list is left out
			object.Required = append(object.Required, path.Field.Name)
			envelope.Required = []string{embedded}
		}
	}
	return &schema.Schema{AllOf: []*schema.Schema{record, envelope}}
}

func (s *Schemas) recordOf(path *compiled.Expansion) *Definition {
	return s.structure(path.Shown.Type.Struct, roleOf(path.Shown.View), "")
}

// embedExamples adds the records that are always embedded to an example of a record or of a list, and reports whether it
// could. Without them the example would contradict its schema.
func (s *Schemas) embedExamples(example any, paths []*compiled.Expansion) bool {
	if len(paths) == 0 {
		return true
	}
	if list, isList := example.([]any); isList {
		return !slices.ContainsFunc(list, func(record any) bool { return !s.embedExamples(record, paths) })
	}
	object, ok := example.(map[string]any)
	records := map[string]any{}
	for _, path := range paths {
		if !ok || !path.Always {
			continue
		}
		inner, made := s.recordOf(path).example(nil)
		if !made || !s.embedExamples(inner, path.Inner) {
			return false
		}
		if records[path.Field.Name] = inner; path.Field.Reference.Many {
			records[path.Field.Name] = []any{inner}
		}
	}
	if len(records) > 0 {
		object[embedded] = records
	}
	return ok
}
