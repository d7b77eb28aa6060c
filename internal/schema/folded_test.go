package schema_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/trove-api/trove/internal/schema"
)

func FuzzPatternsInAnyCase(f *testing.F) {
	f.Add("red", "RED")
	f.Add("kelvin", "\u212aelvin")
	f.Add("straße", "STRASSE")
	f.Add("a+b", "A+B")
	f.Add("", "\n")
	f.Fuzz(func(t *testing.T, text, other string) {
		if !utf8.ValidString(text) || !utf8.ValidString(other) {
			t.Skip("not UTF-8")
		}
		pattern, err := schema.Compile("^" + schema.QuoteFolded(text) + "$")
		if err != nil {
			t.Fatalf("the pattern of %q: %v", text, err)
		}
		for _, other := range []string{other, strings.ToUpper(text), strings.ToLower(text), strings.Map(unicode.SimpleFold, text)} {
			if got, want := pattern.MatchString(other), strings.EqualFold(text, other); got != want {
				t.Errorf("the pattern of %q matches %q: %v, want %v", text, other, got, want)
			}
		}
	})
}
