package admin

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trove-api/trove/internal/guest"
	"github.com/trove-api/trove/internal/schema"
)

// fieldOf makes the model of a field, with the operations that the caller may call.
type fieldOf struct {
	*guest.Field

	view           *view
	reads, creates []*guest.Operation
	update         *guest.Operation // nil for none
}

// model returns the model of the field, and whether the caller may see or set it in some record.
func (f fieldOf) model() (m fieldModel, ok bool) {
	v := f.view
	m = fieldModel{Name: f.Name, Title: f.Label, WriteOnly: f.WriteOnly, CreateOnly: f.CreateOnly, Computed: f.Computed}
	if v.caller.Sees(f.Field) {
		m.Readable = slices.ContainsFunc(f.reads, f.isIn)
		m.ShownOnce = !m.Readable && slices.ContainsFunc(f.creates, f.isIn)
	}
	var in *guest.Operation
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
	bare := *v.described(of, f.Field)
	m.Description, bare.Description = cmp.Or(bare.Description, f.Doc), ""
	m.Schema = v.schema(&bare)
	m.inverse = f.Reference != nil && f.Reference.Inverse
	if ref := f.Reference; ref != nil && ref.To != nil && v.shown[ref.To] {
		m.Reference = &referenceModel{ref.To.Name, ref.Many, ref.Inverse, ref.Identifiers}
	}
	return m, true
}

// isIn reports whether responses of an operation have the field.
func (f fieldOf) isIn(op *guest.Operation) bool { return op.Returns(f.Field) }

// addBodies sets in which bodies the caller may set the field. It returns the operation with the first of them, nil for
// none.
func (f fieldOf) addBodies(m *fieldModel) (in *guest.Operation) {
	for _, op := range f.creates {
		if takes, required := op.Takes(f.Field); takes {
			m.Create, m.Required, in = true, required, op
			break
		}
	}
	if f.update == nil || f.CreateOnly || slices.Contains(f.Resource.Identifier, f.Name) {
		return in
	}
	names := func(p guest.Parent) bool { return p.Reference == f.Field } // the path does
	if takes, required := f.update.Takes(f.Field); takes && !slices.ContainsFunc(f.update.Parents, names) {
		m.Update, m.Required = true, m.Required || required
		in = cmp.Or(in, f.update)
	}
	return in
}

// property returns the schema of a field in the body of an operation that changes something, or in the response of
// another one; nil for none.
func property(op *guest.Operation, f *guest.Field) *schema.Schema {
	switch {
	case op == nil:
		return nil
	case op.Input != nil && op.Input.Ref != nil && !op.Custom:
		if of := op.Input.Ref.Schema.Property(f.Name); of != nil && !of.ReadOnly {
			return of
		}
	}
	return record(op).Property(f.Name)
}

// record returns the schema of the records in the response of an operation, an empty one for none.
func record(op *guest.Operation) *schema.Schema {
	of := withoutEmbedded(op.Output)
	if of != nil && op.Lists && of.Items != nil {
		of = withoutEmbedded(of.Items)
	}
	if of != nil && of.Ref != nil {
		return of.Ref.Schema
	}
	return &schema.Schema{}
}

// addOtherTypes adds the fields of bodies and responses that are of other types than the record.
func (v *view) addOtherTypes(m *resourceModel, reads, creates []*guest.Operation, update *guest.Operation) {
	add := func(of *schema.Schema, set func(f *fieldModel, isRequired bool)) {
		for _, p := range of.Properties {
			at := slices.IndexFunc(m.Fields, func(f fieldModel) bool { return f.Name == p.Name })
			if at < 0 {
				at = len(m.Fields)
				bare := *p.Schema
				bare.Description = ""
				m.Fields = append(m.Fields, fieldModel{
					Name: p.Name, Title: guest.Label(p.Name), Description: p.Schema.Description, Schema: v.schema(&bare),
				})
			}
			set(&m.Fields[at], slices.Contains(of.Required, p.Name))
		}
	}
	for _, op := range creates {
		if op.HasInput && op.Input.Ref != nil {
			add(op.Input.Ref.Schema, func(f *fieldModel, isRequired bool) { f.Create, f.Required = true, isRequired })
			break
		}
	}
	if update != nil && update.HasInput && update.Input.Ref != nil {
		add(update.Input.Ref.Schema, func(f *fieldModel, _ bool) { f.Update = true })
	}
	for _, op := range reads {
		if op.HasOutput {
			add(record(op), func(f *fieldModel, _ bool) { f.Readable = true })
		}
	}
}

