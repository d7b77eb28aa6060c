package password

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/trove-api/trove/store"
)

// normal returns the one form of all names that look the same to people: without spaces at the ends and invisible
// characters, in lower case, and composed (Unicode normalization form C).
func normal(name string) string {
	visible := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.C, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
			return -1
		}
		return r
	}, name)
	composed := norm.NFC.String(strings.Join(strings.Fields(visible), " "))
	return norm.NFC.String(strings.Map(unicode.ToLower, store.Fold(composed)))
}
