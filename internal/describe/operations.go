package describe

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/operation"
)

// Summary returns the user's own summary of an operation, or one that begins with a verb.
func Summary(op *compiled.Operation) string {
	of := nounsOf(op.Resource)
	switch {
	case op.Summary != "":
		return op.Summary
	case op.Restores:
		return "Restore " + of.an
	case op.Purges:
		return "Purge " + of.an
	case op.Name != "":
		return naming.SentenceCase(op.Name)
	case op.History != nil:
		return "List the changes of " + of.an
	case op.Membership != nil:
		target, among := nounsOf(op.Membership.Resource).an, " the "+naming.Phrase(op.Membership.Field.Name)+" of "+of.an
		if op.Kind == operation.KindDelete {
			return "Remove " + target + " from" + among
		}
		return "Add " + target + " to" + among
	}
	summary := [...]string{
		operation.KindGet: "Get " + of.an, operation.KindGetCollection: "List " + of.many, operation.KindPost: "Create " + of.an,
		operation.KindPut: "Update " + of.an, operation.KindPatch: "Patch " + of.an, operation.KindDelete: "Delete " + of.an,
		operation.KindAggregate: "Aggregate " + of.many,
	}[op.Kind]
	if op.Replace {
		summary = "Replace " + of.an
	}
	if len(op.Parents) > 0 {
		summary += " of " + nounsOf(op.Parents[len(op.Parents)-1].Resource).an
	}
	return summary
}

// Description returns an operation's text, with its access rule: schemes and scopes do not show which callers a rule
// allows. A handler without a text has none, because only its author knows what it does.
func Description(op *compiled.Operation) string {
	var parts []string
	switch {
	case op.Description != "":
		parts = append(parts, op.Description)
	case op.Membership != nil && op.Kind == operation.KindDelete:
		target := nounsOf(op.Membership.Resource)
		parts = append(parts, "Removes "+target.an+" from `"+op.Membership.Field.Name+"`. The "+target.one+" itself is not deleted.")
	case op.Membership != nil:
		parts = append(parts, "Appends "+nounsOf(op.Membership.Resource).an+" to `"+op.Membership.Field.Name+"`, unless it is already there.")
	case op.Sets != nil:
		parts = append(parts, setDescription(op))
	case op.History != nil:
		parts = append(parts, "Returns a page of the changes of "+nounsOf(op.Resource).an+", the newest first.")
	case !op.Custom:
		parts = append(parts, standardDescription(op))
	}
	if op.Access != nil {
		parts = append(parts, "Access: "+ruleInWords(op.Access, op.Resource.Struct, false))
	}
	if of := op.Conditional(); of != nil {
		parts = append(parts, "Condition: "+ruleInWords(of.When.Declared, of.Resource.Struct, false))
	}
	return strings.Join(parts, "\n\n")
}

// setDescription describes an operation.Set by the values that responses show.
func setDescription(op *compiled.Operation) string {
	shown := op.Resource.Source.Response
	_, values, err := shown.Encoder.AppendMembers(nil, op.Sets.Record, nil)
	var set []string
	for _, f := range op.Sets.Fields {
		i := slices.IndexFunc(values, func(value format.Field) bool { return value.Name == f.Name })
		switch {
		case err == nil && i >= 0:
			set = append(set, "`"+f.Name+"` to `"+string(values[i].JSON)+"`")
		case f.Readable():
			set = append(set, "`"+f.Name+"`")
		}
	}
	if set == nil {
		return "Changes " + nounsOf(op.Resource).an + "."
	}
	return "Sets " + list(set, "and") + "."
}

