package describe

import (
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/schema"
)

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

// recordOf returns the definition of the records that a reference is to, as answers show them.
func (s *Schemas) recordOf(path *compiled.Expansion) *Definition {
	return s.structure(path.Shown.Type.Struct, roleOf(path.Shown.View), "")
}

// embedExample adds to the example of a record what answers always have beside it, and reports
// whether it could.
// An example that lacks what answers always have would contradict its own schema, so there is
// rather none.
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

// exampleEmbeds adds to the example of an answer what the operation always answers with, and
// reports whether it could.
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
