package model

import (
	"reflect"
	"slices"

	"github.com/trove-api/trove/store"
)

// identify finds the identifier of a resource: the fields tagged api:"id", else the field ID. Tags take precedence,
// because a field ID may mean something else.
func (c *compiler) identify(s *Struct) {
	s.IDs = identifying(s)
	// Go's rules for promotion decide which field is ID, so that code and paths use the same: none of two at one depth.
	if found, ok := s.Go.FieldByName("ID"); s.IDs == nil && ok {
		if i := slices.IndexFunc(s.Fields, func(f *Field) bool { return slices.Equal(f.Index, found.Index) }); i >= 0 {
			s.IDs = []*Field{s.Fields[i]}
		}
	}
	switch where := (Declaration{Type: s.Go}); {
	case s.IDs == nil:
		c.fail(where, "no identifier; name a field ID, or tag one with api:\"id\"")
		return
	case len(s.IDs) > len(store.Key{}):
		c.fail(where, "%d fields have the tag api:\"id\"; allowed: at most %d, as a composite identifier", len(s.IDs), len(store.Key{}))
		return
	case len(s.IDs) > 1:
		for _, f := range s.IDs { // the client sends it, or the service sets it if it is read-only; stores never generate it
			where.Field = f.GoPath
			switch c.checkIdentifier(where, f); {
			case f.Type.Kind != String || f.Reference != nil:
			case f.ReadOnly: // no notblank, because a Processor may set it after validation
				c.limitIndexed(where, f)
			default:
				c.neverBlank(where, f)
			}
		}
	default:
		c.completeIdentifier(Declaration{Type: s.Go, Field: s.IDs[0].GoPath}, s.IDs[0])
	}
	// Without an identifier, later phases do not report the same error in other words.
	if slices.ContainsFunc(s.IDs, func(f *Field) bool { return f.Type.Nullable || !isKeyKind(f.Type.Kind) }) {
		s.IDs = nil
		return
	}
	s.ID = s.IDs[0]
}

// StandIn gives an identifier to a struct that has no valid one, so that later phases find the errors of its operations.
// It replaces the invalid one, else the field with the given name. The struct is only good for finding errors.
func (s *Struct) StandIn(name string) {
	if invalid := identifying(s); invalid != nil {
		name = invalid[0].Name
	}
	s.ID = &Field{Name: name, GoPath: name, Type: &Type{Go: reflect.TypeFor[string](), Kind: String}, Identifier: true}
	s.IDs = []*Field{s.ID}
	s.Fields = append(slices.DeleteFunc(s.Fields, func(f *Field) bool { return f.Name == name }), s.ID)
	s.paths = nil
}

// identifying returns the fields tagged api:"id" of a struct.
func identifying(s *Struct) (fields []*Field) {
	for _, f := range s.Fields {
		if f.Identifier {
			fields = append(fields, f)
		}
	}
	return fields
}

// fewestBits is the minimum size of an integer identifier, so that clients cannot use up all values.
const fewestBits = 32

// completeIdentifier decides who creates the identifier. The store generates integers and types that marshal themselves
// as text. The client sets a string, which must not be blank.
func (c *compiler) completeIdentifier(where Declaration, id *Field) {
	id.Identifier, id.Unique = true, true
	c.checkIdentifier(where, id)
	switch {
	case id.Reference != nil:
		c.fail(where, "the identifier cannot have the word ref")
	case (id.Type.Kind == Int || id.Type.Kind == Uint) && id.Type.Bits < fewestBits:
		c.fail(where, "the store would run out of identifiers of the type %s; use int64", id.Type.Go)
	}
	switch kind := id.Type.Kind; {
	case id.Type.IsDate(): // set by the client, as a string
	case isGenerated(kind):
		id.Generated, id.ReadOnly = true, true
	case kind == String:
		if id.ReadOnly {
			c.fail(where, "a string identifier cannot be readonly, because the client sets it; use an integer or a UUID for a generated one")
		}
		c.neverBlank(where, id)
	}
}

// checkIdentifier checks each field of an identifier, which is used in paths, in sort orders and as a map key.
func (c *compiler) checkIdentifier(where Declaration, id *Field) {
	switch {
	case id.Type.Nullable:
		c.fail(where, "the identifier cannot be a pointer")
	case id.WriteOnly:
		c.fail(where, "the identifier cannot be writeonly, because paths contain it")
	case id.Type.HasOrderKey():
		c.fail(where, "the identifier cannot have the type %s with an OrderKey method, because two texts with one key would be two paths of one record", id.Type.Go)
	case id.Type.Ordered() && !id.Type.Sortable():
		c.fail(where, "the identifier cannot have the type %s, %s", id.Type.Go, twoOrders)
	}
	if !isKeyKind(id.Type.Kind) {
		c.fail(where, "the identifier cannot have the type %s; allowed: an integer, a string or a type that marshals itself as text", id.Type.Go)
	}
}

// neverBlank adds the rules that every string identifier has.
func (c *compiler) neverBlank(where Declaration, id *Field) {
	// Many clients and proxies change the path of a blank identifier.
	if _, ok := id.Rules.Find("notblank"); !ok {
		id.Rules.All = append(id.Rules.All, Constraint{Name: "notblank"})
	}
	id.Rules.OmitEmpty = false
	c.limitIndexed(where, id)
}

// isGenerated reports whether the store generates identifiers of the kind. Text is taken for a UUID: the store tries
// one and rejects a type that does not accept it.
func isGenerated(kind Kind) bool { return kind == Int || kind == Uint || kind == Text }

// checkWithin reports words on nested fields that only make sense for a record, such as unique. They would otherwise be
// ignored. It checks fields and the structs within them, each once, and returns the structs checked so far.
func (c *compiler) checkWithin(record *Struct, fields []*Field, above string, known []*Struct) []*Struct {
	for _, f := range fields {
		for _, word := range ofRecords {
			if above != "" && f.has(word) {
				c.fail(Declaration{Type: record.Go, Field: above + f.GoPath}, "the word %s is only allowed on fields of the record itself", word)
			}
		}
		if inner := f.Type.StructIn(); inner != nil && !slices.Contains(known, inner) {
			known = c.checkWithin(record, inner.Fields, above+f.GoPath+".", append(known, inner))
		}
	}
	return known
}

// ofRecords lists the words that only make sense for a record.
var ofRecords = []string{"password", "createonly", "unique", "index", "version", "created", "modified", "deleted"}
