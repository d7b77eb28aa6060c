package parameters

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// addSearch adds q, if there are fields tagged search.
func (s *Set) addSearch(record *model.Struct) {
	var names []string
	for _, path := range record.Paths() {
		if path.Leaf().Search && s.shows(path) {
			names = append(names, path.Name)
		}
	}
	if names != nil {
		s.add(&Parameter{Kind: Search, Name: "q", Allowed: names, read: readSearch})
	}
}

// readSearch asks for each word to be in one of the fields: more words find less, as people
// expect of a search.
func readSearch(r *reading, p *Parameter, text string) error {
	if n := utf8.RuneCountInString(text); n == 0 || n > MaxSearch {
		return fmt.Errorf("must have from 1 to %d characters", MaxSearch)
	}
	// A text that no record can have, since it is not UTF-8 or has a U+0000: a database would answer
	// with an error of its own.
	if _, err := codec.AppendLiteral(nil, model.String, text); err != nil {
		return err
	}
	// A search for spaces alone has no words, and finds all.
	for word := range strings.FieldsSeq(text) {
		r.values.Query.Where = append(r.values.Query.Where, store.Condition{
			Fields: p.Allowed, Operator: store.Contains, Values: []any{word},
		})
	}
	return nil
}
