package model

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/uritemplate"
)

// Reference is a field with the word ref: its value is the key of another resource's record, or a list of such keys.
// Compile reads the tag. The target is set once all resources are known.
type Reference struct {
	To       string   // the target in the tag: the short name of a resource, or the name of its Go type
	Expand   bool     // clients may request the record itself
	Through  []string // fields of the record that clients may filter and sort by
	OnDelete OnDelete
	Many     bool  // a list of keys
	Most     int   // the maximum length of a list
	Key      *Type // the type of one key, never nullable
	Optional bool  // omitempty: the body may leave it out, and Prepare sets it
	Required bool  // a body that creates the record must have it

	Joined bool                    // queries of the store can go through it
	Target *Struct                 // of the records; nil until it is linked
	Name   string                  // the resource's short name
	Path   *uritemplate.RecordPath // how clients see keys; nil if they see the keys themselves
}

// OnDelete is what happens to a record when a record that it references is deleted.
type OnDelete string

// The values of ondelete. Restrict is the default, because it loses nothing.
const (
	Restrict OnDelete = "restrict" // the referenced record cannot be deleted
	Cascade  OnDelete = "cascade"  // the record is deleted too
	SetNull  OnDelete = "null"     // the reference is set to null, or removed from its list
)

var onDelete = []string{string(Restrict), string(Cascade), string(SetNull)}

// referring lists the words of the api tag that need ref.
var referring = []string{"expand", "through", "ondelete"}

// valued lists the words of the api tag that take a value.
var valued = []string{"filter", "search", "ref", "through", "ondelete"}

// reference returns the field's reference and creates it at first use, because the words can have any order.
func (f *Field) reference() *Reference {
	if f.Reference == nil {
		f.Reference = &Reference{OnDelete: Restrict}
	}
	return f.Reference
}

// readReferring reads a word about a reference, and reports whether it is one.
func (c *compiler) readReferring(where Declaration, word, value string, f *Field) bool {
	switch word {
	case "ref":
		if f.reference().To = value; value == "" {
			c.fail(where, "ref needs a resource; write it as ref=User")
		}
	case "expand":
		f.reference().Expand = true
	case "through": // package resource checks the fields once the other struct is known
		members := strings.Split(value, "|")
		for i, member := range members {
			switch {
			case member == "":
				c.fail(where, "through needs a field; write it as through=name, or through=name|email for several")
			case slices.Contains(members[:i], member):
				c.fail(where, "duplicate field %q in through", member)
			}
		}
		f.reference().Through = slices.DeleteFunc(members, func(member string) bool { return member == "" })
	case "ondelete":
		if f.reference().OnDelete = OnDelete(value); !slices.Contains(onDelete, value) {
			c.fail(where, "unknown value %q of ondelete in the api tag%s", value, naming.Allowed(value, onDelete))
		}
	default:
		return false
	}
	return true
}

// setKey sets the type of the keys. It returns why a type is not supported, or "".
func (r *Reference) setKey(t *Type) (problem string) {
	r.Many = t.Kind == List
	r.Key = &Type{Go: t.Base(), Kind: t.Kind, Bits: t.Bits, Parts: t.Parts}
	if r.Many {
		r.Key = t.Elem
	}
	switch {
	case r.Many && t.Nullable, r.Many && r.Key.Nullable, r.Key.Kind != Object && r.Key.Kind != Key && !isKeyKind(r.Key.Kind):
		return "; allowed: an integer, a string or a type that marshals itself as text, a pointer to one, or a slice of these; " +
			"for a composite identifier, a struct of these"
	case t.Kind == Object:
		_, problem := partsOf(t)
		return ", " + problem + "; allowed for a composite identifier: a struct of exactly its fields"
	case r.Key.Kind == Object:
		_, problem := partsOf(r.Key)
		return ", a slice of a struct " + problem + "; allowed for composite identifiers: a slice of structs of exactly their fields"
	}
	return ""
}

