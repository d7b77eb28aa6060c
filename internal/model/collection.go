package model

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

// matching are the filters that the plain parameter of a field can stand for. A field
// has one of them at most.
var matching = []string{"exact", "iexact", "partial", "start", "end", "word_start", "contains"}

// twoOrders is said of a type that is not sortable.
const twoOrders = "whose method Value gives databases another form than JSON has, and so another order"

// checkCollection checks that what the tag says of collections fits the field's type.
// It tells what is allowed for each word, as it differs: who reads it has the tag before him.
// A word that does not fit is dropped once it is reported: parameters made from it could not be compiled.
func (c *compiler) checkCollection(where string, f *Field) {
	// A secret is found out by asking for what it begins with, one character after the other.
	if f.WriteOnly && (f.Filters != nil || f.Sort || f.Search) {
		c.fail(where, "is writeonly, and filter, sort or search would tell its value")
	}
	c.checkOrder(where, f)
	if f.Search && f.Type.Kind != String {
		f.Search = false
		c.fail(where, "has the word search and the type %s; allowed: a string", f.Type.Go)
	}
	// The type is judged last and for each filter alone, for each has another one that it is for.
	var plain, seen, fitting []string
	for _, filter := range f.Filters {
		if slices.Contains(seen, filter) {
			c.fail(where, "api tag has the filter %q twice", filter)
			continue
		}
		seen = append(seen, filter)
		if slices.Contains(matching, filter) {
			plain = append(plain, filter)
		}
		ofReference := f.Reference != nil && filter != "exact" && filter != "exists" // which checkReference judges
		if allowed := f.filterMisfit(filter); allowed != "" && !ofReference {
			c.fail(where, "has the filter %q and the type %s; allowed: %s", filter, f.Type.Go, allowed)
			continue
		}
		fitting = append(fitting, filter)
	}
	if f.Filters = fitting; len(plain) > 1 {
		f.Filters = nil // so that the others are not told again as one parameter
		c.fail(where, "has the filters %s, which all stand for the one parameter %s=…; choose one", strings.Join(plain, ", "), f.Name)
	}
}

// checkOrder checks that the words sort and index fit the field's type.
func (c *compiler) checkOrder(where string, f *Field) {
	switch isRelation := f.Reference != nil && f.Type.Kind == List; {
	case !f.Sort, isRelation: // checkReference tells of these
	case !f.Type.Ordered():
		f.Sort = false
		c.fail(where, "has the word sort and the type %s; allowed: a bool, number, string, time.Time or a type that marshals itself as text", f.Type.Go)
	case !f.Type.Sortable():
		f.Sort = false
		c.fail(where, "has the word sort and the type %s, %s; drop sort, or the method Value", f.Type.Go, twoOrders)
	}
	if asked := f.Sort || f.Unique || f.Filters != nil; asked && f.Type.Kind != Text && f.Type.Kind != List && has[store.Ordered](f.Type.Base()) {
		c.fail(where, "has the type %s, whose method OrderKey is asked only of types that marshal themselves as text; "+
			"add MarshalText and UnmarshalText, or drop OrderKey", f.Type.Go)
	}
	if f.Indexed && (!f.Type.Ordered() || !f.Type.Sortable()) {
		c.fail(where, "has the word index and the type %s; allowed: a bool, number, string, time.Time or a type that marshals itself as text", f.Type.Go)
		f.Indexed = false
	}
}

// filterMisfit returns what the filter is for, "" if it is for the field.
// It goes by the type alone, and is asked for each filter of a tag.
func (f *Field) filterMisfit(filter string) string {
	t := f.Type
	switch filter {
	case "contains":
		if !t.ListsKeys() {
			return "a slice of integers, strings or a type that marshals itself as text and has no method OrderKey"
		}
	case "exact":
		if f.Reference == nil && t.ListsKeys() {
			return "filter=contains for a slice; exact for a bool, number, string, time.Time or a type that marshals itself as text"
		}
		if !t.Ordered() && !t.ListsKeys() {
			return "a bool, number, string, time.Time or a type that marshals itself as text"
		}
	case "range":
		switch {
		case !t.Ordered(), t.Kind == Bool, t.Kind == Text && !t.HasOrderKey():
			return "a number, string or time.Time, or a type that marshals itself as text and is a store.Ordered"
		case !t.Sortable():
			return "a type without a method Value, or one that gives databases the same value"
		}
	case "exists":
		if !t.Nullable {
			return "a pointer, which can be null"
		}
	default:
		if slices.Contains(matching, filter) && t.Kind != String {
			return "a string"
		}
	}
	return ""
}
