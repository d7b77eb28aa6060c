package admin

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/schema"
)

// addFields adds the fields that the caller may see or set in some record: those of the resource in the order of declaration,
// then those of bodies and responses of other types.
func (v *view) addFields(m *resourceModel, l *layout) {
	for _, f := range l.Fields {
		m.Fields = append(m.Fields, fieldModel{Name: f.Name, field: f})
	}
	for _, op := range l.creates {
		m.add(v.body(op), op.Input != nil, func(f *fieldModel, isRequired bool) {
			if !f.Create {
				f.Create, f.Required = true, isRequired
			}
		})
	}
	if op := v.first(l.updates); op != nil {
		m.add(v.body(op), op.Input != nil, func(f *fieldModel, isRequired bool) {
			if f.field == nil || !f.field.CreateOnly && !l.ID.Has(f.Name) && !isInPath(op, f.field) {
				f.Update, f.Required = true, f.Required || isRequired
			}
		})
	}
	for _, op := range slices.Concat(l.lists, l.gets) {
		m.add(v.record(op), op.Output != nil, func(f *fieldModel, _ bool) { f.Readable = true })
	}
	for _, op := range l.creates {
		m.add(v.record(op), op.Output != nil, func(f *fieldModel, _ bool) { f.ShownOnce = !f.Readable && f.field != nil })
	}
	m.Fields = slices.DeleteFunc(m.Fields, func(f fieldModel) bool { return !f.isUsed() })
	for i := range m.Fields {
		v.describe(&m.Fields[i], l)
	}
}

// add adds the fields of a body or response, which is of another type than the record or not, as far as a function sets them.
func (m *resourceModel) add(of *schema.Schema, isOther bool, set func(f *fieldModel, isRequired bool)) {
	for _, p := range of.Properties {
		at := slices.IndexFunc(m.Fields, func(f fieldModel) bool { return f.Name == p.Name })
		if at < 0 {
			at = len(m.Fields)
			m.Fields = append(m.Fields, fieldModel{Name: p.Name})
		}
		f := &m.Fields[at]
		if isOther && f.schema == nil {
			f.field = nil
		}
		if set(f, slices.Contains(of.Required, p.Name)); f.schema == nil && f.isUsed() {
			f.schema = p.Schema
		}
	}
}

// isUsed reports whether the caller may see or set the field in some record.
func (f *fieldModel) isUsed() bool { return f.Readable || f.ShownOnce || f.Create || f.Update }

// isInPath reports whether the path of an operation has the field of a record.
func isInPath(op *invoke.Operation, f *invoke.Field) (is bool) {
	for _, p := range op.Parents {
		is = is || p.Field == f.Field
	}
	return is
}

// describe sets what a field is for people.
func (v *view) describe(m *fieldModel, l *layout) {
	declared := l.config.Fields[m.Name]
	made := *m.schema
	m.Description, made.Description = made.Description, ""
	m.Schema = v.schema(&made)
	if f := m.field; f != nil {
		m.WriteOnly = f.WriteOnly
		if m.Description == "" || !v.config.isEnglish() { // no sentences that are generated
			m.Description = v.text(f.Doc)
		}
		if f.To != nil && v.shows[f.To] {
			m.Reference = &referenceModel{f.To.ShortName, f.Reference.Many, f.Inverse, f.Reference.Path == nil}
		}
	}
	m.Title, m.Description = l.label(m.Name), cmp.Or(declared.Help, m.Description)
	m.Widget, m.Width, m.Values, m.Currency = declared.Widget, declared.Width, declared.Values, declared.Currency
}

// body returns the schema of the body of an operation as the caller may see it, an empty one for nil and other operations.
func (v *view) body(op *invoke.Operation) *schema.Schema {
	if op = v.shown(op); op == nil || op.Body == nil || op.Body.Ref == nil {
		return &schema.Schema{}
	}
	return op.Body.Ref.Schema
}

// record returns the schema of the records in the responses of an operation as the caller may see them, or an empty one.
func (v *view) record(op *invoke.Operation) *schema.Schema {
	if op = v.shown(op); op == nil {
		return &schema.Schema{}
	}
	return op.Record()
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