// checkReference checks that the tags of a reference fit the field, and removes the rules that the reference implies.
func (c *compiler) checkReference(where Declaration, f *Field) {
	r := f.Reference
	if r == nil {
		return
	}
	if r.To == "" {
		if words := slices.DeleteFunc(slices.Clone(referring), func(word string) bool { return !f.has(word) }); !f.has("ref") {
			need := "need"
			if len(words) == 1 {
				need = "needs"
			}
			c.fail(where, "%s %s ref, such as ref=User", strings.Join(words, " and "), need)
		}
		f.dropReference()
		return
	}
	if problem := r.setKey(f.Type); problem != "" {
		c.fail(where, "ref does not support the type %s%s", f.Type.Go, problem)
		f.dropReference()
		return
	}
	switch {
	case f.Unique && r.Key.Kind == Key:
		c.fail(where, "a reference to a composite identifier cannot be unique; remove unique, or identify both records by the same fields")
	case f.Version, f.Created, f.Modified:
		c.fail(where, "a reference cannot have the words version, created or modified")
	case r.OnDelete == SetNull && !r.Many && !f.Type.Nullable:
		c.fail(where, "ondelete=null does not support the type %s, which has no null; use a pointer, or ondelete=restrict or cascade", f.Type.Go)
	case f.Search, f.Sort && r.Many:
		c.fail(where, "a reference cannot have search, nor a list of references sort; use filter or through")
		f.Search, f.Sort = false, false
	}
	f.Filters = slices.DeleteFunc(f.Filters, func(filter string) bool {
		switch {
		case filter == "exact", r.Many && filter == "contains", !r.Many && filter == "exists":
			return false
		case r.Many:
			c.fail(where, "filter %q does not support a list of references; allowed: exact", filter)
		default:
			c.fail(where, "filter %q does not support a reference; allowed: exact, exists", filter)
		}
		return true
	})
	if f.Default != nil || f.Example != nil {
		f.Default, f.Example = nil, nil
		c.fail(where, "a reference cannot have a default or example, because it depends on stored records; set it in Prepare")
	}
	c.settleReferenceRules(where, f)
}

// dropReference removes a reference whose error has been reported, and the words that depend on it.
func (f *Field) dropReference() {
	f.Reference, f.Filters, f.Sort = nil, nil, false
}

// settleReferenceRules removes all rules of a reference but those on the length of a list.
func (c *compiler) settleReferenceRules(where Declaration, f *Field) {
	r := f.Reference
	if f.Rules.Elem != nil || f.Rules.Keys != nil || f.Rules.Skip {
		c.fail(where, "a reference cannot have dive, keys or \"-\" in its validate tag, because it is checked against stored records")
	}
	implied := func(rule Constraint) bool {
		switch {
		case rule.Name == "unique" && r.Many:
			return true
		case rule.Name == "required":
			return !r.Many && !f.Type.Nullable
		case r.Many && slices.Contains([]string{"max", "min", "len", "lte", "gte", "lt", "gt"}, rule.Name):
			return false
		}
		c.fail(where, "rule %q does not support a reference; allowed: required, omitempty, and min and max for a slice", rule.Name)
		return true
	}
	f.Rules.All = slices.DeleteFunc(slices.Clone(f.Rules.All), implied)
	if !r.Many {
		// A key of 0 or "" references no record, so it must not be skipped.
		r.Optional, f.Rules.OmitEmpty = f.Rules.OmitEmpty && !f.Type.Nullable, false
		return
	}
	for _, most := range []string{"max", "lte", "lt", "len"} {
		if rule, bounded := f.Rules.Find(most); bounded {
			most, _ := strconv.Atoi(rule.Param) // package check reports a value that is not a number
			r.Most = min(most, 1<<30)           // so that products do not overflow
			return
		}
	}
	c.fail(where, "a list of references needs a maximum, such as validate:\"max=20\"; "+
		"or let the other resource reference this one")
}

// isKeyKind reports whether identifiers can have the kind.
func isKeyKind(kind Kind) bool { return isGenerated(kind) || kind == String }

// Refers reports whether every record has a reference in the field: it is neither nullable nor a list.
func (f *Field) Refers() bool {
	return f.Reference != nil && !f.Reference.Many && !f.Type.Nullable
}

// Keys returns the keys in a reference of a record, none for null.
func (f *Field) Keys(record reflect.Value) (keys []any) {
	v := f.Value(record)
	switch {
	case f.Reference.Many:
		for i := range v.Len() {
			keys = append(keys, f.Reference.Key.KeyIn(v.Index(i)))
		}
		return keys
	case f.Type.Nullable && v.IsNil():
		return nil
	case f.Type.Nullable:
		v = v.Elem()
	}
	return append(keys, f.Reference.Key.KeyIn(v))
}