// withoutEmbedded returns the schema of a record without the records that are embedded in it.
func withoutEmbedded(of *schema.Schema) *schema.Schema {
	if of == nil {
		return nil
	}
	if len(of.AllOf) == 2 && of.AllOf[1].Property("_embedded") != nil {
		return of.AllOf[0]
	}
	if of.Items != nil && len(of.Items.AllOf) == 2 {
		list := *of
		list.Items = withoutEmbedded(of.Items)
		return &list
	}
	return of
}

// described returns the schema of a field for a caller. Generated sentences that name a field that the caller may not
// see are left out.
func (v *view) described(of *schema.Schema, f *guest.Field) *schema.Schema {
	for _, other := range f.Resource.Fields {
		if other != f && !v.caller.Sees(other) && names(of.Description, other.Name) && !names(f.Doc, other.Name) {
			made := *of
			made.Description = f.Doc
			return &made
		}
	}
	return of
}

// names reports whether a text has a name as a word.
func names(text, name string) bool {
	isPart := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		end := at + i + len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:at+i]) // U+FFFD at the start of the text
		after, _ := utf8.DecodeRuneInString(text[end:])
		if !isPart(before) && !isPart(after) {
			return true
		}
		at = end
	}
}

// schema returns a schema as JSON. The model gets the schemas that it refers to.
func (v *view) schema(of *schema.Schema) json.RawMessage {
	of.Each(func(inner *schema.Schema) {
		if inner.Ref != nil && !slices.Contains(v.needed, inner.Ref) {
			v.needed = append(v.needed, inner.Ref)
		}
	})
	return json.RawMessage(of.Text(refs))
}

// definition returns a schema that others refer to, without the fields that the caller may not see, or set.
func (v *view) definition(d *schema.Definition) json.RawMessage {
	r, isBody := v.api.IsBody(d)
	if r == nil {
		return v.schema(d.Schema)
	}
	of := *d.Schema
	of.Properties = nil
	for _, p := range d.Schema.Properties {
		f := r.Field(p.Name)
		switch {
		case f == nil:
		case isBody && (p.Schema.ReadOnly || !v.caller.Sets(f)), !isBody && !v.caller.Sees(f):
			continue
		default:
			p.Schema = v.described(p.Schema, f)
		}
		of.Properties = append(of.Properties, p)
	}
	has := func(name string) bool { return of.Property(name) != nil }
	of.Required = slices.DeleteFunc(slices.Clone(of.Required), func(name string) bool { return !has(name) })
	return v.schema(&of)
}

// parameter returns the model of a parameter, and whether the caller may see what it is about.
func (v *view) parameter(p *guest.Parameter) (parameterModel, bool) {
	m := parameterModel{
		Name: p.Name, In: p.In, Kind: p.Kind, Field: p.Field, Operator: p.Operator, Many: p.Many, Required: p.Required, Description: p.Description,
	}
	if !v.seesAll(p.Fields) {
		return m, false
	}
	of := *p.Schema
	if p.Choices != nil {
		seen := slices.DeleteFunc(slices.Clone(p.Choices), func(c guest.Choice) bool { return !v.seesAll(c.Fields) })
		if len(seen) == 0 {
			return m, false
		}
		if p.Kind == "q" {
			if len(seen) < len(p.Choices) {
				m.Description = ""
			}
		} else {
			items, values := *of.Items, []string{}
			for _, c := range seen {
				values = append(values, c.Value)
			}
			items.Enum, of.Items, of.Examples = schema.ValuesOf(values...), &items, nil
		}
	}
	m.Schema = v.schema(&of)
	return m, true
}

// seesAll reports whether the caller may see all fields in some record, and each record behind a reference.
func (v *view) seesAll(fields []*guest.Field) bool {
	for i, f := range fields {
		if !v.caller.Sees(f) || i > 0 && !v.caller.Reads(f.Resource) {
			return false
		}
	}
	return true
}
