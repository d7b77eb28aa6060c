package resource

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/operation"
)

// relationships adds operations on single references, for formats in which they have their own paths: the resource's
// Get and Patch, limited to that field. The rules of the two operations apply.
func (c *compiler) relationships(where string, r *compiled.Resource) {
	get := r.Item
	if get == nil || get.HasOutput {
		return
	}
	var patch *compiled.Operation
	for _, op := range r.Operations {
		if op.Kind == operation.KindPatch && !op.Custom && !op.HasInput && !op.IsBelowOthers() {
			patch = cmp.Or(patch, op)
		}
	}
	for _, f := range get.Relating() {
		for _, field := range r.Struct.Fields {
			m := get.Out.View.Field(field)
			if m == nil || !m.Readable || field.Reference == nil || field.Reference.Target == nil {
				continue
			}
			at, err := c.parse(get.Path() + f.Relationships + url.PathEscape(field.Name))
			if err != nil {
				c.fail(where, "the path of %s in the format %s: %w", field.Name, f.MediaType, err)
				continue
			}
			c.relate(where, relationship{field, f, at}, get, patch)
		}
	}
}

// relationship is a reference with its own path in a format.
type relationship struct {
	field  *model.Field
	format *compiled.Format
	at     *uritemplate.Template
}

// relate adds the operations on one reference. Patch is nil for a resource without one.
func (c *compiler) relate(where string, of relationship, get, patch *compiled.Operation) {
	r := get.Resource
	r.Operations = append(r.Operations, c.reading(where, get, of))
	if patch != nil && slices.Contains(patch.Relating(), of.format) {
		if m := patch.In.View.Field(of.field); m != nil && m.Writable && !of.field.CreateOnly {
			r.Operations = append(r.Operations, c.changing(where, patch, of)...)
		}
	}
	if r.Relationships == nil {
		r.Relationships = map[string]*uritemplate.RecordPath{}
	}
	if r.Relationships[of.field.Name] == nil {
		r.Relationships[of.field.Name] = new(uritemplate.RecordPathOf(of.at, strings.Join(r.ID.Names(), ";"), nil))
	}
}

// reading returns the operation that reads a reference. A caller who may not read the field gets a 404, because the
// response would be empty.
func (c *compiler) reading(where string, get *compiled.Operation, of relationship) *compiled.Operation {
	op := c.related(where, get, of, "get", http.MethodGet)
	op.Out = op.Resource.Source.Value(get.Out.View.Only([]string{of.field.Name}))
	if rule := c.guardReading(where, op, op.Access); rule != nil {
		op.Access = rule
	}
	c.noteOperation(where, op.Resource, op.ChooseFormats([]*compiled.Format{of.format}))
	c.drafts[op] = &draft{Operation: op, Functions: execute.Functions{Extra: c.drafts[get].Extra}}
	c.drafts[op].decide()
	return op
}

// guardReading limits an operation to callers who may read the field. It returns the combined rule, nil if the field
// has no rule.
func (c *compiler) guardReading(where string, op *compiled.Operation, record access.Rule) access.Rule {
	rule := op.Resource.Members[op.Relationship.Field.Name].Read
	if rule == nil {
		return nil
	}
	if record != nil {
		rule = access.All(record, rule)
	}
	var guarded compiled.Gate
	if op.Gate != nil {
		guarded = *op.Gate
	}
	guarded.Read = c.rule(where, "Access.Read", rule, op, gate.Reads)
	op.Gate = &guarded
	return rule
}

// changing returns the operations that change a reference: one, or three for a list. Their responses are empty.
func (c *compiler) changing(where string, patch *compiled.Operation, of relationship) []*compiled.Operation {
	in := patch.Resource.Source.Value(patch.In.View.Only([]string{of.field.Name}))
	var list []*compiled.Operation
	for _, change := range []struct {
		verb, method string
		change       compiled.RelationshipChange
	}{{"patch", http.MethodPatch, compiled.Replaces}, {"add", http.MethodPost, compiled.Adds}, {"remove", http.MethodDelete, compiled.Removes}} {
		if change.change != compiled.Replaces && !of.field.Reference.Many {
			continue
		}
		op := c.related(where, patch, of, change.verb, change.method)
		op.In, op.Out, op.Status = in, nil, http.StatusNoContent
		if op.Relationship.Change = change.change; op.Relationship.Change != compiled.Replaces {
			c.guardReading(where, op, op.Resource.Reads) // errors about the length of the list would reveal it
		}
		c.noteOperation(where, op.Resource, op.ChooseFormats([]*compiled.Format{of.format}))
		c.drafts[op] = &draft{Operation: op, Functions: execute.Functions{Processor: c.drafts[patch].Processor, Extra: c.drafts[patch].Extra}}
		c.drafts[op].decide()
		list = append(list, op)
	}
	return list
}

// related returns an operation on a reference that runs like another operation does on the whole record.
func (c *compiler) related(where string, as *compiled.Operation, of relationship, verb, method string) *compiled.Operation {
	op := *as
	op.Relationship = &compiled.Relationship{Field: of.field}
	op.ID, op.Method = idOfRelationship(verb, as.Resource, of.field), method
	op.Template = of.at
	op.Summary, op.Description = "", ""
	op.Wire, op.Embedding = compiled.Wire{}, compiled.Embedding{}
	set, err := c.parameterSet(parameters.Options{Record: as.Resource.Struct, Own: as.Parameters.Own})
	c.note(where, err)
	op.Parameters = set
	return &op
}

// idOfRelationship returns the id in the document, such as "addDragonTreasureTagsRelationship".
func idOfRelationship(verb string, r *compiled.Resource, f *model.Field) string {
	var name strings.Builder
	for _, word := range strings.FieldsFunc(f.Name, func(c rune) bool { return strings.ContainsRune("-_ .", c) }) {
		name.WriteString(naming.Capital(word))
	}
	return verb + r.ShortName + name.String() + "Relationship"
}
