package model

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// How long a value can be that stores keep an index of. An entry of an index of PostgreSQL
// has 2,704 bytes at most, a character up to four of them, and an index for an order has the
// identifier behind each value. All stores refuse what one of them could not keep.
const (
	maxIndexedID    = 255 // characters of a string that is the identifier
	maxIndexedText  = 400 // characters of any other text
	maxIndexedBytes = 4 * maxIndexedText
)

// MaxIndexed returns how many characters, or bytes of a []byte, a value of the field may
// have since stores keep an index of it; 0 for no limit.
func (f *Field) MaxIndexed() int {
	indexed := f.Unique || f.Indexed || f.Sort || f.Type.HasOrderKey() || slices.ContainsFunc(f.Filters, usesIndex)
	switch f.Type.Kind {
	case String, Text:
		switch {
		case f.Identifier:
			return maxIndexedID
		case indexed:
			return maxIndexedText
		}
	case Bytes:
		if indexed {
			return maxIndexedBytes
		}
	}
	return 0
}

// usesIndex reports whether a filter asks an index. The others look into each text.
func usesIndex(filter string) bool {
	switch filter {
	case "exact", "iexact", "start", "range", "exists":
		return true
	}
	return false
}

// limitIndexed gives a field the rule max where an index limits its values and the field's
// own rules do not, so that checks and documents say so. Types that are text have no such
// rule: stores check what they keep of them.
func (c *compiler) limitIndexed(where string, f *Field) {
	most := f.MaxIndexed()
	if most == 0 || f.Type.Kind == Text || f.Rules.Skip {
		return
	}
	// The rule is put into the field's own where it has one: two of them would both be told, and the
	// tighter one is what the document has to say.
	bounded := false
	for i := range f.Rules.All {
		rule := &f.Rules.All[i]
		n, err := strconv.Atoi(rule.Param)
		switch {
		case rule.Name == "oneof", rule.Name == "eq" && f.Type.Kind == String && utf8.RuneCountInString(rule.Param) <= most:
			bounded = true
		case err != nil:
		case rule.Name == "max", rule.Name == "lte":
			rule.Param, bounded = strconv.Itoa(min(n, most)), true
		case rule.Name == "lt":
			rule.Param, bounded = strconv.Itoa(min(n, most+1)), true
		case rule.Name == "len" && n <= most:
			bounded = true
		case rule.Name == "len", rule.Name == "min" && n > most, rule.Name == "gte" && n > most, rule.Name == "gt" && n >= most:
			c.fail(where, "has the rule %s=%s, but databases keep an index of it, which holds %d at most", rule.Name, rule.Param, most)
			return
		}
	}
	if !bounded {
		f.Rules.All = append(f.Rules.All, Constraint{Name: "max", Param: strconv.Itoa(most)})
	}
}
