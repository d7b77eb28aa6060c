package model

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

// twoOrders explains why a type is not sortable.
const twoOrders = "because its Value method and its JSON sort differently"

// checkCollection checks that the words about collections fit the field's type. It removes a word that does not fit,
// because parameters compiled from it would report the same error again.
func (c *compiler) checkCollection(where Declaration, f *Field) {
	// A client could find out a secret by its prefix, one character at a time.
	if f.WriteOnly && (f.Filters != nil || f.Sort || f.Search || f.Group || f.Aggregate) {
		c.fail(where, "a writeonly field cannot have filter, sort, search, group or aggregate, which would reveal its value")
	}
	if f.Password && (f.Type.Kind != String || f.Type.Nullable) {
		f.Password = false
		c.fail(where, "password does not support the type %s; allowed: a string, which is empty if there is no password", f.Type.Go)
	}
	c.checkOrder(where, f)
	c.checkGroups(where, f)
	if f.Search && f.Type.Kind != String {
		f.Search = false
		c.fail(where, "search does not support the type %s; allowed: a string", f.Type.Go)
	}
	var plain, seen, fitting []string
	for _, filter := range f.Filters {
		if slices.Contains(seen, filter) {
			c.fail(where, "duplicate filter %q in the api tag", filter)
			continue
		}
		seen = append(seen, filter)
		if filter != "range" && filter != "exists" { // it uses the plain parameter of the field, which has one meaning
			plain = append(plain, filter)
		}
		ofReference := f.Reference != nil && filter != "exact" && filter != "exists" // checkReference checks these
		if allowed := f.filterMisfit(filter); allowed != "" && !ofReference {
			c.fail(where, "filter %q does not support the type %s; allowed: %s", filter, f.Type.Go, allowed)
			continue
		}
		fitting = append(fitting, filter)
	}
	if f.Filters = fitting; len(plain) > 1 {
		f.Filters = nil // parameters would report them again
		c.fail(where, "filters %s use the same parameter %s=…; choose one", strings.Join(plain, ", "), f.Name)
	}
}

// checkSearch checks that the searched fields have one kind of search, because one parameter searches them all.
func (c *compiler) checkSearch(s *Struct) {
	var first *Path
	for i := range s.paths {
		path := &s.paths[i]
		switch leaf := path.Leaf(); {
		case !leaf.Search:
		case first == nil:
			first = path
		case leaf.FullText != first.Leaf().FullText:
			c.fail(Declaration{Type: s.Go, Field: path.Fields[0].GoPath},
				"search=fulltext must be in all fields with search, or in none: %s and %s differ", first.Name, path.Name)
			return
		}
	}
}

// checkGroups checks that the words group and aggregate fit the field's type.
func (c *compiler) checkGroups(where Declaration, f *Field) {
	if f.Group && (f.Type.Kind == Key || !f.Type.Sortable()) {
		f.Group = false
		c.fail(where, "group does not support the type %s; allowed: a bool, number, string, time.Time or a type that marshals itself as text, "+
			"and a reference to one record with one identifier field", f.Type.Go)
	}
	if f.Aggregate && (f.Reference != nil || !f.Type.Adds() && f.Type.Kind != Time && !f.Type.IsDate() || !f.Type.Sortable()) {
		f.Aggregate = false
		c.fail(where, "aggregate does not support the type %s; allowed: a number that is not a reference, a store.Decimal, time.Time or date.Date", f.Type.Go)
	}
}

// checkOrder checks that the words sort and index fit the field's type.
func (c *compiler) checkOrder(where Declaration, f *Field) {
	switch isRelation := f.Reference != nil && f.Type.Kind == List; {
	case !f.Sort, isRelation: // checkReference reports these
	case !f.Type.Ordered():
		f.Sort = false
		c.fail(where, "sort does not support the type %s; allowed: a bool, number, string, time.Time or a type that marshals itself as text", f.Type.Go)
	case !f.Type.Sortable():
		f.Sort = false
		c.fail(where, "sort does not support the type %s, %s; remove sort or Value", f.Type.Go, twoOrders)
	}
	if asked := f.Sort || f.Unique || f.Filters != nil; asked && f.Type.Kind != Text && f.Type.Kind != List && has[store.Ordered](f.Type.Base()) {
		c.fail(where, "the type %s has an OrderKey method but does not marshal itself as text; "+
			"add MarshalText and UnmarshalText, or remove OrderKey", f.Type.Go)
	}
	if f.Indexed && (!f.Type.Ordered() || !f.Type.Sortable()) {
		c.fail(where, "index does not support the type %s; allowed: a bool, number, string, time.Time or a type that marshals itself as text", f.Type.Go)
		f.Indexed = false
	}
}

// filterMisfit returns which types the filter supports, or "" if it supports the type of the field.
func (f *Field) filterMisfit(filter string) string {
	t := f.Type
	switch filter {
	case "contains":
		if !t.ListsKeys() {
			return "a slice of integers, strings or a type that marshals itself as text and has no method OrderKey"
		}
	case "exact":
		if f.Reference == nil && t.ListsKeys() {
			return "filter=contains for a slice, and exact for a bool, number, string, time.Time or a type that marshals itself as text"
		}
		if !t.Ordered() && !t.ListsKeys() {
			return "a bool, number, string, time.Time or a type that marshals itself as text"
		}
	case "range":
		switch {
		case !t.Ordered(), t.Kind == Bool, t.Kind == Text && !t.OrdersText():
			return "a number, string, time.Time or date.Date, or a type that marshals itself as text and is a store.Ordered"
		case !t.Sortable():
			return "a type without a Value method, or whose Value returns the same as its JSON"
		}
	case "exists":
		if !t.Nullable {
			return "a pointer, which can be null"
		}
	default:
		if t.Kind != String {
			return "a string"
		}
	}
	return ""
}
