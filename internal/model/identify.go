package model

import (
	"slices"

	"github.com/trove-api/trove/validation"
)

// identify finds the identifier of a resource: the field tagged api:"id", else the
// field ID.
func (c *compiler) identify(s *Struct) {
	for _, f := range s.Fields {
		if !f.Identifier {
			continue
		}
		if s.ID != nil {
			c.fail(typeName(s.Go), "has two identifiers, %s and %s: tag one field api:\"id\"", s.ID.GoPath, f.GoPath)
			return
		}
		s.ID = f
	}
	if s.ID == nil {
		s.ID = fieldID(s)
	}
	if s.ID == nil {
		c.fail(typeName(s.Go), "has no identifier: tag a field api:\"id\", or name one ID")
		return
	}
	c.completeIdentifier(typeName(s.Go)+"."+s.ID.GoPath, s.ID)
}

// fieldID returns the field that Go calls ID: the struct's own, or one promoted from an
// embedded struct. It returns nil where there is none, or two at the same depth.
func fieldID(s *Struct) *Field {
	// Go's own rules say which one is meant, so that code and addresses speak of the same field.
	found, ok := s.Go.FieldByName("ID")
	if !ok {
		return nil
	}
	for _, f := range s.Fields {
		if slices.Equal(f.Index, found.Index) {
			return f
		}
	}
	return nil
}

// fewestBits are those of an integer identifier, so that no client can use all of them up.
const fewestBits = 32

// completeIdentifier says who makes the identifier: the store, for integers and for
// types that are text; else the client, who must then not leave it blank.
func (c *compiler) completeIdentifier(where string, id *Field) {
	id.Identifier, id.Unique = true, true
	switch {
	case id.Type.Nullable:
		c.fail(where, "is the identifier and a pointer: an identifier is never null")
	case id.WriteOnly:
		c.fail(where, "is the identifier and writeonly: paths show it")
	case id.Type.Ordered() && !id.Type.Sortable():
		c.fail(where, "is the identifier and has the type %s, %s: records are in the order of their identifier", id.Type.Go, twoOrders)
	case (id.Type.Kind == Int || id.Type.Kind == Uint) && id.Type.Bits < fewestBits:
		c.fail(where, "is the identifier and has the type %s: the store makes it, and would soon have no more; use int64", id.Type.Go)
	}
	switch kind := id.Type.Kind; {
	case isGenerated(kind):
		id.Generated, id.ReadOnly = true, true
	case kind == String:
		if id.ReadOnly {
			c.fail(where, "is a string identifier and readonly: the client gives it; use an integer or a UUID for one that is made")
		}
		// A blank identifier has an address that many clients and proxies change or drop.
		if _, ok := id.Rules.Find("notblank"); !ok {
			id.Rules.All = append(id.Rules.All, validation.Constraint{Name: "notblank"})
		}
		id.Rules.OmitEmpty = false
		c.limitIndexed(where, id)
	default:
		c.fail(where, "is the identifier and has the type %s: an identifier is an integer, a string or a type that marshals itself as text", id.Type.Go)
	}
}

// isGenerated reports whether identifiers of the kind are made by the store.
// Text is taken for UUIDs: the store tries one, and refuses a type that does not take it.
func isGenerated(kind Kind) bool { return kind == Int || kind == Uint || kind == Text }
