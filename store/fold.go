package store

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold returns s with its letter case removed by Unicode's simple folding. Two strings fold to the same string exactly
// if strings.EqualFold reports that they are equal.
func Fold(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return strings.Map(foldRune, s)
		}
	}
	return strings.ToLower(s) // the same for ASCII, and several times faster
}

// foldRune returns the least rune that r folds to. For ASCII it returns the lower case, so that folded text stays
// readable.
func foldRune(r rune) rune {
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	if 'A' <= least && least <= 'Z' {
		return least + 'a' - 'A'
	}
	return least
}