// standardDescription describes an operation that has no function of the user's.
func standardDescription(op *compiled.Operation) string {
	of := nounsOf(op.Resource)
	var sentences []string
	switch op.Kind {
	case operation.KindGet:
		sentences = append(sentences, "Returns "+of.an+" by "+identifier(op.Resource.ID.Names())+".")
	case operation.KindGetCollection:
		what := "all "
		if op.Pages {
			what = "a page of "
		}
		sentences = append(sentences, "Returns "+what+of.many+".")
	case operation.KindAggregate:
		sentences = append(sentences, "Returns the number of "+of.many+" in each group, and values of their fields.")
	case operation.KindPost:
		sentences = append(sentences, "Creates "+of.an+".")
	case operation.KindPut:
		if op.Replace {
			sentences = append(sentences, "Replaces "+of.an+". Omitted fields get their default, or else null or their zero value; "+
				"read-only and write-only fields keep their values.")
		} else {
			sentences = append(sentences, "Updates "+of.an+". Omitted fields keep their values; null clears a nullable field.")
		}
	case operation.KindPatch:
		sentences = append(sentences, "Updates "+of.an+" with a JSON merge patch (RFC 7396): omitted fields keep their values; null clears a nullable field.")
	case operation.KindDelete:
		sentences = append(sentences, "Deletes "+of.an+".")
	}
	if op.In != nil && op.In.View.Merges && mergesEntries(op.In.View, map[*model.View]bool{}) {
		sentences = append(sentences, "Omitted entries of maps and free JSON objects keep their values; null removes an entry.")
	}
	if op.AllowCreate {
		created := "Creates it if it does not exist"
		if required := Needs(op); len(required) > 0 {
			created += "; the body then requires " + list(code(required), "and")
		}
		sentences = append(sentences, created+".")
	}
	return naming.Sentences(sentences...)
}

// mergesEntries reports whether a merge patch can name entries that are not fields: those of maps and of free JSON.
func mergesEntries(v *model.View, seen map[*model.View]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	return slices.ContainsFunc(v.Fields, func(m model.ViewField) bool {
		t := m.Field.Type
		return m.Writable && (t.Kind == model.Map || t.Kind == model.Any || isRawJSON(t) || t.Kind == model.Object && mergesEntries(m.Inner, seen))
	})
}

// Success returns the text of a response with a status below 300.
func Success(op *compiled.Operation, status int) string {
	of := nounsOf(op.Resource)
	switch {
	case !op.HasResponseBody():
		return "Success. The response has no body."
	case op.History != nil:
		return "The changes of the " + of.one + "."
	case op.Custom && op.Sets == nil:
		return "Success."
	case op.Aggregates:
		return "The groups of " + of.many + "."
	case op.Pages:
		return "The " + of.many + "."
	case op.Reads:
		return "The " + of.one + "."
	case status == http.StatusCreated, op.Creates:
		return "The created " + of.one + "."
	}
	return "The updated " + of.one + "."
}

// Tag returns the description of a resource's tag: the user's own, or what its operations are about.
func Tag(r *compiled.Resource) string {
	return cmp.Or(r.Description, "Operations on "+nounsOf(r).many+".")
}

// Location returns the text of the header field with the path of a new record.
func Location(r *compiled.Resource) string { return "Path of the created " + nounsOf(r).one + "." }

// Stream returns the text of a body that has one record per line.
func Stream(op *compiled.Operation) string {
	text := "One " + nounsOf(op.Resource).one + " per line, as JSON: all that match the filters, without pagination. "
	switch {
	case op.History != nil:
		text = "One change per line, as JSON, without pagination. "
	case op.Aggregates:
		text = "One group per line, as JSON: all groups, without pagination. "
	}
	text += "A truncated stream means that the service failed."
	if op.HasParameter(parameters.Cursor) {
		text += " With `cursor`, it starts after that position."
	}
	return text
}

// BodySchema returns the schema of an operation's body, with a format next to the reference. The elements of a list
// share the schema of a single body.
func (s *Schemas) BodySchema(op *compiled.Operation, format string) *schema.Schema {
	one := s.Body(op)
	if op.In.Each == nil {
		return one.Ref(schema.Schema{Format: format})
	}
	return &schema.Schema{Type: []string{schema.Array}, Items: one.Ref(schema.Schema{}), Format: format}
}

// Body returns the definition of an operation's body, or of its elements if the body is a list. The operation must take
// a body.
func (s *Schemas) Body(op *compiled.Operation) *Definition {
	body := s.structure(op.In.Type.StructIn(), roleOf(cmp.Or(op.Listing, op.In.View)), naming.Capital(op.ID)+"Request")
	body.isBody = true
	return body
}

// Needs lists the fields that a body requires in addition to its schema when it creates a record.
func Needs(op *compiled.Operation) []string {
	var names []string
	for _, m := range op.Missing.View.Fields {
		if m.Required && !op.In.View.Field(m.Field).Required {
			names = append(names, m.Field.Name)
		}
	}
	return names
}

