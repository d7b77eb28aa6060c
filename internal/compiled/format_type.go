package compiled

import (
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/view"
)

// describeType describes a value for formats that make a plan of it.
func (o *Operation) describeType(v *Value) *format.Type {
	described := (&typeDescriber{known: map[typeSeen]*format.Type{}}).typeOf(v.Type, v.View)
	described.Request = v.View != nil && v.View.Request
	if o.Resource != nil && v.Type.Struct == o.Resource.Struct {
		described.Name = o.Resource.ShortName
	}
	return described
}

// typeDescriber describes types. One that holds itself is known before it is complete.
type typeDescriber struct{ known map[typeSeen]*format.Type }

// typeSeen is a type as a view shows it.
type typeSeen struct {
	typ *model.Type
	of  *view.View
}

var kinds = map[model.Kind]format.Kind{
	model.Bool: format.Boolean, model.Int: format.Integer, model.Uint: format.Integer, model.Float: format.Number,
	model.String: format.Text, model.Bytes: format.Text, model.Time: format.Text, model.Text: format.Text,
	model.Object: format.Object, model.List: format.List, model.Array: format.List, model.Map: format.Map,
	model.Custom: format.Any, model.Any: format.Any,
}

// typeOf describes a type. The view is of the struct that it is or holds.
func (d *typeDescriber) typeOf(t *model.Type, of *view.View) *format.Type {
	seen := typeSeen{t, of}
	if known := d.known[seen]; known != nil {
		return known
	}
	made := &format.Type{Kind: kinds[t.Kind], Nullable: t.Nullable}
	d.known[seen] = made
	if t.Elem != nil {
		made.Elem = d.typeOf(t.Elem, of)
	}
	if t.Kind != model.Object || of == nil {
		return made
	}
	made.Members = make([]format.TypeMember, len(of.Members))
	for i := range of.Members {
		m := &of.Members[i]
		made.Members[i] = format.TypeMember{
			Name: m.Field.Name, Type: d.typeOfMember(m), Readable: m.Readable, Writable: m.Writable, Required: m.Required,
		}
	}
	return made
}

// typeOfMember describes a member's type. That of a reference which clients see as an address
// is not that of the key.
func (d *typeDescriber) typeOfMember(m *view.Member) *format.Type {
	shown := m.Field.Shown()
	switch {
	case shown == nil && m.Field.Type != nil:
		return d.typeOf(m.Field.Type, m.Inner)
	case shown != nil && shown.Many:
		return &format.Type{Kind: format.List, Elem: &format.Type{Kind: format.Text}}
	}
	return &format.Type{Kind: format.Text, Nullable: m.Field.Type != nil && m.Field.Type.Nullable}
}
