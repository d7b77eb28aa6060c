package describe

import (
	"github.com/trove-api/trove/internal/model"
)

// role is what a value is in a message, and by which view it is read or written. A struct
// has a schema for each of its views, since they differ in what must and what may be there.
// The zero value is of a value without a struct that the service sends.
type role struct {
	request bool        // sent by a client
	patches bool        // merged into what is there (RFC 7396)
	view    *model.View // of the struct that the value is or holds; nil for none
}

// roleOf is the role of the values of a view, nil for those of an answer without a struct.
func roleOf(v *model.View) role {
	if v == nil {
		return role{}
	}
	return role{request: v.Request, patches: v.Patch == model.MergePatch, view: v}
}

// isRequest reports whether values come from clients.
func (r role) isRequest() bool { return r.request }

// suffix follows the name of the type in the name of its schema.
func (r role) suffix() string {
	if r.view == nil {
		return ""
	}
	return r.view.Name
}

// title is what stands for the name of the type, "" where nothing does.
func (r role) title() string {
	if r.view == nil {
		return ""
	}
	return r.view.Title
}

// requires reports whether objects in the role always have the member.
func (r role) requires(f *model.Field) bool {
	m := r.view.Member(f)
	return m != nil && m.Required
}

// member is the role of the value of a member, in an object in this role.
func (r role) member(m *model.Member) role { return role{r.request, r.patches, m.Inner} }

// element is the role of elements. A list is always sent whole, in a merge patch too;
// the entries of a map are merged one by one.
func (r role) element(t *model.Type) role {
	r.patches = r.patches && t.Kind == model.Map
	return r
}

// described is the role whose schema serves for this one too: a body that replaces a struct
// is often like one that creates it.
// Two schemas that differ in their name alone make clients have two types for one thing, so the one
// of the new record serves for both.
func (r role) described() role {
	if v := r.view; v.Patch == model.WholePatch && v.New != nil && isAlike(v, v.New, map[*model.View]bool{}) {
		return roleOf(v.New)
	}
	return r
}

// isAlike reports whether a body that replaces a struct is like one that creates it. They
// differ where members that are never shown keep their value, and where the identifier must
// be the one of the path.
// Views of one struct list the same members in the same order, so that they are compared one by
// one.
func isAlike(replaced, created *model.View, seen map[*model.View]bool) bool {
	if replaced == created || seen[replaced] {
		return true
	}
	seen[replaced] = true
	for i := range replaced.Members {
		m, made := &replaced.Members[i], &created.Members[i]
		if m.Required != made.Required || m.Field.Identifier && m.Writable || m.Field.CreateOnly || m.Writable && !isAlike(m.Inner, made.Inner, seen) {
			return false
		}
	}
	return true
}
