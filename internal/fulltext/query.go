package fulltext

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxTerms is how many words a query may have.
const MaxTerms = 32

// Term is a phrase, often of one word, that a text must contain, or must not.
type Term struct {
	Text string
	Not  bool
}

// Parse reads a query in the syntax that search engines share: words, of which all must occur; "phrases"; OR between
// alternatives; and a minus sign before what must not occur. It returns the alternatives, each with terms that must all hold.
// Every text is a query; one without words has no alternatives. The only error is that of more than MaxTerms words.
func Parse(query string) ([][]Term, error) {
	var alternatives [][]Term
	var terms []Term
	words := 0
	for query != "" {
		var term Term
		var isQuoted bool
		if term, isQuoted, query = next(query); !isQuoted && !term.Not && strings.EqualFold(term.Text, "or") {
			if terms != nil {
				alternatives, terms = append(alternatives, terms), nil
			}
			continue
		}
		n := len(Words("", term.Text))
		if words += n; words > MaxTerms {
			return nil, fmt.Errorf("must have at most %d words", MaxTerms)
		}
		if n > 0 && !slices.Contains(terms, term) {
			terms = append(terms, term)
		}
	}
	if terms != nil {
		alternatives = append(alternatives, terms)
	}
	return alternatives, nil
}

// next cuts the first term off a query. A quotation mark that no other follows is a space.
func next(query string) (term Term, isQuoted bool, rest string) {
	query = strings.TrimLeftFunc(query, unicode.IsSpace)
	if after, found := strings.CutPrefix(query, "-"); found {
		term.Not, query = true, after
	}
	if after, found := strings.CutPrefix(query, `"`); found {
		if text, rest, closed := strings.Cut(after, `"`); closed {
			term.Text = text
			return term, true, rest
		}
		return term, true, after
	}
	end := strings.IndexFunc(query, func(r rune) bool { return r == '"' || unicode.IsSpace(r) })
	if end < 0 {
		end = len(query)
	}
	if end == 0 && query != "" { // a minus sign before a space
		_, size := utf8.DecodeRuneInString(query)
		return term, true, query[size:]
	}
	term.Text = query[:end]
	return term, false, query[end:]
}
