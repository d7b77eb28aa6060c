package store

import (
	"strings"
	"unicode"
)

// Fold returns s with every letter replaced by the one that stands for all its cases,
// by Unicode's simple folding: two strings are the same folded exactly if
// strings.EqualFold says that they are equal. It changes no other character.
func Fold(s string) string { return strings.Map(foldRune, s) }

// foldRune returns the least rune of those that r folds to, in lower case for ASCII so
// that folded text stays readable.
func foldRune(r rune) rune {
	if r < unicode.MaxASCII {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	if 'A' <= least && least <= 'Z' {
		return least + 'a' - 'A'
	}
	return least
}
