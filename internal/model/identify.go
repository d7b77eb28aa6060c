package model

import (
	"slices"

	"github.com/trove-api/trove/store"
)

// identify finds the identifier of a resource: the fields tagged api:"id", else the
// field ID.
// Tags go before the name, since a struct may have a field ID that means something else.
func (c *compiler) identify(s *Struct) {
	s.IDs = identifying(s)
	if id := fieldID(s); s.IDs == nil && id != nil {
		s.IDs = []*Field{id}
	}
	switch where := typeName(s.Go); {
	case s.IDs == nil:
		c.fail(where, "has no identifier: tag a field api:\"id\", or name one ID")
		return
	case len(s.IDs) > len(store.Key{}):
		c.fail(where, "has %d fields tagged api:\"id\"; allowed: up to %d, which then identify a record together", len(s.IDs), len(store.Key{}))
		return
	case len(s.IDs) > 1:
		for _, f := range s.IDs {
			c.completePart(where+"."+f.GoPath, f)
		}
	default:
		c.completeIdentifier(where+"."+s.IDs[0].GoPath, s.IDs[0])
	}
	// What depends on the identifier would only report the same mistake in other words.
	if slices.ContainsFunc(s.IDs, func(f *Field) bool { return f.Type.Nullable || !isKeyKind(f.Type.Kind) }) {
		s.IDs = nil
		return
	}
	s.ID = s.IDs[0]
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
	c.checkIdentifier(where, id)
	switch {
	case id.Reference != nil:
		c.fail(where, "has the word ref; what names or stamps a record refers to none")
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
		c.neverBlank(where, id)
	}
}

// checkIdentifier checks what holds of each field of an identifier.
// It stands in paths, in orders and in keys of maps, which is more than other members have to do.
func (c *compiler) checkIdentifier(where string, id *Field) {
	switch {
	case id.Type.Nullable:
		c.fail(where, "is the identifier and a pointer: an identifier is never null")
	case id.WriteOnly:
		c.fail(where, "is the identifier and writeonly: paths show it")
	case id.Type.HasOrderKey():
		c.fail(where, "is the identifier and has the type %s with the method OrderKey: two texts that have one key would be two addresses of one record", id.Type.Go)
	case id.Type.Ordered() && !id.Type.Sortable():
		c.fail(where, "is the identifier and has the type %s, %s: records are in the order of their identifier", id.Type.Go, twoOrders)
	}
	if !isKeyKind(id.Type.Kind) {
		c.fail(where, "is the identifier and has the type %s: an identifier is an integer, a string or a type that marshals itself as text", id.Type.Go)
	}
}

// neverBlank gives a string of an identifier the rules that it has in any case.
func (c *compiler) neverBlank(where string, id *Field) {
	// A blank identifier has an address that many clients and proxies change or drop.
	if _, ok := id.Rules.Find("notblank"); !ok {
		id.Rules.All = append(id.Rules.All, Constraint{Name: "notblank"})
	}
	id.Rules.OmitEmpty = false
	c.limitIndexed(where, id)
}

// completePart checks one of several fields that identify a record. The client sends it, or the service
// sets it where it is read-only. No store generates it, whatever its type is.
func (c *compiler) completePart(where string, f *Field) {
	c.checkIdentifier(where, f)
	switch {
	case f.Type.Kind != String || f.Reference != nil:
	case f.ReadOnly: // it has no notblank, because a Processor may set it after the rules are checked
		c.limitIndexed(where, f)
	default:
		c.neverBlank(where, f)
	}
}

// isGenerated reports whether identifiers of the kind are made by the store.
// Text is taken for UUIDs: the store tries one, and refuses a type that does not take it.
func isGenerated(kind Kind) bool { return kind == Int || kind == Uint || kind == Text }

// checkWithin finds words that say something of a record, at members within other members: a record is what is
// created, changed and kept apart from others. They would be passed over in silence.
func (c *compiler) checkWithin(s *Struct) { c.checkBelow(s, s.Fields, "", []*Struct{s}) }

// checkBelow looks through members and what they hold. The structs are those that have been looked through, each
// once.
func (c *compiler) checkBelow(record *Struct, fields []*Field, above string, known []*Struct) []*Struct {
	for _, f := range fields {
		for _, word := range wordsOfRecords(f) {
			if above != "" {
				c.fail(typeName(record.Go), "has the word %s at %s, within another member; allowed: on members of the record itself", word, above+f.Name)
			}
		}
		t := f.Type
		for t.Elem != nil {
			t = t.Elem
		}
		if inner := t.object(); inner != nil && !slices.Contains(known, inner) {
			known = c.checkBelow(record, inner.Fields, above+f.Name+".", append(known, inner))
		}
	}
	return known
}

// wordsOfRecords returns the words of a field that say something of the record.
func wordsOfRecords(f *Field) (words []string) {
	for _, each := range []struct {
		word string
		is   bool
	}{{"createonly", f.CreateOnly}, {"unique", f.Unique}, {"index", f.Indexed}, {"version", f.Version}, {"created", f.Created}, {"modified", f.Modified}} {
		if each.is {
			words = append(words, each.word)
		}
	}
	return words
}
