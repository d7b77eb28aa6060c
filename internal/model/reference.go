package model

import (
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/uritemplate"
)

// Reference is what the word ref says of a field: its value is the key of another resource's
// record, or a list of such keys. What the tag says is read by Compile; which resource that is,
// and what its records look like from outside, is known once all resources are.
type Reference struct {
	To       string   // the resource, as the tag calls it: its short name, or its Go type's
	Expand   bool     // clients may ask for the record itself
	Through  []string // members of the record that filters and order may go by
	OnDelete OnDelete
	Many     bool  // a list of keys
	Most     int   // of a list: how many keys it may have
	Key      *Type // of one key, which is never null
	Optional bool  // omitempty: a body may leave it out, and Prepare sets it
	Required bool  // a body that creates the record must have it

	Target  *Struct              // of the records; nil until it is linked
	Name    string               // the resource's short name
	Address *uritemplate.Address // what clients see in place of keys; nil where they see the keys
}

// OnDelete is what becomes of a record when one that it refers to is deleted.
// The default is the one that loses nothing.
type OnDelete string

// What there is. Restrict is the usual one.
const (
	Restrict OnDelete = "restrict" // the other one cannot be deleted
	Cascade  OnDelete = "cascade"  // it is deleted, too
	SetNull  OnDelete = "null"     // the reference is set to null, or taken out of its list
)

var onDelete = []string{string(Restrict), string(Cascade), string(SetNull)}

// referring are the words of the api tag that say more of a reference.
var referring = []string{"expand", "through", "ondelete"}

// valued are the words of the api tag that have a value.
var valued = []string{"filter", "ref", "through", "ondelete"}

// reference returns what the field's tag says of its reference. It is made by the first word
// that speaks of one.
// Words may stand in any order in a tag, so that any of them may be the first.
func (f *Field) reference() *Reference {
	if f.Reference == nil {
		f.Reference = &Reference{OnDelete: Restrict}
	}
	return f.Reference
}

// readReferring reads a word that says something of a reference, and reports whether it is
// one.
func (c *compiler) readReferring(where, word, value string, f *Field) bool {
	switch word {
	case "ref":
		if f.reference().To = value; value == "" {
			c.fail(where, "api tag has the word ref without a resource; write it as ref=User")
		}
	case "expand":
		f.reference().Expand = true
	case "through":
		f.reference().Through = c.readThrough(where, value)
	case "ondelete":
		if f.reference().OnDelete = OnDelete(value); !slices.Contains(onDelete, value) {
			c.fail(where, "api tag has the unknown ondelete=%s; allowed: %s%s", value, strings.Join(onDelete, ", "), naming.DidYouMean(value, onDelete))
		}
	default:
		return false
	}
	return true
}

// Which members there are is checked once the other struct is known, see resource/links.go.
func (c *compiler) readThrough(where, value string) []string {
	members := strings.Split(value, "|")
	for i, member := range members {
		switch {
		case member == "":
			c.fail(where, "api tag has the word through without a member; write it as through=name, several with a bar between them")
		case slices.Contains(members[:i], member):
			c.fail(where, "api tag has the member %q twice in through", member)
		}
	}
	return slices.DeleteFunc(members, func(member string) bool { return member == "" })
}

// setKey notes what the values of a reference are, and returns what is wrong with such a type, "" for
// nothing.
func (r *Reference) setKey(t *Type) (problem string) {
	r.Many = t.Kind == List
	r.Key = &Type{Go: t.Base(), Kind: t.Kind, Bits: t.Bits, Parts: t.Parts}
	if r.Many {
		r.Key = t.Elem
	}
	switch {
	case r.Many && t.Nullable, r.Many && r.Key.Nullable, r.Key.Kind != Object && r.Key.Kind != Key && !isKeyKind(r.Key.Kind):
		return "; allowed: an integer, a string or a type that marshals itself as text, a pointer to one, or a slice of these; " +
			"for a record that several fields identify a struct of these"
	case t.Kind == Object:
		_, problem := partsOf(t)
		return ", " + problem + "; allowed for a record that several fields identify: a struct of just these fields"
	case r.Key.Kind == Object:
		_, problem := partsOf(r.Key)
		return ", a list of a struct " + problem + "; allowed for records that several fields identify: a slice of structs of just these fields"
	}
	return ""
}