// BodyExample returns an example of an operation's body, or nil if none is valid. The example of a Patch has one field,
// because with all fields it would look like a Put.
func (s *Schemas) BodyExample(op *compiled.Operation) any {
	body, in := s.Body(op), op.In
	if in.Each != nil {
		in = in.Each
	}
	switch isMerge := op.In.View.Merges; {
	case isMerge && op.In.Each != nil:
		return []any{body.smallExample()}
	case isMerge && (op.Kind == operation.KindPatch || op.Patching != nil):
		return body.smallExample()
	}
	example, ok := body.example(nil)
	if object, isObject := example.(map[string]any); ok && isObject && body.follow(object, in.Codec, in.Checker) {
		if in != op.In {
			return []any{example}
		}
		return example
	}
	return nil
}

// Response returns the schema of an operation's response, and an example, which is nil if none could be made. The
// operation must have a response body. Both are made from the same value, so that they cannot contradict each other.
func (s *Schemas) Response(op *compiled.Operation) (of *schema.Schema, example any) {
	if op.Aggregates {
		return &schema.Schema{Type: []string{schema.Array}, Items: s.row(op).Ref(schema.Schema{})}, nil
	}
	t, at := op.Out.Type, position{role: roleOf(op.Out.View), fallback: naming.Capital(op.ID) + "Response"}
	if op.Lists {
		t = &model.Type{Kind: model.List, Elem: t}
	}
	if op.Sparse != nil {
		at.role = roleOf(op.Sparse)
	}
	v := s.value(t, model.Rules{}, at)
	v.null = t.Nullable && t.Kind != model.Object // a nil pointer to a struct is an error
	of = v.finished()
	switch {
	case op.Expansions == nil:
	case op.Lists:
		of.Items = s.withEmbedded(of.Items, op.Expansions)
	default:
		of = s.withEmbedded(of, op.Expansions)
	}
	if made, ok := v.make(nil, t, ""); ok && s.embedExamples(made, op.Expansions) {
		example = made
	}
	return of, example
}

// Parameter describes a parameter.
type Parameter struct {
	Schema      *schema.Schema
	Description string
	Example     any // nil for none
	Required    bool
}

// Parameter describes a parameter that the user declares. It has the same tags as a field of a body, and therefore the
// same schema, except for null, which a query cannot express.
func (s *Schemas) Parameter(op *compiled.Operation, p *parameters.Parameter) Parameter {
	f, of := p.Field, op.Parameters.Own.View.Struct
	required := op.Parameters.Own.View.Field(f).Required
	at := position{role: role{request: true}, owner: of, name: f.Name, fallback: naming.Capital(op.ID) + naming.Capital(ComponentName(f.Name))}
	v := s.value(f.Type, s.stated(&Definition{role: role{request: true}}, f), at)
	v.null = false // a query cannot express it
	if _, isWhole := Conditional(s.api, of); isWhole {
		v.mark(FormatConditions, "")
	}
	if p.Many && (v.schema.MaxItems == nil || *v.schema.MaxItems > parameters.MaxValues) {
		v.schema.MaxItems = new(uint64(parameters.MaxValues))
	}
	v.schema.Default = f.Default
	description := naming.Sentences(append([]string{f.Doc}, v.sentences...)...)
	made := Parameter{Required: required, Description: cmp.Or(description, naming.SentenceCase(strings.ReplaceAll(f.Name, "-", "_"))+".")}
	if f.Example != nil || required || !v.risky { // a risky example may be rejected if it is the only parameter
		made.Example = exampleOf(f, v)
	}
	made.Schema = v.finished()
	return made
}

// exampleOf returns an example of a field's values, nil if none could be made.
func exampleOf(f *model.Field, v *value) any {
	if f.Example != nil {
		return schema.Go(f.Example)
	}
	made, _ := v.make(nil, f.Type, f.Name)
	return made
}

// FieldExample returns an example of a scalar field, or nil if none could be made. It returns the same example each
// time, so that the examples of a path, of its record and of references to it all name one record.
func (s *Schemas) FieldExample(f *model.Field) any {
	example, known := s.examples[f]
	if !known {
		example = exampleOf(f, s.field(f, f.Rules, position{}))
		s.examples[f] = example
	}
	return example
}
