package compiled

import (
	"slices"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/model"
)

// describeType describes a value of the operation for formats with For. Linked formats also get references of which
// responses show only the embedded record.
func (o *Operation) describeType(v *Value, linked bool) *format.Type {
	of := o.Resource
	if v.Type.Struct != of.Struct && (v != o.In || o.Input == nil) && (v != o.Out || o.Output == nil) {
		of = nil // a handler's own type
	}
	d := &typeDescriber{api: o.API, known: map[typeSeen]*format.Type{}}
	var expansions []*Expansion
	if v == o.Out {
		expansions = o.Expansions
	}
	described := d.valueOf(v, of, expansions)
	if v == o.Out && o.Sparse != nil {
		for i := range described.Fields {
			m := &described.Fields[i]
			m.Required = m.Required && slices.ContainsFunc(o.Sparse.Fields, func(known model.ViewField) bool {
				return known.Field.Name == m.Name && known.Required
			})
		}
	}
	described.NoPath = v == o.Out && o.HasNoPath()
	if linked {
		for _, e := range expansions {
			if e.Alone != nil {
				described.Fields = append(described.Fields, d.onlyEmbedded(o.Resource.Struct, e))
			}
		}
	}
	return described
}

// onlyEmbedded describes a reference of which a response shows only the record. It is always present, and null if the
// record is deleted or hidden.
func (d *typeDescriber) onlyEmbedded(of *model.Struct, e *Expansion) format.TypeField {
	member := format.TypeField{
		Name: e.Field.Name, Description: e.Field.Doc, Reference: d.api.describeReference(of, e.Field),
		Type: d.typeOfField(&model.ViewField{Field: e.Field}), Readable: true, Required: true, Always: true, OnlyEmbedded: true,
	}
	if !e.Field.Reference.Many {
		nullable := *member.Type
		nullable.Nullable, member.Type = true, &nullable
	}
	inner := &typeDescriber{api: d.api, known: map[typeSeen]*format.Type{}}
	member.Embedded = inner.valueOf(e.Shown, e.Resource, e.Inner)
	return member
}

// valueOf describes a value with the records that responses can embed. Of is the resource of a record, nil for other
// values.
func (d *typeDescriber) valueOf(v *Value, of *Resource, expansions []*Expansion) *format.Type {
	described := d.typeOf(v.Type, v.View)
	described.Order = v.Order
	described.Request = v.View != nil && v.View.Request
	described.Stored = described.Request && v.View.Named
	if of != nil {
		described.Name = of.ShortName
	}
	for i := range described.Fields {
		m := &described.Fields[i]
		if of != nil {
			m.Required = m.Required && of.alwaysHas(m.Name, v.View)
		}
		if of != nil && m.Name == of.ID.Name() {
			described.ID = m.Name
		}
		if of != nil && of.TitleField() == m.Name {
			described.Title = m.Name
		}
		at := slices.IndexFunc(expansions, func(e *Expansion) bool { return e.Field.Name == m.Name })
		if at < 0 {
			continue
		}
		e := expansions[at]
		inner := &typeDescriber{api: d.api, known: map[typeSeen]*format.Type{}}
		m.Embedded, m.Always = inner.valueOf(e.Shown, e.Resource, e.Inner), e.Always
	}
	return described
}

// alwaysHas reports whether the access rules let every caller see the field, or send it in a replacing body. A caller
// who may not read a field does not get it and cannot send it.
func (r *Resource) alwaysHas(name string, of *model.View) bool {
	rules := r.Members[name]
	switch {
	case of == nil || !of.Request:
		return IsOpen(rules.Read)
	case of.Named && !of.Removes:
		return IsOpen(rules.Read) && IsOpen(rules.Write)
	}
	return true
}

// typeDescriber describes types. A type that contains itself is registered before it is complete.
type typeDescriber struct {
	api   *API
	known map[typeSeen]*format.Type
}

// typeSeen is a type with a view.
type typeSeen struct {
	typ *model.Type
	of  *model.View
}

var kinds = map[model.Kind]format.Kind{
	model.Bool: format.Boolean, model.Int: format.Integer, model.Uint: format.Integer, model.Float: format.Number, model.Numeral: format.Number,
	model.String: format.Text, model.Bytes: format.Text, model.Time: format.Text, model.Text: format.Text,
	model.Object: format.Object, model.List: format.List, model.Array: format.List, model.Map: format.Map,
	model.Custom: format.Any, model.Any: format.Any,
}

// formats are OpenAPI formats that refine a kind.
var formats = map[model.Kind]string{model.Time: "date-time", model.Bytes: "byte"}

// typeOf describes a type. The view is of the struct that it is or contains.
func (d *typeDescriber) typeOf(t *model.Type, of *model.View) *format.Type {
	seen := typeSeen{t, of}
	if known := d.known[seen]; known != nil {
		return known
	}
	made := &format.Type{Kind: kinds[t.Kind], Format: formats[t.Kind], Nullable: t.Nullable}
	d.known[seen] = made
	if t.Elem != nil {
		made.Elem = d.typeOf(t.Elem, of)
	}
	if t.Kind != model.Object || of == nil {
		return made
	}
	made.Fields = make([]format.TypeField, len(of.Fields))
	for i := range of.Fields {
		m := &of.Fields[i]
		made.Fields[i] = format.TypeField{
			Name: m.Field.Name, Description: m.Field.Doc, Type: d.typeOfField(m), Reference: d.api.describeReference(of.Struct, m.Field),
			Readable: m.Readable, Writable: m.Writable, Required: m.Required,
		}
	}
	return made
}

// typeOfField describes the type of a field. A reference that clients see as a path is a string.
func (d *typeDescriber) typeOfField(m *model.ViewField) *format.Type {
	shown := m.Field.Shown()
	switch {
	case shown == nil && m.Field.Type != nil:
		return d.typeOf(m.Field.Type, m.Inner)
	case shown != nil && shown.Many:
		return &format.Type{Kind: format.List, Elem: &format.Type{Kind: format.Text}}
	}
	return &format.Type{Kind: format.Text, Nullable: m.Field.Type != nil && m.Field.Type.Nullable}
}
