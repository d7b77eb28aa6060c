package store_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/trove-api/trove/store"
)

func TestFoldedStringsAreEqualWhereEqualFoldSaysSo(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"Dune", "dUNE"},
		{"É", "é"},
		{"e\u0301", "é"},
		{"Σίσυφος", "ΣΊΣΥΦΟΣ"},
		{"ς", "Σ"},
		{"ſ", "S"},
		{"K", "k"},
		{"ß", "ẞ"},
		{"ß", "ss"},
		{"İ", "i"},
		{"ı", "I"},
		{"日本", "日本"},
		{"", ""},
		{"a", "b"},
		{"@", "`"},
		{"[", "{"},
	} {
		if got, want := store.Fold(pair[0]) == store.Fold(pair[1]), strings.EqualFold(pair[0], pair[1]); got != want {
			t.Errorf("%q and %q folded are the same: %v, want %v", pair[0], pair[1], got, want)
		}
	}
}

func TestEveryRuneFoldsWithItsOtherCases(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if next := unicode.SimpleFold(r); store.Fold(string(r)) != store.Fold(string(next)) {
			t.Errorf("%U and %U fold to different letters", r, next)
		}
	}
}

func FuzzFold(f *testing.F) {
	f.Add("Straße", "STRASSE")
	f.Add("ΑΣ", "ας")
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = strings.ToValidUTF8(a, "?"), strings.ToValidUTF8(b, "?")
		if got, want := store.Fold(a) == store.Fold(b), strings.EqualFold(a, b); got != want {
			t.Errorf("%q and %q folded are the same: %v, want %v", a, b, got, want)
		}
		if once := store.Fold(a); store.Fold(once) != once {
			t.Errorf("%q folded twice is another text", a)
		}
	})
}
