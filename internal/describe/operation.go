package describe

import (
	"cmp"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/operation"
)

// BodySchema returns the schema of an operation's body, with that format of its own.
// The elements of a list are described once, by the schema that one of them alone would have.
func (s *Schemas) BodySchema(op *compiled.Operation, format string) *schema.Schema {
	one := s.Body(op)
	if op.In.Each == nil {
		return one.Ref(schema.Schema{Format: format})
	}
	return &schema.Schema{Type: []string{schema.Array}, Items: one.Ref(schema.Schema{}), Format: format}
}

// Body returns the definition of an operation's body, or of each element of one that is a list.
// Call it only for those that take one.
func (s *Schemas) Body(op *compiled.Operation) *Definition {
	body := s.structure(model.StructIn(op.In.Type), roleOf(op.In.View), naming.Capital(op.ID)+"Request")
	body.isBody = true
	return body
}

// Needs lists what a body must have where it creates, beyond what its schema requires.
func Needs(op *compiled.Operation) []string {
	var names []string
	for _, m := range op.Missing.View.Members {
		if m.Required && !op.In.View.Member(m.Field).Required {
			names = append(names, m.Field.Name)
		}
	}
	return names
}

// BodyExample makes an example of an operation's body: a Patch changes one member, all others
// show every member. Nil where none could be made that the service takes.
// A patch with one member shows best what a patch is for. With all of them it would look like a
// Put.
func (s *Schemas) BodyExample(op *compiled.Operation) any {
	body, in := s.Body(op), op.In
	if in.Each != nil {
		in = in.Each
	}
	switch isMerge := op.In.View.Patch == model.MergePatch; {
	case isMerge && op.In.Each != nil:
		return []any{body.smallExample()}
	case isMerge && (op.Kind == operation.KindPatch || op.Patching != nil):
		return body.smallExample()
	}
	example, ok := body.example(nil)
	if object, isObject := example.(map[string]any); ok && isObject && body.mend(object, in.Codec, in.Checker) {
		if in != op.In {
			return []any{example}
		}
		return example
	}
	return nil
}

// Answer returns the schema of what an operation answers with, and an example, nil where none
// could be made. Call it only for those that answer.
// The example is made of the same value as the schema, so that they cannot contradict each other.
func (s *Schemas) Answer(op *compiled.Operation) (of *schema.Schema, example any) {
	t, at := op.Out.Type, position{role: roleOf(op.Out.View), fallback: naming.Capital(op.ID) + "Response"}
	if op.Lists {
		t = &model.Type{Kind: model.List, Elem: t}
	}
	if op.Sparse != nil {
		at.role = roleOf(op.Sparse)
	}
	v := s.value(t, model.Rules{}, at)
	v.null = t.Nullable && t.Kind != model.Object // a nil one is a fault
	of = v.finished()
	switch {
	case op.Expansions == nil:
	case op.Lists:
		of.Items = s.withEmbedded(of.Items, op.Expansions)
	default:
		of = s.withEmbedded(of, op.Expansions)
	}
	if made, ok := v.make(nil, t, ""); ok && s.exampleEmbeds(op, made) {
		example = made
	}
	return of, example
}

// Parameter is what is said of a parameter.
type Parameter struct {
	Schema      *schema.Schema
	Description string
	Example     any // nil for none
	Required    bool
}

// Parameter describes a parameter of the user's own. Its schema is made as that of a body's
// member is.
// A parameter has the same tags as a member, and therefore the same schema, but for null, which a
// query cannot write.
func (s *Schemas) Parameter(op *compiled.Operation, p *parameters.Parameter) Parameter {
	f, of := p.Field, op.Parameters.Own.View.Struct
	required := op.Parameters.Own.View.Member(f).Required
	at := position{role: role{request: true}, owner: of, name: f.Name, fallback: naming.Capital(op.ID) + naming.Capital(ComponentName(f.Name))}
	v := s.value(f.Type, s.stated(&Definition{role: role{request: true}}, f), at)
	v.null = false // a parameter has no way to write it
	if s.hasOwnRule(of) {
		v.unsaid(FormatConditions, "")
	}
	if p.Many && (v.schema.MaxItems == nil || *v.schema.MaxItems > parameters.MaxValues) {
		v.schema.MaxItems = new(uint64(parameters.MaxValues))
	}
	v.schema.Default = f.Default
	made := Parameter{Required: required, Description: cmp.Or(naming.Sentences(append([]string{f.Doc}, v.says...)...), naming.SentenceCase(f.Name)+".")}
	if f.Example != nil || required || !v.risky { // a risky one may be refused where it is the only one given
		made.Example = exampleOf(f, v)
	}
	made.Schema = v.finished()
	return made
}

// exampleOf returns an example of a field's values, nil where none could be made.
func exampleOf(f *model.Field, v *value) any {
	if f.Example != nil {
		return schema.Go(f.Example)
	}
	made, _ := v.make(nil, f.Type, f.Name)
	return made
}

// FieldExample returns an example of what answers show of a field that is a scalar, the same
// each time. Nil where none could be made.
// The same each time, so that an example of a path, of the record that it leads to, and of
// references to that record all name one record: a document reads like one story.
func (s *Schemas) FieldExample(f *model.Field) any {
	example, known := s.examples[f]
	if !known {
		example = exampleOf(f, s.member(f, f.Rules, position{}))
		s.examples[f] = example
	}
	return example
}

// Second returns an identifier other than the first, and reports whether one could be made.
// It is for examples with two records, which would else be one record twice. Of types that marshal
// themselves only one form is known here.
func (s *Schemas) Second(id *model.Field, first any) (any, bool) {
	both := s.value(id.Type, id.Rules, position{}).several(2, first, id.Type, id.Name)
	if len(both) < 2 || id.Type.Kind == model.Text {
		return nil, false
	}
	return both[1], true
}
