package describe

import (
	"github.com/trove-api/trove/internal/model"
)

// role is what a value is in a message. A struct has a schema for each role that it
// plays, since the roles differ in what must and what may be there.
type role int

const (
	answered role = iota // sent by the service
	sparse               // sent by the service, with the members that the client chooses
	created              // sent by a client, for something new
	replaced             // sent by a client, in place of something stored
	placed               // sent by a client, for what the path names, stored or not
	patched              // sent by a client, as a merge patch (RFC 7396)
)

// suffix follows the name of the type in the name of its schema.
func (r role) suffix() string {
	return [...]string{"", "Sparse", "Create", "Update", "Put", "Patch"}[r]
}

// isRequest reports whether values come from clients.
func (r role) isRequest() bool { return r != answered && r != sparse }

// has reports whether objects in the role have the member. Clients may send read-only
// members back, so requests list them.
func (r role) has(f *model.Field) bool { return r.isRequest() || f.Readable() }

// requires reports whether objects in the role always have the member.
func (r role) requires(f *model.Field) bool {
	switch r {
	case created:
		return f.Required && f.Writable()
	case replaced:
		return f.Required && f.Writable() && f.Readable()
	case placed:
		return f.Required && f.Writable() && f.Readable() && !f.Identifier
	case patched:
		return false
	case sparse:
		return f.Identifier
	}
	return !f.OmitAbsent()
}

// member is the role of a struct that is a member itself, in an object in this role.
func (r role) member(t *model.Type) role {
	switch {
	case r == sparse: // a member that is chosen is whole
		return answered
	case (r == replaced || r == placed) && t.Nullable:
		return created
	case r == placed:
		return replaced
	}
	return r
}

// element is the role of elements. A list is always sent whole, in a merge patch too;
// the entries of a map are merged one by one.
func (r role) element(t *model.Type) role {
	switch {
	case r == answered, r == sparse, r == patched && t.Kind == model.Map:
		return r
	}
	return created
}

// replacesAlike reports whether a body that replaces a struct is like one that creates
// it. They differ where members that are never shown keep their value, and where the
// identifier must be the one of the path.
func replacesAlike(s *model.Struct, seen map[*model.Struct]bool) bool {
	if seen[s] {
		return true
	}
	seen[s] = true
	for _, f := range s.Fields {
		keeps := f.WriteOnly && f.Required
		inside := f.Type.Kind == model.Object && !f.Type.Nullable && !f.ReadOnly
		if keeps || f.Identifier && f.Writable() || inside && !replacesAlike(f.Type.Struct, seen) {
			return false
		}
	}
	return true
}
