package filter

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

// operator is how a condition compares a field with its values. The zero operator compares for equality.
type operator struct {
	negated bool                             // a field matches that equals none of the values
	exists  bool                             // compares whether there is a value, with one bool
	order   func(compared int) bool          // which results of comparing a field with the one value match; or nil
	search  func(folded, wanted string) bool // how strings are searched, both folded by store.Fold; or nil
}

// Searches reports whether an operator searches within strings.
func Searches(o store.Operator) bool { return operators[o].search != nil }

// Searching returns the operators that search within strings, sorted.
func Searching() []store.Operator {
	return slices.Sorted(func(yield func(store.Operator) bool) {
		for o := range operators {
			if Searches(o) && !yield(o) {
				return
			}
		}
	})
}

// operators are all operators of [store.Condition].
var operators = map[store.Operator]operator{
	store.Equal:         {},
	store.NotEqual:      {negated: true},
	store.Less:          {order: func(compared int) bool { return compared < 0 }},
	store.LessEqual:     {order: func(compared int) bool { return compared <= 0 }},
	store.Greater:       {order: func(compared int) bool { return compared > 0 }},
	store.GreaterEqual:  {order: func(compared int) bool { return compared >= 0 }},
	store.EqualFold:     {search: func(folded, wanted string) bool { return folded == wanted }},
	store.Contains:      {search: strings.Contains},
	store.HasPrefix:     {search: strings.HasPrefix},
	store.HasSuffix:     {search: strings.HasSuffix},
	store.HasWordPrefix: {search: func(folded, wanted string) bool { return strings.Contains(" "+folded, " "+wanted) }},
	store.Exists:        {exists: true},
}