// checkReference checks that what the tags say of a reference fits the field. Of its rules
// only those are left that are not said by the reference itself.
func (c *compiler) checkReference(where, tag string, f *Field) {
	r := f.Reference
	if r == nil {
		return
	}
	if r.To == "" {
		if !hasWord(tag, "ref") {
			c.fail(where, "api tag has %s without the word ref, which it is about; add ref=User", wordsIn(tag, referring))
		}
		f.dropReference()
		return
	}
	if problem := r.setKey(f.Type); problem != "" {
		c.fail(where, "has the word ref and the type %s%s", f.Type.Go, problem)
		f.dropReference()
		return
	}
	switch {
	case f.Unique && r.Key.Kind == Key:
		c.fail(where, "has the words ref and unique; allowed of a record that several fields identify: ref alone, or let the same fields identify both")
	case f.Version, f.Created, f.Modified:
		c.fail(where, "has the word ref; what names or stamps a record refers to none")
	case r.OnDelete == SetNull && !r.Many && !f.Type.Nullable:
		c.fail(where, "has ondelete=null and the type %s, which has no null; allowed: a pointer, or restrict or cascade", f.Type.Go)
	case f.Search, f.Sort && r.Many:
		c.fail(where, "has the word ref, and search or sort; a reference is filtered by, and ordered by what through names")
		f.Search, f.Sort = false, false
	}
	for _, filter := range f.Filters {
		switch {
		case r.Many && filter != "exact" && filter != "contains":
			c.fail(where, "has the word ref and the filter %q; allowed of a list: exact", filter)
		case !r.Many && filter != "exact" && filter != "exists":
			c.fail(where, "has the word ref and the filter %q; allowed: exact, exists", filter)
		}
	}
	f.Filters = slices.DeleteFunc(f.Filters, func(filter string) bool {
		return filter != "exact" && filter != "exists" && (!r.Many || filter != "contains")
	})
	if f.Default != nil || f.Example != nil {
		f.Default, f.Example = nil, nil
		c.fail(where, "has the word ref, and a default or example; a reference is known only when there are records: set it in Prepare")
	}
	c.settleReferenceRules(where, f)
}

// dropReference drops a reference whose mistake has been reported, with the words whose meaning depended on it.
func (f *Field) dropReference() {
	f.Reference, f.Filters, f.Sort = nil, nil, false
}

// settleReferenceRules leaves a reference the rules that say how many there are.
func (c *compiler) settleReferenceRules(where string, f *Field) {
	r := f.Reference
	if f.Rules.Elem != nil || f.Rules.Keys != nil || f.Rules.Skip {
		c.fail(where, "has the word ref, and rules of its elements, or none at all; the records are what a reference is checked by")
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
		c.fail(where, "has the word ref and the rule %s; allowed: required, omitempty, and of a slice min and max", rule.Name)
		return true
	}
	f.Rules.All = slices.DeleteFunc(slices.Clone(f.Rules.All), implied)
	if !r.Many {
		// A key of 0 or "" refers to no record, so no rule may pass over it.
		r.Optional, f.Rules.OmitEmpty = f.Rules.OmitEmpty && !f.Type.Nullable, false
		return
	}
	for _, most := range []string{"max", "lte", "lt", "len"} {
		if rule, bounded := f.Rules.Find(most); bounded {
			most, _ := strconv.Atoi(rule.Param) // what is no number is an error of the rule
			r.Most = min(most, 1<<30)           // so that products do not overflow
			return
		}
	}
	c.fail(where, "is a list of references without the rule max; say how many there may be, as in validate:\"max=20\", "+
		"or let the others refer to this record")
}

// hasWord reports whether an api tag has a word.
func hasWord(tag, word string) bool {
	for item := range strings.SplitSeq(tag, ",") {
		if found, _, _ := strings.Cut(strings.TrimSpace(item), "="); found == word {
			return true
		}
	}
	return false
}

// wordsIn lists those of the words that an api tag has.
func wordsIn(tag string, words []string) string {
	has := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !hasWord(tag, word) })
	return strings.Join(has, ", ")
}

// isKeyKind reports whether identifiers can be of the kind.
func isKeyKind(kind Kind) bool { return isGenerated(kind) || kind == String }

// Refers reports whether every record has a reference in the field: it is neither nullable nor
// a list.
func (f *Field) Refers() bool {
	return f.Reference != nil && !f.Reference.Many && !f.Type.Nullable
}
