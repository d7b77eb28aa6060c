package admin

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/schema"
)

// fieldOf makes the model of a field, with the operations that the caller may call.
type fieldOf struct {
	*invoke.Field

	view           *view
	reads, creates []*invoke.Operation
	update         *invoke.Operation // nil for none
}

// model returns the model of the field, and whether the caller may see or set it in some record.
func (f fieldOf) model() (m fieldModel, ok bool) {
	v := f.view
	m = fieldModel{Name: f.Name, Title: naming.Label(f.Name), WriteOnly: f.WriteOnly}
	if v.caller.Sees(f.Field) {
		m.Readable = slices.ContainsFunc(f.reads, f.isIn)
		m.ShownOnce = !m.Readable && slices.ContainsFunc(f.creates, f.isIn)
	}
	var in *invoke.Operation
	if v.caller.Sets(f.Field) {
		in = f.addBodies(&m)
	}
	if !m.Readable && !m.ShownOnce && !m.Create && !m.Update {
		return m, false
	}
	of := property(in, f.Field)
	for _, op := range slices.Concat(f.reads, f.creates) {
		if of == nil && f.isIn(op) {
			of = property(op, f.Field)
		}
	}
	if of == nil {
		of = &schema.Schema{}
	}
	m.Schema, m.Description = v.bare(v.caller.Described(of, f.Field))
	m.Description = cmp.Or(m.Description, v.text(f.Doc))
	if !v.config.isEnglish() { // no sentences that are generated
		m.Description = v.text(f.Doc)
	}
	m.inverse = f.Inverse
	if f.To != nil && v.shown[f.To] {
		m.Reference = &referenceModel{f.To.ShortName, f.Reference.Many, f.Inverse, f.Reference.Path == nil}
	}
	return m, true
}

// isIn reports whether responses of an operation have the field.
func (f fieldOf) isIn(op *invoke.Operation) bool { return op.Returns(f.Field) }

// addBodies sets in which bodies the caller may set the field. It returns the operation with the first of them, nil for
// none.
func (f fieldOf) addBodies(m *fieldModel) (in *invoke.Operation) {
	for _, op := range f.creates {
		if takes, required := op.Takes(f.Field); takes {
			m.Create, m.Required, in = true, required, op
			break
		}
	}
	if f.update == nil || f.CreateOnly || f.Resource.ID.Has(f.Name) {
		return in
	}
	isInPath := false
	for _, p := range f.update.Parents {
		isInPath = isInPath || p.Field == f.Field.Field
	}
	if takes, required := f.update.Takes(f.Field); takes && !isInPath {
		m.Update, m.Required = true, m.Required || required
		in = cmp.Or(in, f.update)
	}
	return in
}

// property returns the schema of a field in the body of an operation that changes something, or in the response of
// another one; nil for none.
func property(op *invoke.Operation, f *invoke.Field) *schema.Schema {
	if op == nil {
		return nil
	}
	if op.Body != nil && op.Body.Ref != nil && !op.Custom {
		if of := op.Body.Ref.Schema.Property(f.Name); of != nil && !of.ReadOnly {
			return of
		}
	}
	return op.Record().Property(f.Name)
}

// addOtherTypes adds the fields of bodies and responses that are of other types than the record.
func (v *view) addOtherTypes(m *resourceModel, reads, creates []*invoke.Operation, update *invoke.Operation) {
	add := func(of *schema.Schema, set func(f *fieldModel, isRequired bool)) {
		for _, p := range of.Properties {
			at := slices.IndexFunc(m.Fields, func(f fieldModel) bool { return f.Name == p.Name })
			if at < 0 {
				at = len(m.Fields)
				made := fieldModel{Name: p.Name, Title: naming.Label(p.Name)}
				made.Schema, made.Description = v.bare(p.Schema)
				m.Fields = append(m.Fields, made)
			}
			set(&m.Fields[at], slices.Contains(of.Required, p.Name))
		}
	}
	for _, op := range creates {
		if op.Input != nil && op.Body.Ref != nil {
			add(op.Body.Ref.Schema, func(f *fieldModel, isRequired bool) { f.Create, f.Required = true, isRequired })
			break
		}
	}
	if update != nil && update.Input != nil && update.Body.Ref != nil {
		add(update.Body.Ref.Schema, func(f *fieldModel, _ bool) { f.Update = true })
	}
	for _, op := range reads {
		if op.Output != nil {
			add(op.Record(), func(f *fieldModel, _ bool) { f.Readable = true })
		}
	}
}

// bare returns the schema of a field as the caller may see it, and its description apart.
func (v *view) bare(of *schema.Schema) (text json.RawMessage, description string) {
	made := *v.caller.Schema(of)
	description, made.Description = made.Description, ""
	return v.schema(&made), description
}

// schema returns a schema as JSON. The model gets the schemas that it refers to.
func (v *view) schema(of *schema.Schema) json.RawMessage {
	of.Each(func(inner *schema.Schema) {
		if inner.Ref != nil && !slices.Contains(v.needed, inner.Ref) {
			v.needed = append(v.needed, inner.Ref)
		}
	})
	return of.Text("#/schemas/")
}

// text returns a text of the documentation, "" for a caller who may not read that.
func (v *view) text(text string) string {
	if !v.caller.MayReadDocs() {
		return ""
	}
	return text
}
