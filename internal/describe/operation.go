package describe

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/failure"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/validation"
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
	body := s.structure(op.In.Type.StructIn(), roleOf(op.In.View), naming.Capital(op.ID)+"Request")
	body.isBody = true
	return body
}

// Needs lists what a body must have where it creates, beyond what its schema requires.
func Needs(op *compiled.Operation) []string {
	var names []string
	for _, m := range op.Missing.View.Fields {
		if m.Required && !op.In.View.Field(m.Field).Required {
			names = append(names, m.Field.Name)
		}
	}
	return names
}

// BodyExample makes an example of an operation's body: a Patch changes one member, all others show every member. Nil
// where none could be made that the service takes. A patch with one member shows best what a patch is for. With all of
// them it would look like a Put.
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

// Parameter describes a parameter of the user's own. Its schema is made as that of a body's member is. A parameter has
// the same tags as a member, and therefore the same schema, but for null, which a query cannot write.
func (s *Schemas) Parameter(op *compiled.Operation, p *parameters.Parameter) Parameter {
	f, of := p.Field, op.Parameters.Own.View.Struct
	required := op.Parameters.Own.View.Field(f).Required
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

// FieldExample returns an example of what answers show of a field that is a scalar, the same each time. Nil where none
// could be made. The same each time, so that an example of a path, of the record that it leads to, and of references to
// that record all name one record: a document reads like one story.
func (s *Schemas) FieldExample(f *model.Field) any {
	example, known := s.examples[f]
	if !known {
		example = exampleOf(f, s.member(f, f.Rules, position{}))
		s.examples[f] = example
	}
	return example
}

// Second returns an identifier other than the first, and reports whether one could be made. It is for examples with two
// records, which would else be one record twice. Of types that marshal themselves only one form is known here.
func (s *Schemas) Second(id *model.Field, first any) (any, bool) {
	both := s.value(id.Type, id.Rules, position{}).several(2, first, id.Type, id.Name)
	if len(both) < 2 || id.Type.Kind == model.Text {
		return nil, false
	}
	return both[1], true
}

// Summary returns an operation's one line: the user's own, or one that begins with a verb, as lists of operations are
// scanned by it, and ends with what the path names above the records.
func Summary(op *compiled.Operation) string {
	line, _ := texts(op)
	switch {
	case op.Summary != "":
		return op.Summary
	case op.Name != "" && op.Relationship == nil:
		return naming.SentenceCase(op.Name)
	case op.Name == "" && len(op.Parents) > 0:
		return line + " of one " + naming.Phrase(op.Parents[len(op.Parents)-1].Resource.ShortName)
	}
	return line
}

// Description returns an operation's text, with who may do it where something says so: scheme and scopes do not
// say which callers a rule lets pass.
func Description(op *compiled.Operation) string {
	_, text := texts(op)
	switch {
	case op.Description != "":
		text = op.Description
	case op.Relationship != nil, op.Membership != nil:
	case op.Custom && op.Item: // what a handler does only its author knows
		text = "Acts on the " + naming.Phrase(op.Resource.ShortName) + " that the path names."
	case op.Custom:
		text = "An operation beside those on stored " + naming.Phrase(op.Resource.PluralName) + "."
	}
	if op.Access != nil {
		text += "\n\nWho may: " + who(op.Access, op.Resource.Struct) + "."
	}
	return text
}

// texts returns the line and the text of an operation without words of its own.
func texts(op *compiled.Operation) (line, text string) {
	switch {
	case op.Relationship != nil:
		return relationshipTexts(op)
	case op.Membership != nil:
		return membershipTexts(op)
	}
	const changes = "hanges the members that the body has, and keeps the others. A null clears a member that may be null."
	of := [...][2]string{
		operation.KindGet:           {"Get one {one}", "Answers with the {one} that the path names."},
		operation.KindGetCollection: {"List {many}", "Answers with the {many} that the parameters ask for."},
		operation.KindPost:          {"Create a new {one}", "Makes a new {one} of the body and answers with it."},
		operation.KindPut:           {"Update one {one}", "C" + changes},
		operation.KindPatch:         {"Change one {one}", "Applies a JSON merge patch (RFC 7396): c" + changes},
		operation.KindDelete:        {"Delete one {one}", "Removes the {one} that the path names."},
	}[op.Kind]
	if op.Replace {
		of = [2]string{"Replace one {one}", "Puts the body in place of what is stored. Members left out get their default, else null or their zero value; " +
			"read-only and write-only members stay."}
	}
	for i := range of {
		of[i] = strings.Replace(of[i], "{one}", naming.Phrase(op.Resource.ShortName), 1)
		of[i] = strings.Replace(of[i], "{many}", naming.Phrase(op.Resource.PluralName), 1)
	}
	if op.AllowCreate {
		of[1] += " Where there is none yet, it is created"
		if names := Needs(op); len(names) > 0 {
			of[1] += "; the body must then have `" + strings.Join(names, "`, `") + "`"
		}
		of[1] += "."
	}
	return of[0], of[1]
}

// membershipTexts is about what changes only what one record is referred to by a list.
func membershipTexts(op *compiled.Operation) (line, text string) {
	what, list := naming.Phrase(op.Membership.Resource.ShortName), naming.Phrase(op.Membership.Field.Name)
	one, member := naming.Phrase(op.Resource.ShortName), "`"+op.Membership.Field.Name+"`"
	if op.Kind == operation.KindDelete {
		return "Take one " + what + " out of the " + list + " of one " + one,
			"Takes a " + what + " out of " + member + " of the " + one + ". The " + what + " itself stays. Both are named by the path."
	}
	return "Add one " + what + " to the " + list + " of one " + one,
		"Adds a " + what + " to the end of " + member + " of the " + one + ", unless it is there already. Both are named by the path."
}

// relationshipTexts is about a reference of a record alone.
func relationshipTexts(op *compiled.Operation) (line, text string) {
	of := op.Relationship
	member, whose := naming.Phrase(of.Field.Name), " of one "+naming.Phrase(op.Resource.ShortName)
	one := "the " + naming.Phrase(op.Resource.ShortName) + " that the path names"
	text = "Puts the body in place of the " + member + " of " + one + ". All else stays."
	switch {
	case op.Reads:
		return "Get the " + member + whose, "Answers with what " + one + " refers to as its " + member + "."
	case of.Change == compiled.Adds:
		return "Add to the " + member + whose, "Adds to the " + member + " of " + one + " those of the body that are not among them yet."
	case of.Change == compiled.Removes:
		return "Remove from the " + member + whose, "Takes those of the body away from the " + member + " of " + one + ". What is not among them is passed over."
	case of.Field.Reference.Many:
		return "Replace the " + member + whose, text
	}
	return "Change the " + member + whose, text
}

// Success returns the text of a response of a status.
func Success(op *compiled.Operation, status int) string {
	what := "the " + op.Resource.ShortName + " as it is now"
	switch {
	case !op.HasResponseBody():
		return "Done; there is nothing to tell."
	case op.Custom:
		return "Done."
	case op.Relationship != nil:
		what = "the " + naming.Phrase(op.Relationship.Field.Name) + " of the " + op.Resource.ShortName
	case op.Pages:
		what = "the " + op.Resource.PluralName + " that were asked for"
	case op.Reads:
		what = "the " + op.Resource.ShortName
	case status == http.StatusCreated, op.Creates:
		what = "the new " + op.Resource.ShortName
	}
	return naming.Sentence(what)
}

// possible lists which operations can return each error, in the order of the errors.
var possible = [...]struct {
	refusal failure.Kind
	can     func(op *compiled.Operation) bool
}{
	{failure.NotModified, func(op *compiled.Operation) bool { return op.Reads && op.HasResponseBody() }},
	{failure.BadRequest, always},
	{failure.Invalid, func(op *compiled.Operation) bool { return refusesValues(op, validation.Map) }},
	{failure.TooMuchEmbedded, func(op *compiled.Operation) bool { return op.Expansions != nil }},
	{failure.Unauthorized, asksWho},
	{failure.Forbidden, forbids},
	{failure.NotFound, func(op *compiled.Operation) bool { return op.Item || len(op.Parents) > 0 }},
	{failure.NotAcceptable, (*compiled.Operation).HasResponseBody},
	{failure.Timeout, func(op *compiled.Operation) bool { return op.TakesBody() && op.Timeout > 0 }},
	{failure.Taken, writes},
	{failure.Conflict, writes},
	{failure.PreconditionFailed, func(op *compiled.Operation) bool { return !op.Reads || op.HasResponseBody() }},
	{failure.TooLarge, (*compiled.Operation).TakesBody},
	{failure.TooDeep, (*compiled.Operation).TakesBody},
	{failure.TooMany, (*compiled.Operation).TakesBody},
	{failure.URITooLong, always},
	{failure.UnsupportedMediaType, (*compiled.Operation).TakesBody},
	{failure.Unprocessable, func(op *compiled.Operation) bool { return refusesValues(op, validation.Problem) }},
	{failure.KeyReused, func(op *compiled.Operation) bool { return op.Idempotency > 0 }},
	{failure.PreconditionRequired, func(op *compiled.Operation) bool { return op.RequirePrecondition }},
	{failure.Internal, always},
	{failure.Unavailable, always},
	{failure.Custom, func(op *compiled.Operation) bool { return op.Hooked }},
}

// Refusals returns the errors that an operation can return by itself, in their order.
func Refusals(op *compiled.Operation) []failure.Kind {
	var can []failure.Kind
	for _, each := range possible {
		if each.can(op) {
			can = append(can, each.refusal)
		}
	}
	return can
}

func always(*compiled.Operation) bool { return true }

func writes(op *compiled.Operation) bool { return !op.Reads }

// refusesValues reports whether the operation returns errors of that shape for values that are
// not valid: those of its body, the list that a membership changes, or what the user's functions reject.
func refusesValues(op *compiled.Operation, shape validation.Shape) bool {
	return op.Resource.Errors == shape && (op.TakesBody() || op.Membership != nil || op.Hooked)
}

// asksWho reports whether an operation can return 401. In an API with schemes, every operation rejects bad credentials,
// unless it ignores them.
func asksWho(op *compiled.Operation) bool { return len(op.API.Authentication) > 0 && !op.Anonymous }

// forbids reports whether an operation can return 403. A hidden record returns 404, so reading one record returns 403
// only in an API without schemes.
func forbids(op *compiled.Operation) bool {
	if op.Reads && op.Item {
		return (!compiled.IsOpen(op.Access) || op.HasGuardedParents()) && !asksWho(op)
	}
	return !compiled.IsOpen(op.Access) || op.HasGuardedParents() && !asksWho(op) || !op.Reads && (writesByRule(op) || takesCookies(op))
}

// writesByRule reports whether some may not write all members of an operation's body, or not all of its records.
func writesByRule(op *compiled.Operation) bool {
	if op.HasElementRules {
		return true
	}
	for _, rules := range op.Resource.Members {
		if !compiled.IsOpen(rules.Write) && op.Saves {
			return true
		}
	}
	return false
}

// takesCookies reports whether pages of another origin are refused.
func takesCookies(op *compiled.Operation) bool {
	return slices.ContainsFunc(op.API.Authentication, func(s access.Scheme) bool { return s.Kind == "cookie" })
}
