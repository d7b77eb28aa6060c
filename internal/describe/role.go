package describe

import (
	"slices"

	"github.com/trove-api/trove/internal/model"
)

// role is how a value is used: in requests or responses, and through which view. A struct has a schema for each of its
// views, because they differ in their fields. The zero value is a value without a struct in a response.
type role struct {
	request bool        // sent by a client
	patches bool        // merged into the stored value (RFC 7396)
	view    *model.View // of the struct that the value is or holds; nil for none
}

// roleOf returns the role of the values of a view, nil for those of a response without a struct.
func roleOf(v *model.View) role {
	if v == nil {
		return role{}
	}
	return role{request: v.Request, patches: v.Merges, view: v}
}

// suffix returns what follows the name of the type in the name of its schema.
func (r role) suffix() string {
	if r.view == nil {
		return ""
	}
	return r.view.Name
}

// title returns the name that replaces that of the type, "" for none.
func (r role) title() string {
	if r.view == nil {
		return ""
	}
	return r.view.Title
}

// requires reports whether objects in the role always have the field.
func (r role) requires(f *model.Field) bool {
	m := r.view.Field(f)
	return m != nil && m.Required
}

// replaces reports whether objects in the role replace a record.
func (r role) replaces() bool {
	return r.request && r.view != nil && r.view.Named && !r.view.Removes
}

// described returns the role whose schema this role uses. A body that replaces a struct is often equal to one that
// creates it, and two names for one schema would be two types to clients.
func (r role) described() role {
	if v := r.view; !v.Removes && v.New != nil && isAlike(v, v.New, map[*model.View]bool{}) {
		return roleOf(v.New)
	}
	return r
}

// isAlike reports whether a body that replaces a struct has the schema of one that creates it. They differ if fields
// that are never shown keep their values, and if the identifier must equal the one in the path. Views of one struct list
// the same fields in the same order.
func isAlike(replaced, created *model.View, seen map[*model.View]bool) bool {
	if replaced == created || seen[replaced] {
		return true
	}
	seen[replaced] = true
	for i := range replaced.Fields {
		m, made := &replaced.Fields[i], &created.Fields[i]
		if m.Required != made.Required || m.Field.Identifier && m.Writable || m.Field.CreateOnly || m.Writable && !isAlike(m.Inner, made.Inner, seen) {
			return false
		}
	}
	return true
}

// requiresFields reports whether a new struct requires some of its fields.
func requiresFields(of *model.View, seen map[*model.View]bool) bool {
	if seen[of] {
		return false
	}
	seen[of] = true
	return slices.ContainsFunc(of.Fields, func(m model.ViewField) bool {
		t := m.Field.Type
		return m.Required || t.Kind == model.Object && !t.Nullable && requiresFields(m.Inner, seen)
	})
}
