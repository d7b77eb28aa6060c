package filter

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

// operator is how a condition compares a field with its values. The zero operator compares for equality.
type operator struct {
	finds   string                           // describes what is found
	negated bool                             // a field matches that equals none of the values
	exists  bool                             // compares whether there is a value, with one bool
	order   func(compared int) bool          // which results of comparing a field with the one value match; or nil
	search  func(folded, wanted string) bool // how strings are searched, both folded by store.Fold; or nil
	word    string                           // of the tag filter, for an operator that searches strings
	words   bool                             // searches strings for words
}

// operators are all operators of [store.Condition].
var operators = map[store.Operator]operator{
	store.Equal:        {finds: "equals one of the values."},
	store.NotEqual:     {finds: "equals none of the values.", negated: true},
	store.Less:         {finds: "is less than the value.", order: func(compared int) bool { return compared < 0 }},
	store.LessEqual:    {finds: "is at most the value.", order: func(compared int) bool { return compared <= 0 }},
	store.Greater:      {finds: "is greater than the value.", order: func(compared int) bool { return compared > 0 }},
	store.GreaterEqual: {finds: "is at least the value.", order: func(compared int) bool { return compared >= 0 }},
	store.Exists:       {finds: "has a value; `false` finds null.", exists: true},

	store.EqualFold: {
		word: "iexact", finds: "equals one of the values, ignoring case.",
		search: func(folded, wanted string) bool { return folded == wanted },
	},
	store.Contains:  {word: "partial", finds: "contains one of the values, ignoring case.", search: strings.Contains},
	store.HasPrefix: {word: "start", finds: "starts with one of the values, ignoring case.", search: strings.HasPrefix},
	store.HasSuffix: {word: "end", finds: "ends with one of the values, ignoring case.", search: strings.HasSuffix},
	store.HasWordPrefix: {
		word: "word_start", finds: "has a word that starts with one of the values, ignoring case.",
		search: func(folded, wanted string) bool { return strings.Contains(" "+folded, " "+wanted) },
	},
	store.FullText: {finds: "contains the words of one of the values, one after another.", words: true},
}

// Describe returns what a condition with an operator finds.
func Describe(o store.Operator) string { return operators[o].finds }

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

// SearchOf returns the operator of a word of the tag filter that searches within strings, and false for other words.
func SearchOf(word string) (store.Operator, bool) {
	for o, operator := range operators {
		if operator.search != nil && operator.word == word {
			return o, true
		}
	}
	return "", false
}
