package model

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
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

// FitsIndex returns what reports why a value, which may be a pointer, does not fit into the index of its field. It
// is nil for a field without one, and its errors continue a sentence that begins with the value.
// Characters for texts and bytes for bytes, as the document shows the limit of an index to clients.
func (f *Field) FitsIndex() func(v reflect.Value) error {
	most, base := f.MaxIndexed(), f.Type.Base()
	hasKey := f.Type.HasOrderKey()
	if most == 0 || base.Kind() == reflect.Array && !hasKey { // such as a UUID
		return nil
	}
	length, unit := func(v reflect.Value) int { return utf8.RuneCountInString(v.String()) }, "characters"
	switch f.Type.Kind {
	case Bytes:
		length, unit = reflect.Value.Len, "bytes"
	case Text:
		length = func(v reflect.Value) int {
			text, _ := TextOf(v) // a value without a text is reported when it is written
			return utf8.RuneCountInString(text)
		}
	}
	tooLong := fmt.Errorf("must be at most %d %s long", most, unit)
	return func(v reflect.Value) error {
		if f.Type.Nullable {
			v = v.Elem()
		}
		switch {
		case !v.IsValid():
			return nil
		case length(v) > most:
			return tooLong
		case hasKey:
			// All stores keep the key as text, in an index.
			key, err := OrderTextOf(v)
			if err != nil || len(key) > maxIndexedBytes || !utf8.ValidString(key) || strings.ContainsRune(key, 0) {
				return errNoOrder
			}
		}
		return nil
	}
}

var errNoOrder = errors.New("must be a value that can be put in order")

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
